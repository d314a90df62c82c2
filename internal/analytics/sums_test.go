package analytics_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/analytics"
)

// The sum of packed numbers is the packed sum.
func TestPackedCounts(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var (
			want analytics.Percents
			sum  big.Int
		)

		for range rapid.IntRange(0, 5).Draw(t, "terms") {
			var p analytics.Percents

			p[rapid.IntRange(0, analytics.Slices-1).Draw(t, "one")] = rapid.Int64Range(0, 1e9).Draw(t, "count")
			p[rapid.IntRange(0, analytics.Slices-1).Draw(t, "less")] -= rapid.Int64Range(0, 1e9).Draw(t, "count")
			want.Add(p, 1)

			number, _ := new(big.Int).SetString(p.Packed(), 10)
			sum.Add(&sum, number)
		}

		var enough analytics.Percents // stored counts are never negative
		for i := range enough {
			enough[i] = 5e9
		}

		want.Add(enough, 1)

		number, _ := new(big.Int).SetString(enough.Packed(), 10)

		got, err := analytics.Unpacked(sum.Add(&sum, number).String())
		require.NoError(t, err)
		require.Equal(t, want, got)
	})

	_, err := analytics.Unpacked("-1")
	require.Error(t, err)
}

// A cover consists of whole tiles, contains each instant once, and never uses so many tiles of a level that one of
// the level above would do.
func TestCover(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		quarter := rapid.Int64Range(-1_000_000, 4_000_000)
		from := time.Unix(quarter.Draw(t, "from")*900, 0).UTC()
		until := from.Add(time.Duration(rapid.Int64Range(1, 40_000).Draw(t, "length")) * analytics.QuarterLength)
		at := from

		for _, tiles := range analytics.Cover(from, until) {
			require.Equal(t, at, tiles.From)
			require.True(t, tiles.From.Before(tiles.Until))
			require.Equal(t, tiles.From, tiles.Level.Floor(tiles.From))
			require.Equal(t, tiles.Until, tiles.Level.Floor(tiles.Until))

			if above := tiles.Level + 1; above < analytics.Levels {
				next := above.Floor(tiles.From)
				if next.Before(tiles.From) {
					next = above.Floor(tiles.Until)
				}

				whole := above.Floor(tiles.Until.Add(-1)).After(next) && next.After(tiles.From)
				require.False(t, whole, "%v holds a whole one", tiles)
			}

			at = tiles.Until
		}

		require.Equal(t, until, at)
	})

	require.Equal(t, []analytics.Tiles{{Level: analytics.LongLevel}}, analytics.Cover(time.Time{}, time.Time{}))
}
