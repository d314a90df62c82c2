package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestLanes(t *testing.T) {
	t.Parallel()

	answer := webhook.Outcome{Duration: time.Millisecond}
	refuse := webhook.Outcome{Duration: time.Millisecond, Fault: values.AttemptErrorStatus, Status: 500}
	hang := webhook.Outcome{Duration: webhook.Timeout, Fault: values.AttemptErrorTimeout}

	t.Run("an endpoint that answers gets more, up to eight", func(t *testing.T) {
		t.Parallel()

		l := newLanes(10)
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

	t.Run("a hanging endpoint gets a single place until it answers again", func(t *testing.T) {
		t.Parallel()

		l := newLanes(10)
		require.Equal(t, 1, l.learn("ep", 8, hang))
		require.Equal(t, 1, l.learn("ep", 1, hang))
		require.Equal(t, 1, l.width("ep"), "the width is remembered")
		require.Equal(t, 2, l.width("another"))
		require.Equal(t, 2, l.learn("ep", 1, answer))
		require.Equal(t, 2, l.width("ep"))
	})
	t.Run("hanging and new endpoints hold at most half of the runs", func(t *testing.T) {
		t.Parallel()

		l := newLanes(4)
		require.True(t, l.enter("hangs"))
		require.True(t, l.enter("new"))
		require.False(t, l.enter("newer"))
		l.learn("new", 2, answer)
		require.True(t, l.enter("newer"), "an answering endpoint frees a place")
		require.True(t, l.enter("new"))
		l.learn("hangs", 2, hang)
		l.leave("hangs")
		require.True(t, l.enter("newest"))
		require.False(t, l.enter("hangs"))
		l.learn("newest", 2, hang)
		require.True(t, l.enter("new"), "an answering endpoint never waits")
	})
}
