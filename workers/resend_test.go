package workers_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// resend requests an immediate attempt of every delivery.
func (b *bundle) resend(times int) {
	b.Helper()

	b.member.Do(b.TB, b.store, func(ctx context.Context, c *ent.Client) {
		for range times {
			all := c.WebhookDelivery.Query().Order(ent.Asc(webhookdelivery.FieldID)).ForUpdate().AllX(ctx)
			require.NoError(b, b.queue.Resend(ctx, all))
		}
	})
}

// jobs returns the number of unfinished jobs.
func (b *bundle) jobs() (live int) {
	b.Helper()

	err := b.store.DB.QueryRowContext(b.system(), "SELECT count(*) FROM river_job WHERE finalized_at IS NULL").Scan(&live)
	require.NoError(b, err)

	return live
}

func TestResendOfSucceededDeliveryIsAnotherAttempt(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	b.endpoint(url)
	b.node(10)
	b.publish(1)
	first := b.next(got)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 })

	b.resend(1)
	again := b.next(got)
	require.Equal(t, first.header.Get("Hook-Id"), again.header.Get("Hook-Id"))
	require.Equal(t, first.body, again.body)
	b.await("succeeds again", func() bool { return len(b.attempts()) == 2 })
	require.Equal(t, 2, b.attempts()[1].Attempt)
	b.await("is settled", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 && b.jobs() == 0 })
}

func TestResendMakesWaitingDeliveryDue(t *testing.T) {
	t.Parallel()

	b := setup(t)

	var status atomic.Int64
	status.Store(500)

	url, got := b.receiver(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	b.endpoint(url)
	b.node(10)
	b.publish(1)
	b.next(got)
	b.next(got) // after five seconds; the next would come after five minutes
	b.await("fails twice", func() bool { return len(b.attempts()) == 2 })
	b.awaitSleep()
	status.Store(200)

	b.resend(2) // in one statement: otherwise the first could have arrived before the second
	b.next(got)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 && b.jobs() == 0 })
	require.Len(t, b.attempts(), 3, "one attempt, brought forward")
	require.Empty(t, got)
}

func TestResendRevivesCanceledDelivery(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	b.endpoint(url)
	b.publish(1)
	b.write(func(ctx context.Context, c *ent.Client) {
		c.WebhookDelivery.Update().SetStatus(values.DeliveryStatusCanceled).ClearNextAttemptAt().ExecX(ctx)
	})
	b.resend(1)
	b.node(10)
	b.next(got)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 && b.jobs() == 0 })
	require.Len(t, b.attempts(), 1, "regardless of its jobs")
	require.Empty(t, got)
}

func TestResendAfterTheScheduleIsOneAttempt(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(500))
	b.endpoint(url)
	b.publish(1)
	b.write(func(ctx context.Context, c *ent.Client) {
		c.WebhookDelivery.Update().SetStatus(values.DeliveryStatusFailed).SetAttempts(10).ClearNextAttemptAt().ExecX(ctx)
	})
	b.resend(1)
	b.node(10)
	b.next(got)
	b.await("fails for good", func() bool { return b.count(values.DeliveryStatusFailed) == 1 && b.jobs() == 0 })
	require.Equal(t, 11, b.attempts()[0].Attempt)
	require.WithinDuration(t, time.Now(), b.attempts()[0].SentAt, patience)
}

func TestResendDuringTheLastAttemptIsAnother(t *testing.T) {
	t.Parallel()

	b := setup(t)

	var calls atomic.Int64

	reached, proceed := make(chan struct{}), make(chan struct{})
	url, _ := b.receiver(func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			close(reached)
			<-proceed
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	b.endpoint(url)
	b.publish(1)
	b.write(func(ctx context.Context, c *ent.Client) { c.WebhookDelivery.Update().SetAttempts(9).ExecX(ctx) })
	b.node(10)
	<-reached
	b.resend(1)
	close(proceed)
	b.await("succeeds", func() bool { return b.count(values.DeliveryStatusSucceeded) == 1 && b.jobs() == 0 })
	require.Len(t, b.attempts(), 2)
	require.NotNil(t, b.attempts()[0].NextAttemptAt, "a retry follows")
}
