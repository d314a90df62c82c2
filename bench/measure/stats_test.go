package measure_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// An interrupted run is worth its whole rounds, and nothing where those are too few.
func TestInTurnInterrupted(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name        string
		least, at   int
		rounds      int
		interrupted bool
	}{
		{"in the third round, two are enough", 2, 5, 2, false},
		{"at the begin of the third round", 2, 4, 2, false},
		{"in the third round, three are wanted", 3, 5, 0, true},
		{"in the first round, one is enough", 1, 1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			ctx, interrupt := context.WithCancel(t.Context())
			ran := 0

			got, err := measure.InTurn(ctx, measure.Rounds{Least: c.least, Most: 9}, []string{"a", "b"},
				func(ctx context.Context, _ string) (int, error) {
					if ran == c.at {
						interrupt()
					}

					ran++

					return ran, ctx.Err()
				},
				func(map[string][]int) bool { return false })

			if errors.Is(err, context.Canceled) != c.interrupted || (err != nil) != c.interrupted {
				t.Fatalf("the error is %v", err)
			}

			if c.interrupted {
				return
			}

			if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"a", "b"}) {
				t.Fatalf("measured is %v", names)
			}

			if len(got["a"]) != c.rounds || len(got["b"]) != c.rounds {
				t.Fatalf("%d and %d rounds, not %d of each", len(got["a"]), len(got["b"]), c.rounds)
			}
		})
	}
}
