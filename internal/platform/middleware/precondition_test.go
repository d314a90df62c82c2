package middleware_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

func TestHolds(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		lines []string
		holds bool
	}{
		{nil, true},
		{[]string{"*"}, true},
		{[]string{`"7-0123456789abcdef"`}, true},
		{[]string{`W/"7-x"`}, true},
		{[]string{`"8-0123456789abcdef"`}, false},
		{[]string{`"8-x", "7-x"`}, true},
		{[]string{`"8-x"`, `"7-x"`}, true},
		{[]string{`"77-x"`}, false},
		{[]string{`"nonsense"`}, false},
		{[]string{`""`}, false},
		{[]string{`,, "7-x" ,`}, true},
		{[]string{`"8-é", "7-é"`}, true},
		{[]string{`"7-,"`}, true},
	} {
		ctx, err := middleware.With(context.Background(), c.lines)
		require.NoError(t, err, c.lines)
		require.Equal(t, c.holds, middleware.Holds(ctx, 7), c.lines)
	}
}

// A malformed entity tag is refused, not treated as a tag that does not match.
func TestMalformedIfMatch(t *testing.T) {
	t.Parallel()

	for _, lines := range [][]string{
		{"abc"},
		{"7"},
		{"7-0123456789abcdef"},
		{""},
		{" "},
		{","},
		{`"7-x`},
		{`7-x"`},
		{`'7-x'`},
		{`w/"7-x"`},
		{`W/ "7-x"`},
		{`"7-x" "8-x"`},
		{`"7-x", abc`},
		{`*, "7-x"`},
		{`"7-x", *`},
		{`"7 x"`},
		{`"7-x"`, "abc"},
		{"**"},
		{"W/*"},
	} {
		_, err := middleware.With(context.Background(), lines)
		require.ErrorContains(t, err, "If-Match", lines)
	}
}
