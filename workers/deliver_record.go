package workers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/queue"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
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

// record writes the attempt and what follows from it, and answers when the next one is due;
// nil means never. It does so even when the program is about to stop. The endpoint is changed
// before the delivery, in the order of those who disable it.
func (w *Deliver) record(
	ctx context.Context, made *ent.WebhookDelivery, jobID int64, sentAt time.Time, outcome webhook.Outcome,
) (*time.Time, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	now := w.Now().UTC().Truncate(time.Millisecond)

	next, err := store.Write(auth.AsWorkspace(ctx, made.WorkspaceID), w.Store, func(ctx context.Context) (*time.Time, error) {
		c := w.Store.Client(ctx)
		if err := judge(ctx, c, made.Edges.Endpoint, now, outcome); err != nil {
			return nil, err
		}
		delivery, err := c.WebhookDelivery.Query().Where(webhookdelivery.ID(made.ID)).ForUpdate().Only(ctx)
		switch {
		case ent.IsNotFound(err):
			return nil, nil //nolint:nilnil // the endpoint was deleted meanwhile, so there is no next time
		case err != nil:
			return nil, fmt.Errorf("lock delivery: %w", err)
		}
		next := w.next(delivery, now, outcome)
		if err := writeAttempt(ctx, c, delivery, sentAt, next, outcome); err != nil {
			return nil, err
		}
		if err := w.Store.Notify(ctx, jobs.EndpointTopic(delivery.EndpointID)); err != nil {
			return nil, err
		}
		if err := settle(ctx, c, delivery, next, outcome); err != nil || next == nil {
			return nil, err
		}
		return next, w.Store.WithTx(ctx, func(tx *sql.Tx) error { return queue.Behind(ctx, tx, jobID) })
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	return next, nil
}

// next is when the delivery is tried again; nil when it is not, because it succeeded, was
// tried often enough, or was canceled meanwhile.
func (w *Deliver) next(delivery *ent.WebhookDelivery, now time.Time, outcome webhook.Outcome) *time.Time {
	delay, again := webhook.Next(delivery.Attempts+1, outcome, w.Random)
	if !again || delivery.Status != domain.DeliveryStatusPending {
		return nil
	}
	at := now.Add(delay).Truncate(time.Millisecond)
	return &at
}

// judge keeps since when the endpoint does nothing but fail, and disables it when that has
// lasted too long.
func judge(ctx context.Context, c *ent.Client, endpoint *ent.WebhookEndpoint, now time.Time, outcome webhook.Outcome) error {
	id := webhookendpoint.ID(endpoint.ID)
	var err error
	switch {
	case outcome.Succeeded() && endpoint.FailingSince != nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceNotNil()).ClearFailingSince().Exec(ctx)
	case outcome.Succeeded():
	case endpoint.FailingSince == nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceIsNil()).SetFailingSince(now).Exec(ctx)
	case !now.Before(endpoint.FailingSince.Add(patience)):
		var disabled int
		disabled, err = c.WebhookEndpoint.Update().
			Where(id, webhookendpoint.Disabled(false), webhookendpoint.FailingSinceLTE(now.Add(-patience))).
			ClearFailingSince().SetDisabled(true).SetDisabledReason(disabledReason).SetUpdatedAt(now).
			Save(ctx)
		if err == nil && disabled > 0 {
			return jobs.CancelDeliveries(ctx, c, endpoint.ID)
		}
	}
	if err != nil {
		return fmt.Errorf("update endpoint: %w", err)
	}
	return nil
}

func writeAttempt(
	ctx context.Context, c *ent.Client, delivery *ent.WebhookDelivery, sentAt time.Time, next *time.Time, outcome webhook.Outcome,
) error {
	attempt := c.WebhookAttempt.Create().
		SetAttempt(delivery.Attempts + 1).
		SetDelivery(delivery).
		SetDurationMs(outcome.Duration.Milliseconds()).
		SetNillableNextAttemptAt(next).
		SetResponseBody(outcome.Body).
		SetSentAt(sentAt).
		SetStatus(domain.AttemptStatusSucceeded).
		SetWorkspaceID(delivery.WorkspaceID)
	if !outcome.Succeeded() {
		attempt.SetError(outcome.Fault).SetStatus(domain.AttemptStatusFailed)
	}
	if outcome.Status != 0 {
		attempt.SetResponseStatus(outcome.Status)
	}
	if err := attempt.Exec(ctx); err != nil {
		return fmt.Errorf("write attempt: %w", err)
	}
	return nil
}

// settle moves the delivery on. One that was canceled while its attempt was under way stays
// canceled, unless the message did arrive.
func settle(ctx context.Context, c *ent.Client, delivery *ent.WebhookDelivery, next *time.Time, outcome webhook.Outcome) error {
	update := c.WebhookDelivery.Update().Where(webhookdelivery.ID(delivery.ID)).AddAttempts(1)
	switch {
	case next != nil:
		update.SetNextAttemptAt(*next)
	case outcome.Succeeded():
		update.ClearNextAttemptAt().SetStatus(domain.DeliveryStatusSucceeded)
	case delivery.Status == domain.DeliveryStatusPending:
		update.ClearNextAttemptAt().SetStatus(domain.DeliveryStatusFailed)
	}
	if err := update.Exec(ctx); err != nil {
		return fmt.Errorf("update delivery: %w", err)
	}
	return nil
}
