package workers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/queue"
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

// tried is an attempt that nobody has written down yet.
type tried struct {
	*errand

	jobID   int64
	sentAt  time.Time
	outcome webhook.Outcome
}

// record writes the attempt and what follows from it, and answers when the next one is due;
// nil means never. It does so even when the program is about to stop. Attempts that end while
// others are being written are written together: one transaction for all of them, however many.
func (w *Deliver) record(m tried) (*time.Time, error) {
	_, next, err := w.records.Join("", m, w.recordAll)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	return next[m.errand], nil
}

// recordAll writes attempts in one transaction; if that fails, each in its own, so that what is
// wrong with one of them is nobody else's trouble.
func (w *Deliver) recordAll(all []tried) (map[*errand]*time.Time, error) {
	ctx, cancel := context.WithTimeout(auth.AsSystem(context.Background()), recordTimeout)
	defer cancel()

	next := make(map[*errand]*time.Time, len(all))
	write := func(some []tried) error {
		return w.Store.InTx(ctx, func(ctx context.Context) error { return w.write(ctx, some, next) })
	}
	err := write(all)
	if err != nil && len(all) > 1 {
		err = nil
		for _, m := range all {
			err = errors.Join(err, write([]tried{m}))
		}
	}
	if err != nil {
		return nil, err
	}
	w.announce(ctx, all)
	return next, nil
}

// announce wakes whoever watches the endpoints. It is no part of the transaction: commits that
// notify wait for each other.
func (w *Deliver) announce(ctx context.Context, all []tried) {
	topics := make([]string, len(all))
	for i, m := range all {
		topics[i] = jobs.EndpointTopic(m.endpoint.id)
	}
	slices.Sort(topics)
	if err := w.Store.Announce(ctx, slices.Compact(topics)...); err != nil {
		w.Logger.WarnContext(ctx, "deliver: tell of attempts", slog.Any("error", err))
	}
}

// write changes the endpoints before the deliveries, in the order of those who disable one.
func (w *Deliver) write(ctx context.Context, all []tried, next map[*errand]*time.Time) error {
	now := w.Now().UTC().Truncate(time.Millisecond)
	if err := judgeAll(ctx, w.Store.Client(ctx), all, now); err != nil {
		return err
	}
	return w.Store.WithTx(ctx, func(tx *sql.Tx) error {
		states, err := lockStates(ctx, tx, all)
		if err != nil {
			return err
		}
		var attempts attemptRows
		var again []int64
		for _, m := range all {
			state, there := states[m.id]
			if !there {
				continue // the endpoint was deleted meanwhile, so there is no next time
			}
			at := w.next(state, now, m.outcome)
			next[m.errand] = at
			attempts.add(m, state.attempts+1, at, now)
			state.settle(at, m.outcome)
			if at != nil {
				again = append(again, m.jobID)
			}
		}
		if err := attempts.insert(ctx, tx); err != nil {
			return err
		}
		if err := saveStates(ctx, tx, states, now); err != nil {
			return err
		}
		return queue.Behind(ctx, tx, again...)
	})
}

// judgeAll keeps, of each endpoint for which something has changed, since when it does nothing but
// fail. Of several outcomes a success decides. Endpoints are locked in order.
func judgeAll(ctx context.Context, c *ent.Client, all []tried, now time.Time) error {
	decisive := map[string]tried{}
	for _, m := range all {
		if known, seen := decisive[m.endpoint.id]; !seen || !known.outcome.Succeeded() {
			decisive[m.endpoint.id] = m
		}
	}
	for _, id := range sortedKeys(decisive) {
		if err := judge(ctx, c, decisive[id].endpoint, now, decisive[id].outcome); err != nil {
			return err
		}
	}
	return nil
}

// judge keeps since when the endpoint does nothing but fail, and disables it when that has
// lasted too long.
func judge(ctx context.Context, c *ent.Client, of endpoint, now time.Time, outcome webhook.Outcome) error {
	id := webhookendpoint.ID(of.id)
	var err error
	switch {
	case outcome.Succeeded() && of.failingSince != nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceNotNil()).ClearFailingSince().Exec(ctx)
	case outcome.Succeeded():
	case of.failingSince == nil:
		err = c.WebhookEndpoint.Update().Where(id, webhookendpoint.FailingSinceIsNil()).SetFailingSince(now).Exec(ctx)
	case !now.Before(of.failingSince.Add(patience)):
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

// next is when the delivery is tried again; nil when it is not, because it succeeded, was
// tried often enough, or was canceled meanwhile.
func (w *Deliver) next(s *state, now time.Time, outcome webhook.Outcome) *time.Time {
	delay, again := webhook.Next(s.attempts+1, outcome, w.Random)
	if !again || s.status != domain.DeliveryStatusPending {
		return nil
	}
	at := now.Add(delay).Truncate(time.Millisecond)
	return &at
}

// state is what attempts change of a delivery.
type state struct {
	status        domain.DeliveryStatus
	attempts      int
	nextAttemptAt *time.Time
}

// settle moves the delivery on. One that was canceled while its attempt was under way stays
// canceled, unless the message did arrive.
func (s *state) settle(next *time.Time, outcome webhook.Outcome) {
	s.attempts++
	switch {
	case next != nil:
		s.nextAttemptAt = next
	case outcome.Succeeded():
		s.status, s.nextAttemptAt = domain.DeliveryStatusSucceeded, nil
	case s.status == domain.DeliveryStatusPending:
		s.status, s.nextAttemptAt = domain.DeliveryStatusFailed, nil
	}
}

// lockStates reads the deliveries and keeps everybody else from changing them.
func lockStates(ctx context.Context, tx *sql.Tx, all []tried) (map[string]*state, error) {
	named := make([]string, len(all))
	for i, m := range all {
		named[i] = m.id
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, status, attempts, next_attempt_at
		FROM webhook_deliveries WHERE id = ANY ($1) ORDER BY id FOR UPDATE`, pq.Array(named))
	if err != nil {
		return nil, fmt.Errorf("lock deliveries: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	states := make(map[string]*state, len(all))
	for rows.Next() {
		var id string
		s := &state{}
		if err := rows.Scan(&id, &s.status, &s.attempts, &s.nextAttemptAt); err != nil {
			return nil, fmt.Errorf("lock deliveries: %w", err)
		}
		states[id] = s
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("lock deliveries: %w", err)
	}
	return states, nil
}

const saveStatesSQL = `
UPDATE webhook_deliveries d SET status = s.status, attempts = s.attempts, next_attempt_at = s.next, updated_at = $5
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) AS s(id, status, attempts, next) WHERE d.id = s.id`

func saveStates(ctx context.Context, tx *sql.Tx, states map[string]*state, now time.Time) error {
	named := sortedKeys(states)
	statuses, attempts := make([]string, len(named)), make([]int64, len(named))
	next := make([]sql.NullTime, len(named))
	for i, id := range named {
		s := states[id]
		statuses[i], attempts[i] = string(s.status), int64(s.attempts)
		next[i] = nullTime(s.nextAttemptAt)
	}
	_, err := tx.ExecContext(ctx, saveStatesSQL, pq.Array(named), pq.Array(statuses), pq.Array(attempts), pq.Array(next), now)
	if err != nil {
		return fmt.Errorf("update deliveries: %w", err)
	}
	return nil
}

func nullTime(t *time.Time) sql.NullTime {
	if t == nil {
		return sql.NullTime{}
	}
	return sql.NullTime{Time: *t, Valid: true}
}
