package limit

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTurnsOfOneCallerDoNotOverlap(t *testing.T) {
	t.Parallel()

	var (
		turns turns
		all   sync.WaitGroup
		a, b  int // each guarded only by the turns of its caller
	)

	for i := range 200 {
		all.Go(func() {
			caller, count := "a", &a
			if i%2 == 0 {
				caller, count = "b", &b
			}

			end, err := turns.take(t.Context(), caller)
			if err != nil {
				t.Error(err)

				return
			}

			*count++

			end()
		})
	}

	all.Wait()
	require.Equal(t, 100, a)
	require.Equal(t, 100, b)
	require.Empty(t, turns.all, "callers are forgotten")
}

func TestTurnEndsWithItsContext(t *testing.T) {
	t.Parallel()

	var turns turns

	end, err := turns.take(t.Context(), "a")
	require.NoError(t, err)

	ended, cancel := context.WithCancel(t.Context())
	cancel()

	_, err = turns.take(ended, "a")
	require.ErrorIs(t, err, context.Canceled)

	other, err := turns.take(t.Context(), "b")
	require.NoError(t, err, "others do not wait")
	other()
	end()

	again, err := turns.take(t.Context(), "a")
	require.NoError(t, err)
	again()
	require.Empty(t, turns.all)
}
