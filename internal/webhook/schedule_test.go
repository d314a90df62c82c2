package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func middle() float64 { return 0.5 }

func TestNextFollowsTheSchedule(t *testing.T) {
	t.Parallel()

	want := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}

	failed := webhook.Outcome{Fault: values.AttemptErrorStatus, Status: 500}
	for i, delay := range want {
		got, again := webhook.Next(i+1, failed, middle)
		require.True(t, again)
		require.Equal(t, delay, got)
	}

	for _, attempt := range []int{10, 11, 0, -1} {
		_, again := webhook.Next(attempt, failed, middle)
		require.False(t, again, attempt)
	}

	_, again := webhook.Next(1, webhook.Outcome{Status: 204}, middle)
	require.False(t, again)
}

func TestNextStaysWithinATenth(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.IntRange(1, 9).Draw(t, "attempt")
		random := rapid.Float64Range(0, 0.999999).Draw(t, "random")
		failed := webhook.Outcome{Fault: values.AttemptErrorTimeout}
		exact, _ := webhook.Next(attempt, failed, middle)
		got, again := webhook.Next(attempt, failed, func() float64 { return random })
		require.True(t, again)
		require.InDelta(t, float64(exact), float64(got), float64(exact)/10)
	})
}

func TestNextHonoursRetryAfter(t *testing.T) {
	t.Parallel()

	busy := webhook.Outcome{Fault: values.AttemptErrorStatus, Status: 503, RetryAfter: time.Minute}
	delay, _ := webhook.Next(1, busy, middle)
	require.Equal(t, time.Minute, delay)
	delay, _ = webhook.Next(2, busy, middle)
	require.Equal(t, 5*time.Minute, delay, "an earlier Retry-After changes nothing")
}
