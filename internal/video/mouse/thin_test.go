package mouse_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

func drawEvents(t *rapid.T) []mouse.Event {
	events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) mouse.Event {
		return mouse.Event{
			TimeMs: rapid.Int64Range(0, 2000).Draw(t, "time"), XPct: rapid.Float64Range(0, 100).Draw(t, "x"),
			YPct: rapid.Float64Range(0, 100).Draw(t, "y"), Type: rapid.SampledFrom([]string{mouse.Move, mouse.Click}).Draw(t, "type"),
		}
	}), 1, 60).Draw(t, "events")

	slices.SortStableFunc(events, func(a, b mouse.Event) int { return int(a.TimeMs - b.TimeMs) })

	return events
}

// Select keeps the first move of each interval and every click.
func TestSelect(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		q := mouse.Query{
			FromMs: rapid.Int64Range(0, 1000).Draw(t, "from"), UntilMs: rapid.Int64Range(0, 2200).Draw(t, "until"),
			EveryMs: rapid.SampledFrom([]int64{0, 1, 100, 333}).Draw(t, "every"), Clicks: rapid.Bool().Draw(t, "clicks"),
		}

		want := []mouse.Event{}
		seen := map[int64]bool{}

		for _, e := range events {
			if e.TimeMs < q.FromMs || q.UntilMs > 0 && e.TimeMs >= q.UntilMs {
				continue
			}

			if e.Type == mouse.Move {
				if q.Clicks {
					continue
				}

				if q.EveryMs > 0 {
					stretch := (e.TimeMs - q.FromMs) / q.EveryMs
					if seen[stretch] {
						continue
					}

					seen[stretch] = true
				}
			}

			want = append(want, e)
		}

		require.Equal(t, want, mouse.Select(events, q))
	})
}

// Written events read back unchanged.
func TestLines(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)

		lines, err := mouse.Lines(events)
		require.NoError(t, err)

		again, err := mouse.Read(bytes.NewReader(lines))
		require.NoError(t, err)
		require.Equal(t, events, again)
	})
}
