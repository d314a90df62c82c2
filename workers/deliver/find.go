package deliver

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// findTimeout limits a query that several runs share.
const findTimeout = 30 * time.Second

// An errand is a delivery and what an attempt needs to know about it.
type errand struct {
	id          string
	workspaceID string
	messageID   string
	body        []byte
	attempts    int
}

// An endpoint is where errands are sent.
type endpoint struct {
	id           string
	workspaceID  string
	url          string
	disabled     bool
	failed       bool // whether an attempt has failed since it was read
	failingSince *time.Time
	sealed       []byte
	earlier      []values.EarlierSecret

	current string   // decrypted
	opened  []string // the earlier secrets, decrypted
}

// A question asks for at most so many due deliveries of an endpoint, without those in progress.
type question struct {
	endpointID string
	most       int
	without    []string
}

// A batch is an endpoint and its due deliveries, the longest due first.
type batch struct {
	to      endpoint
	errands []*errand
}

// findSQL puts its arguments into selects to hide their lengths from the planner, so that Postgres reuses one plan.
// Planning each query took longer than running it.
const findSQL = `
SELECT d.endpoint_id, d.id, d.workspace_id, d.message_id, d.attempts, m.body
FROM unnest((SELECT $1::text[]), (SELECT $2::bigint[]), (SELECT $3::text[])) AS q(endpoint_id, most, without)
CROSS JOIN LATERAL (
  SELECT d.id, d.endpoint_id, d.workspace_id, d.message_id, d.attempts, d.next_attempt_at FROM webhook_deliveries d
  WHERE d.endpoint_id = q.endpoint_id AND d.status = 'pending' AND d.next_attempt_at IS NOT NULL AND d.next_attempt_at <= $4
    AND d.id <> ALL (string_to_array(q.without, ' '))
  ORDER BY d.next_attempt_at LIMIT q.most) d
JOIN webhook_messages m ON m.id = d.message_id
ORDER BY d.next_attempt_at`

// find returns the due deliveries of an endpoint, or nil if there are none. Calls at the same time share one query.
func (w *Deliver) find(ctx context.Context, q question) (*batch, error) {
	_, found, err := w.finds.Join(roundOf(q.endpointID), q, func(asked []question) (map[string]*batch, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
		defer cancel()

		endpoints, most, without := make([]string, len(asked)), make([]int64, len(asked)), make([]string, len(asked))
		for i, q := range asked {
			endpoints[i], most[i], without[i] = q.endpointID, int64(q.most), strings.Join(q.without, " ")
		}

		all := make(map[string]*batch, len(asked))

		err := w.Store.Query(ctx, func(rows *sql.Rows) error { return scanErrand(rows, all) },
			findSQL, pq.Array(endpoints), pq.Array(most), pq.Array(without), w.Now())
		if err != nil || len(all) == 0 {
			return nil, err
		}

		return all, w.Store.Query(ctx, func(rows *sql.Rows) error { return scanEndpoint(rows, all) },
			endpointsSQL, pq.Array(sortedKeys(all)))
	})
	if err != nil {
		return nil, fmt.Errorf("find due deliveries: %w", err)
	}

	if found[q.endpointID] == nil || found[q.endpointID].to.id == "" { // the endpoint was deleted meanwhile
		return nil, nil //nolint:nilnil // nothing is due
	}

	return found[q.endpointID], nil
}

func scanErrand(rows *sql.Rows, all map[string]*batch) error {
	var endpointID string

	e := &errand{}
	if err := rows.Scan(&endpointID, &e.id, &e.workspaceID, &e.messageID, &e.attempts, &e.body); err != nil {
		return err //nolint:wrapcheck // find says what was attempted
	}

	if all[endpointID] == nil {
		all[endpointID] = &batch{}
	}

	all[endpointID].errands = append(all[endpointID].errands, e)

	return nil
}

// endpointsSQL runs after findSQL, so that all found deliveries use the endpoint's newest state.
const endpointsSQL = `
SELECT id, workspace_id, url, disabled, failing_since, secret_sealed, earlier_secrets, previous_secret_sealed, previous_expires_at
FROM webhook_endpoints WHERE id = ANY ((SELECT $1::text[])::text[])`

func scanEndpoint(rows *sql.Rows, all map[string]*batch) error {
	var (
		to      endpoint
		earlier []byte
		sealed  []byte
		expires *time.Time
	)

	err := rows.Scan(&to.id, &to.workspaceID, &to.url, &to.disabled, &to.failingSince, &to.sealed, &earlier, &sealed, &expires)
	if err != nil {
		return err //nolint:wrapcheck // find says what was attempted
	}

	if earlier != nil {
		if err := json.Unmarshal(earlier, &to.earlier); err != nil {
			return fmt.Errorf("read the earlier secrets of %s: %w", to.id, err)
		}
	}

	var latest *values.EarlierSecret
	if expires != nil {
		latest = &values.EarlierSecret{Sealed: sealed, ExpiresAt: *expires}
	}

	to.earlier = webhook.Earlier(to.earlier, latest, time.Time{})
	all[to.id].to = to

	return nil
}

// open decrypts the secrets of an endpoint.
func (w *Deliver) open(to endpoint) (endpoint, error) {
	var err error
	if to.current, err = w.Vault.Open(to.id, to.sealed); err != nil {
		return to, err //nolint:wrapcheck // the error names the endpoint
	}

	for _, s := range to.earlier {
		secret, err := w.Vault.Open(to.id, s.Sealed)
		if err != nil {
			return to, err //nolint:wrapcheck // the error names the endpoint
		}

		to.opened = append(to.opened, secret)
	}

	return to, nil
}

// secrets returns the current secret, and each earlier one until a day after its rotation.
func (e endpoint) secrets(now time.Time) []string {
	all := []string{e.current}
	for i, s := range e.earlier {
		if now.Before(s.ExpiresAt) {
			all = append(all, e.opened[i])
		}
	}

	return all
}

// cancel cancels the pending deliveries to the endpoint, if it is still disabled.
func (r *run) cancel(ctx context.Context) error {
	err := r.Store.InTx(ctx, func(ctx context.Context) error {
		c := r.Store.Client(ctx)

		disabled, err := c.WebhookEndpoint.Query().
			Where(webhookendpoint.ID(r.endpointID), webhookendpoint.Disabled(true)).ForUpdate().Exist(ctx)
		if err != nil || !disabled {
			return err
		}

		return jobs.CancelDeliveries(ctx, c, r.endpointID)
	})
	if err != nil {
		return fmt.Errorf("cancel pending deliveries: %w", err)
	}

	return nil
}

const spareSQL = `
DELETE FROM river_job WHERE id IN (
  SELECT id FROM river_job WHERE state = 'available' AND queue = $1 AND kind = $2 AND args ->> 'endpointId' = ANY ($3)
  ORDER BY priority DESC, scheduled_at DESC, id DESC LIMIT $4 FOR UPDATE SKIP LOCKED)`

// spareAtOnce limits the jobs that one statement removes. It starts with the newest, because workers fetch the oldest
// first and would have to skip those being removed.
const spareAtOnce = 10_000

// spare removes waiting jobs whose work this run already does.
func (r *run) spare(ctx context.Context) {
	_, _, err := r.spares.Join("", r.endpointID, func(endpoints []string) (struct{}, error) {
		ctx, cancel := context.WithTimeout(auth.AsSystem(context.WithoutCancel(ctx)), findTimeout)
		defer cancel()

		for {
			removed, err := r.spareSome(ctx, endpoints)
			if err != nil || removed < spareAtOnce {
				return struct{}{}, err
			}
		}
	})
	if err != nil {
		r.Logger.WarnContext(ctx, "deliver: cannot remove redundant jobs", "error", err)
	}
}

func (r *run) spareSome(ctx context.Context, endpoints []string) (removed int64, err error) {
	err = r.Store.InTx(ctx, func(ctx context.Context) error {
		return r.Store.WithTx(ctx, func(tx *sql.Tx) error {
			done, err := tx.ExecContext(ctx, spareSQL, jobs.QueueWebhook, jobs.Deliver{}.Kind(), pq.Array(endpoints), spareAtOnce)
			if err != nil {
				return err
			}

			removed, err = done.RowsAffected()

			return err
		})
	})

	return removed, err
}
