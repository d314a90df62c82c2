package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/graph/model"
)

// Every time is formatted as by the standard library, in any zone and any year.
func TestAppendTime(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "zone"))
		at := time.Unix(rapid.Int64Range(-100_000_000_000, 300_000_000_000).Draw(t, "second"),
			rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).In(zone)

		want := at.UTC().Format("2006-01-02T15:04:05.000Z")
		require.Equal(t, "at "+want, string(model.AppendTime([]byte("at "), at)))
		require.Equal(t, want, model.FormatTime(at))
	})

	for _, edge := range []string{"0999-12-31T23:59:59.999Z", "1000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"} {
		at, err := time.Parse(time.RFC3339Nano, edge)
		require.NoError(t, err)
		require.Equal(t, edge, model.FormatTime(at.Add(999_999*time.Nanosecond)), "times are cut to milliseconds")
	}
}
