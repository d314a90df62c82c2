package workers_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/workers/deliver"
)

// gauge counts concurrent attempts.
type gauge struct {
	mu           sync.Mutex
	running, max int
}

func (g *gauge) enter() (running int) {
	g.mu.Lock()
	defer g.mu.Unlock()

	g.running++
	g.max = max(g.max, g.running)

	return g.running
}

func (g *gauge) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()

	g.running--
}

func (g *gauge) highest() int {
	g.mu.Lock()
	defer g.mu.Unlock()

	return g.max
}

func TestAtMostEightAttemptsAtOnceAcrossProcesses(t *testing.T) {
	t.Parallel()

	const messages = 200

	b := setup(t)

	var atOnce gauge

	full := make(chan struct{})
	fill := sync.OnceFunc(func() { close(full) })
	url, got := b.receiver(func(http.ResponseWriter, *http.Request) {
		defer atOnce.leave()

		if atOnce.enter() == 8 {
			fill()
		}

		select {
		case <-full:
		case <-time.After(200 * time.Millisecond): // long enough for further attempts to arrive
		}
	})
	b.endpoint(url)
	b.publish(messages)

	for range 3 {
		b.node(50)
	}

	seen := map[string]bool{}

	for range messages {
		id := b.next(got).header.Get("Hook-Id")
		require.False(t, seen[id], "each message arrives once")
		seen[id] = true
	}

	b.await("all succeed", func() bool { return b.count(values.DeliveryStatusSucceeded) == messages })
	require.Equal(t, 8, atOnce.highest())
	require.Empty(t, got)
}

func TestHangingEndpointDelaysNobody(t *testing.T) {
	t.Parallel()

	const messages = 40

	b := setup(t)

	var hanging atomic.Int64

	end := make(chan struct{})
	hang, _ := b.receiver(func(http.ResponseWriter, *http.Request) {
		hanging.Add(1)
		<-end
	})

	defer close(end)

	failing, _ := b.receiver(answering(500))
	healthy, got := b.receiver(answering(200))
	b.endpoint(hang)
	b.endpoint(failing)
	b.publish(messages) // the hanging endpoint's come first
	b.endpoint(healthy)
	b.publish(messages)
	b.node(10)

	for range messages {
		b.next(got)
	}

	b.await("all succeed", func() bool { return b.count(values.DeliveryStatusSucceeded) == messages })
	require.LessOrEqual(t, hanging.Load(), int64(2))
}

// TestDeliveriesWithoutAJobAreFound: a due delivery is found even if its job is gone.
func TestDeliveriesWithoutAJobAreFound(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	b.endpoint(url)
	b.endpoint(url)
	b.publish(3)
	_, err := b.store.DB.ExecContext(b.system(), "DELETE FROM river_job")
	require.NoError(t, err)

	b.node(10)

	for range 6 {
		b.next(got)
	}

	b.await("all succeed", func() bool { return b.count(values.DeliveryStatusSucceeded) == 6 })
	require.Empty(t, got)
}

func TestUnparkSendsForForgottenDeliveries(t *testing.T) {
	t.Parallel()

	b := setup(t)
	url, got := b.receiver(answering(200))
	b.endpoint(url)
	b.publish(3)
	b.write(func(ctx context.Context, c *ent.Client) {
		// As after the death of the process that should have sent them.
		c.WebhookDelivery.Update().ClearNextAttemptAt().SetUpdatedAt(time.Now().Add(-time.Hour)).ExecX(ctx)
	})
	_, err := b.store.DB.ExecContext(b.system(), "DELETE FROM river_job")
	require.NoError(t, err)

	theDeliver, _ := b.node(10)
	unpark := &deliver.Unpark{Deliver: theDeliver}
	require.NoError(t, unpark.Work(t.Context(), nil))

	for range 3 {
		b.next(got)
	}

	b.await("all succeed", func() bool { return b.count(values.DeliveryStatusSucceeded) == 3 })

	b.write(func(ctx context.Context, c *ent.Client) {
		n := c.WebhookDelivery.Query().Where(webhookdelivery.NextAttemptAtNotNil()).CountX(ctx)
		require.Zero(t, n)
	})
	require.NoError(t, unpark.Work(t.Context(), nil), "no forgotten deliveries")
	require.Empty(t, got)
}

func TestRolledBackEventSendsNothing(t *testing.T) {
	t.Parallel()

	b := setup(t)
	b.endpoint("http://127.0.0.1:1/")
	err := b.store.InTx(b.member.Context(), func(ctx context.Context) error {
		event := event.VideoCreatedEvent{Video: event.VideoOf(b.video.ID, b.video.Name)}
		require.NoError(t, b.queue.Publish(ctx, event, jobs.Readers(b.video.ID)))

		return context.Canceled
	})
	require.ErrorIs(t, err, context.Canceled)

	for _, table := range []string{"webhook_messages", "webhook_deliveries", "river_job"} {
		var rows int
		require.NoError(t, b.store.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&rows))
		require.Zero(t, rows, table)
	}
}
