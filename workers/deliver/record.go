package deliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

const (
	// disableAfter is how long an endpoint may fail continuously before it is disabled.
	disableAfter   = 5 * 24 * time.Hour
	disabledReason = "All deliveries failed for 5 days."

	recordTimeout = 30 * time.Second
)

// errUnrecorded means that a message was sent but the attempt could not be stored. The message will be sent again.
var errUnrecorded = errors.New("an attempt was made but could not be stored")

// tried is an attempt that is not stored yet.
type tried struct {
	*errand

	attemptID string
	endpoint  endpoint
	sentAt    time.Time
	outcome   webhook.Outcome
}

// record stores the attempt and its consequences, even while the program shuts down. Attempts that end while others
// are being stored go together into the next transaction.
func (w *Deliver) record(m tried) error {
	m.attemptID = ids.New(ids.Attempt)
	if _, _, err := w.records.Join(roundOf(m.endpoint.id), m, w.recordAll); err != nil {
		return fmt.Errorf("%w: %w", errUnrecorded, err)
	}

	return nil
}

// recordAll stores attempts together. If that fails, it stores each by itself, so that one bad attempt does not
// affect the others. If the connection broke after the commit, some may be stored already.
func (w *Deliver) recordAll(all []tried) (struct{}, error) {
	ctx, cancel := context.WithTimeout(auth.AsSystem(context.Background()), recordTimeout)
	defer cancel()

	err := w.write(ctx, all)
	if err != nil && len(all) > 1 {
		err = w.writeEach(ctx, all)
	}

	if err != nil {
		return struct{}{}, err
	}

	w.watchers.tell(all)

	return struct{}{}, nil
}

// writeEach stores each missing attempt by itself.
func (w *Deliver) writeEach(ctx context.Context, all []tried) error {
	written, err := writtenAttempts(ctx, w.Store, all)
	if err != nil {
		return err
	}

	for _, m := range all {
		if !written[m.attemptID] {
			err = errors.Join(err, w.write(ctx, []tried{m}))
		}
	}

	return err
}

// write updates the endpoints before the deliveries, in the same order as disabling an endpoint does. If no endpoint
// changes, one statement is enough and no transaction is needed.
func (w *Deliver) write(ctx context.Context, all []tried) error {
	now := w.Now().UTC().Truncate(time.Millisecond)

	slices.SortFunc(all, func(a, b tried) int { return strings.Compare(a.id, b.id) })

	var attempts attemptRows
	for _, m := range all {
		attempts.add(m, w.retryAt(m, now))
	}

	if !slices.ContainsFunc(all, func(m tried) bool { return m.decides(now) }) {
		return attempts.write(ctx, w.Store, now)
	}

	return w.Store.InTx(ctx, func(ctx context.Context) error {
		if err := w.judgeAll(ctx, all, now); err != nil {
			return err
		}

		return attempts.write(ctx, w.Store, now)
	})
}

// decides reports whether the attempt changes the state of its endpoint: a success after failures, the first failure,
// or the failure that disables it.
func (m tried) decides(now time.Time) bool {
	since := m.endpoint.failingSince
	if m.outcome.Succeeded() {
		return m.endpoint.failed || since != nil
	}

	return since == nil || !now.Before(since.Add(disableAfter))
}

// retryAt returns when the delivery is retried unless it is canceled. It returns nil if the attempt succeeded or was the
// last one.
func (w *Deliver) retryAt(m tried, now time.Time) *time.Time {
	delay, again := webhook.Next(m.attempts+1, m.outcome, w.Random)
	if !again {
		return nil
	}

	at := now.Add(delay).Truncate(time.Millisecond)

	return &at
}

// judgeAll updates since when each changed endpoint has been failing. If one of several outcomes is a success, the
// endpoint works. Endpoints are locked in order.
func (w *Deliver) judgeAll(ctx context.Context, all []tried, now time.Time) error {
	decisive := map[string]tried{}
	for _, m := range all {
		if known, seen := decisive[m.endpoint.id]; !seen || !known.outcome.Succeeded() {
			decisive[m.endpoint.id] = m
		}
	}

	for _, id := range sortedKeys(decisive) {
		if err := w.judge(ctx, decisive[id].endpoint, now, decisive[id].outcome); err != nil {
			return err
		}
	}

	return nil
}

// judge updates since when the endpoint has been failing, and disables it when that has lasted too long by a trusted
// clock.
func (w *Deliver) judge(ctx context.Context, of endpoint, now time.Time, outcome webhook.Outcome) error {
	c, id := w.Store.Client(ctx), webhookendpoint.ID(of.id)

	var err error

	switch {
	case outcome.Succeeded() && (of.failed || of.failingSince != nil):
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceNotNil()).ClearFailingSince().Exec(ctx)
	case outcome.Succeeded():
	case of.failingSince == nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceIsNil()).SetFailingSince(now).Exec(ctx)
	case !now.Before(of.failingSince.Add(disableAfter)):
		if err := w.Store.CheckClock(ctx); err != nil { // the attempt is stored even if the clock is wrong
			w.Logger.ErrorContext(ctx, "webhook: cannot verify that the server clock is correct; endpoint not disabled",
				slog.String("endpoint", of.id), slog.Any("error", err))

			return nil
		}

		var disabled int

		disabled, err = c.WebhookEndpoint.Update().
			Where(id, webhookendpoint.Disabled(false), webhookendpoint.FailingSinceLTE(now.Add(-disableAfter))).
			ClearFailingSince().SetDisabled(true).SetDisabledReason(disabledReason).SetUpdatedAt(now).
			Save(ctx)
		if err == nil && disabled > 0 {
			return jobs.CancelDeliveries(ctx, c, of.id)
		}
	}

	if err != nil {
		return fmt.Errorf("update endpoint: %w", err)
	}

	return nil
}
