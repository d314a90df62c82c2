package precondition_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/precondition"
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
		{[]string{"nonsense"}, false},
		{[]string{""}, false},
	} {
		require.Equal(t, c.holds, precondition.Holds(precondition.With(context.Background(), c.lines), 7), c.lines)
	}
}
