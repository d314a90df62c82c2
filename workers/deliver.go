// Package workers does the jobs: finds what a job is about, does the long part outside any
// transaction, and records the outcome and its event together.
package workers

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/queue"
	"github.com/reelgraph/reelgraph/internal/rounds"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

const (
	// attemptsAtOnce bounds what all processes together send to one endpoint at a time.
	attemptsAtOnce = 8

	deliverTimeout = webhook.Timeout + time.Minute
)

// DeliverQueue is how jobs.QueueWebhook should be worked. Almost all of its jobs wait for
// somebody else's server, so there are many; the poll is short because the first retry is due
// after five seconds give or take a tenth.
func DeliverQueue() river.QueueConfig {
	return river.QueueConfig{FetchPollInterval: 200 * time.Millisecond, MaxWorkers: 256}
}

// Deliver makes one attempt of a delivery and schedules the next. Make it with NewDeliver.
type Deliver struct {
	river.WorkerDefaults[jobs.Deliver]
	DeliverDeps

	lanes *lanes

	// Deliveries that are under way at the same time share what each needs of the database.
	finds   rounds.Rounds[string, map[string]*errand]
	records rounds.Rounds[tried, map[*errand]*time.Time]
	rests   rounds.Rounds[string, map[string]bool]
}

// DeliverDeps is what Deliver works with. Client decides which addresses it may reach. Now
// and Random, a number in [0, 1), may be replaced by tests.
type DeliverDeps struct {
	Client *http.Client
	Locks  *queue.Locks
	Logger *slog.Logger
	Now    func() time.Time
	Queue  *jobs.Queue
	Random func() float64
	Store  *store.Store
	Vault  webhook.Vault
}

// NewDeliver makes the worker of a process.
func NewDeliver(deps DeliverDeps) *Deliver { return &Deliver{DeliverDeps: deps, lanes: newLanes()} }

// Timeout implements river.Worker.
func (*Deliver) Timeout(*river.Job[jobs.Deliver]) time.Duration { return deliverTimeout }

// Work implements river.Worker. A failed attempt is no failure of the job: the job sleeps
// until the next one. What is returned as an error is our own trouble, and nothing recorded.
func (w *Deliver) Work(ctx context.Context, job *river.Job[jobs.Deliver]) error {
	ctx = auth.AsSystem(ctx)
	delivery, err := w.find(ctx, job.Args.DeliveryID)
	switch {
	case err != nil:
		return fmt.Errorf("find delivery %s: %w", job.Args.DeliveryID, err)
	case delivery == nil:
		return nil // its endpoint was deleted
	case delivery.status != domain.DeliveryStatusPending:
		return nil
	case delivery.endpoint.disabled:
		return w.cancel(ctx, delivery) // it was disabled while the message was being written
	}
	if early := w.until(delivery.nextAttemptAt); early > 0 {
		return river.JobSnooze(early)
	}

	leave, err := w.enter(ctx, delivery)
	if err != nil || leave == nil {
		return err
	}
	outcome, next, err := w.attempt(ctx, delivery, job.ID)
	room := leave(outcome)
	if err := w.unpark(ctx, delivery.endpoint.id, room); err != nil {
		w.Logger.WarnContext(ctx, "deliver: wake what waits for the endpoint",
			slog.String("endpoint", delivery.endpoint.id), slog.Any("error", err))
	}
	if err != nil {
		return fmt.Errorf("deliver %s: %w", delivery.id, err)
	}
	if next != nil {
		return river.JobSnooze(w.until(next))
	}
	return nil
}

func (w *Deliver) until(at *time.Time) time.Duration {
	if at == nil {
		return 0
	}
	return max(0, at.Sub(w.Now()))
}

// attempt sends the message and records what came of it. The returned time is that of the
// next attempt; nil when there is none.
func (w *Deliver) attempt(ctx context.Context, delivery *errand, jobID int64) (webhook.Outcome, *time.Time, error) {
	sentAt := w.Now().UTC().Truncate(time.Millisecond)
	secrets, err := w.secrets(delivery.endpoint, sentAt)
	if err != nil {
		return webhook.Outcome{}, nil, err
	}
	outcome, err := webhook.Send(ctx, w.Client, webhook.Request{
		At: sentAt, Body: delivery.body, ID: delivery.messageID, Secrets: secrets, URL: delivery.endpoint.url,
	})
	if err != nil {
		return webhook.Outcome{}, nil, err
	}
	if outcome.Cause != nil {
		w.Logger.InfoContext(ctx, "deliver: attempt failed", slog.String("delivery", delivery.id),
			slog.String("endpoint", delivery.endpoint.id), slog.Any("error", outcome.Cause))
	}
	next, err := w.record(tried{errand: delivery, jobID: jobID, sentAt: sentAt, outcome: outcome})
	return outcome, next, err
}

// secrets are the endpoint's own and, for a day after a rotation, the one before it.
func (w *Deliver) secrets(of endpoint, now time.Time) ([]string, error) {
	current, err := w.Vault.Open(of.id, of.secret)
	if err != nil {
		return nil, err
	}
	if of.previousExpiresAt == nil || !now.Before(*of.previousExpiresAt) {
		return []string{current}, nil
	}
	previous, err := w.Vault.Open(of.id, of.previousSecret)
	if err != nil {
		return nil, err
	}
	return []string{current, previous}, nil
}

// enter takes a place at the endpoint for one attempt; leave gives it back and answers how
// many parked deliveries should be sent for. When there is no place in time, the delivery is
// parked and leave is nil: whoever leaves next sends for it.
func (w *Deliver) enter(ctx context.Context, delivery *errand) (leave func(webhook.Outcome) int, err error) {
	if w.lanes.enter(ctx, delivery.endpoint.id) {
		leave, err = w.slot(ctx, delivery.endpoint.id)
		if err != nil || leave != nil {
			return leave, err
		}
	}
	parked, err := w.park(ctx, delivery)
	// The last one may have left between the two steps, and seen nobody waiting.
	if err != nil || !parked || !w.lanes.tryEnter(delivery.endpoint.id) {
		return nil, err
	}
	leave, err = w.slot(ctx, delivery.endpoint.id)
	if err != nil || leave == nil {
		return nil, err
	}
	if taken, err := w.take(ctx, delivery); err != nil || !taken {
		leave(webhook.Outcome{})
		return nil, err
	}
	return leave, nil
}

// slot makes a place of this process one of all processes; nil when others hold them all.
func (w *Deliver) slot(ctx context.Context, endpointID string) (leave func(webhook.Outcome) int, err error) {
	release, taken, err := w.Locks.TrySlot(ctx, "webhook/"+endpointID, attemptsAtOnce)
	if err != nil || !taken {
		w.lanes.yield(endpointID)
		return nil, err
	}
	return func(outcome webhook.Outcome) int {
		release()
		return w.lanes.leave(endpointID, outcome)
	}, nil
}
