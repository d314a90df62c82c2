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
	"github.com/reelgraph/reelgraph/workers/media"
)

const (
	// patience is how long an endpoint may do nothing but fail before it is disabled.
	patience       = 5 * 24 * time.Hour
	disabledReason = "Nothing could be delivered for 5 days."

	recordTimeout = 30 * time.Second
)

// errUnrecorded is wrapped when a message was sent and the attempt could not be written down:
// it will be sent again.
var errUnrecorded = errors.New("an attempt was made and could not be recorded")

// tried is an attempt that nobody has written down yet.
type tried struct {
	*errand

	attemptID string
	endpoint  endpoint
	sentAt    time.Time
	outcome   webhook.Outcome
}

// record writes the attempt and what follows from it. It does so even when the program is about to
// stop. Attempts that end while others are being written are written together: one transaction for all
// of them, however many.
func (w *Deliver) record(m tried) error {
	m.attemptID = ids.New(ids.Attempt)
	if _, _, err := w.records.Join(roundOf(m.endpoint.id), m, w.recordAll); err != nil {
		return fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	return nil
}

// recordAll writes attempts together; if that fails, each by itself, so that what is wrong with one of
// them is nobody else's trouble. The connection may have broken when they were written already.
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

// writeEach writes each attempt that is not written yet by itself.
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

// write changes the endpoints before the deliveries, in the order of those who disable one. When no
// endpoint changes, a single statement does it all and needs no transaction around it.
func (w *Deliver) write(ctx context.Context, all []tried) error {
	now := w.Now().UTC().Truncate(time.Millisecond)
	slices.SortFunc(all, func(a, b tried) int { return strings.Compare(a.id, b.id) })
	var attempts attemptRows
	for _, m := range all {
		attempts.add(m, w.next(m, now))
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

// decides says whether the attempt changes what is known of its endpoint: a success after failures, the first
// failure, and the one after which it is disabled.
func (m tried) decides(now time.Time) bool {
	since := m.endpoint.failingSince
	if m.outcome.Succeeded() {
		return m.endpoint.failed || since != nil
	}
	return since == nil || !now.Before(since.Add(patience))
}

// next is when the delivery is tried again if it has not been canceled meanwhile; nil when it is not,
// because it succeeded or was tried often enough.
func (w *Deliver) next(m tried, now time.Time) *time.Time {
	delay, again := webhook.Next(m.attempts+1, m.outcome, w.Random)
	if !again {
		return nil
	}
	at := now.Add(delay).Truncate(time.Millisecond)
	return &at
}

// judgeAll keeps, of each endpoint for which something has changed, since when it does nothing but
// fail. Of several outcomes a success decides. Endpoints are locked in order.
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

// judge keeps since when the endpoint does nothing but fail, and disables it when that has
// lasted too long by a clock that can be trusted.
func (w *Deliver) judge(ctx context.Context, of endpoint, now time.Time, outcome webhook.Outcome) error {
	c, id := w.Store.Client(ctx), webhookendpoint.ID(of.id)
	var err error
	switch {
	case outcome.Succeeded() && (of.failed || of.failingSince != nil):
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceNotNil()).ClearFailingSince().Exec(ctx)
	case outcome.Succeeded():
	case of.failingSince == nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceIsNil()).SetFailingSince(now).Exec(ctx)
	case !now.Before(of.failingSince.Add(patience)):
		if err := media.AgreeOnTime(ctx, w.Store); err != nil { // the attempt is noted all the same
			w.Logger.ErrorContext(ctx, "webhook: an endpoint stays enabled", slog.String("endpoint", of.id), slog.Any("error", err))
			return nil
		}
		var disabled int
		disabled, err = c.WebhookEndpoint.Update().
			Where(id, webhookendpoint.Disabled(false), webhookendpoint.FailingSinceLTE(now.Add(-patience))).
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
