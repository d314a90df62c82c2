package measure_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// An interrupted run returns its complete rounds, or nothing if they are too few. A run that fails returns nothing.
func TestInTurnInterrupted(t *testing.T) {
	t.Parallel()

	fault := errors.New("a fault")

	for _, c := range []struct {
		name      string
		least, at int // minimum number of rounds, and number of values when the run is interrupted
		interrupt bool
		err       error
	}{
		{"in the third round, two are enough", 2, 5, true, nil},
		{"at the beginning of the third round", 2, 4, true, nil},
		{"in the third round, three are required", 3, 5, true, context.Canceled},
		{"in the first round, one is enough", 1, 1, true, context.Canceled},
		{"an error in the third round", 2, 5, false, fault},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()

			ran := 0

			got, err := measure.InTurn(ctx, measure.Rounds{Least: c.least, Most: 9}, []string{"a", "b"},
				func(ctx context.Context, _ string) (int, error) {
					ran++

					switch {
					case ran <= c.at:
						return ran, nil
					case c.interrupt:
						interrupt()

						return 0, ctx.Err()
					default:
						return 0, fault
					}
				},
				func(map[string][]int) bool { return false })

			require.ErrorIs(t, err, c.err)

			if c.err == nil {
				require.Equal(t, map[string][]int{"a": {1, 4}, "b": {2, 3}}, got)
			}
		})
	}
}
