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

// findTimeout bounds a question that several runs share.
const findTimeout = 30 * time.Second

// An errand is a delivery with what one attempt needs to know of it.
type errand struct {
	id          string
	workspaceID string
	messageID   string
	body        []byte
	attempts    int
}

// An endpoint is where errands go.
type endpoint struct {
	id           string
	workspaceID  string
	url          string
	disabled     bool
	failed       bool // an attempt, since it was read
	failingSince *time.Time
	sealed       []byte
	earlier      []values.EarlierSecret

	current string   // opened
	opened  []string // each of earlier
}

// A question is how many deliveries at most are wanted of those that are due at an endpoint, without
// those under way.
type question struct {
	endpointID string
	most       int
	without    []string
}

// A batch is an endpoint with deliveries that are due there, the longest due first.
type batch struct {
	to      endpoint
	errands []*errand
}

// findSQL has its arguments in selects, so that their lengths are unknown to the planner whether it plans for these
// or for any: else it planned anew for each, which took longer than to look.
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

// find reads what is due at an endpoint, together with whoever else asks; nil when nothing is.
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
		return nil, fmt.Errorf("find what is due: %w", err)
	}
	if found[q.endpointID] == nil || found[q.endpointID].to.id == "" { // deleted meanwhile
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

// endpointsSQL comes after what is due: what an endpoint is then, goes for all of it.
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

// open opens the secrets of an endpoint.
func (w *Deliver) open(to endpoint) (endpoint, error) {
	var err error
	if to.current, err = w.Vault.Open(to.id, to.sealed); err != nil {
		return to, err //nolint:wrapcheck // it names the endpoint
	}
	for _, s := range to.earlier {
		secret, err := w.Vault.Open(to.id, s.Sealed)
		if err != nil {
			return to, err //nolint:wrapcheck // it names the endpoint
		}
		to.opened = append(to.opened, secret)
	}
	return to, nil
}

// secrets are the endpoint's own and, for a day after its rotation, each one before it.
func (e endpoint) secrets(now time.Time) []string {
	all := []string{e.current}
	for i, s := range e.earlier {
		if now.Before(s.ExpiresAt) {
			all = append(all, e.opened[i])
		}
	}
	return all
}

// cancel ends what is on its way to the endpoint, if it is disabled still.
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
		return fmt.Errorf("cancel what is due: %w", err)
	}
	return nil
}

const spareSQL = `
DELETE FROM river_job WHERE id IN (
  SELECT id FROM river_job WHERE state = 'available' AND queue = $1 AND kind = $2 AND args ->> 'endpointId' = ANY ($3)
  ORDER BY priority DESC, scheduled_at DESC, id DESC LIMIT $4 FOR UPDATE SKIP LOCKED)`

// spareAtOnce keeps the statement short. It begins with the last: whoever looks for a job begins with the first,
// and would walk past those being removed.
const spareAtOnce = 10_000

// spare removes jobs that wait and would find this run at what they are for.
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
		r.Logger.WarnContext(ctx, "deliver: remove jobs that are not needed", "error", err)
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
