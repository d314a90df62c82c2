package workers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestLanes(t *testing.T) {
	t.Parallel()

	answer := webhook.Outcome{Duration: time.Millisecond}
	refuse := webhook.Outcome{Duration: time.Millisecond, Fault: domain.AttemptErrorStatus, Status: 500}
	hang := webhook.Outcome{Duration: webhook.Timeout, Fault: domain.AttemptErrorTimeout}

	t.Run("an endpoint that answers gets more, up to eight", func(t *testing.T) {
		t.Parallel()

		l := newLanes()
		width := l.width("ep")
		require.Equal(t, 2, width)
		for _, outcome := range []webhook.Outcome{answer, refuse, answer} {
			before := width
			width = l.learn("ep", width, outcome)
			require.Equal(t, before+1, width)
		}
		for range 10 {
			width = l.learn("ep", width, answer)
		}
		require.Equal(t, 8, width)
	})

	t.Run("one that hangs gets a single place, until it answers again", func(t *testing.T) {
		t.Parallel()

		l := newLanes()
		require.Equal(t, 1, l.learn("ep", 8, hang))
		require.Equal(t, 1, l.learn("ep", 1, hang))
		require.Equal(t, 1, l.width("ep"), "which is not forgotten")
		require.Equal(t, 2, l.width("another"))
		require.Equal(t, 2, l.learn("ep", 1, answer))
		require.Equal(t, 2, l.width("ep"))
	})
}
