package workers

import (
	"context"
	"database/sql"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/domain"
)

// findTimeout bounds a question that several deliveries share.
const findTimeout = 30 * time.Second

// An errand is a delivery with what one attempt needs to know of it.
type errand struct {
	id            string
	workspaceID   string
	messageID     string
	body          []byte
	status        domain.DeliveryStatus
	attempts      int
	nextAttemptAt *time.Time
	endpoint      endpoint
}

// An endpoint is where an errand goes.
type endpoint struct {
	id                string
	url               string
	disabled          bool
	failingSince      *time.Time
	secret            []byte // sealed
	previousSecret    []byte // sealed
	previousExpiresAt *time.Time
}

const findSQL = `
SELECT d.id, d.workspace_id, d.message_id, m.body, d.status, d.attempts, d.next_attempt_at,
  e.id, e.url, e.disabled, e.failing_since, e.secret_sealed, e.previous_secret_sealed, e.previous_expires_at
FROM webhook_deliveries d
JOIN webhook_messages m ON m.id = d.message_id
JOIN webhook_endpoints e ON e.id = d.endpoint_id
WHERE d.id = ANY ($1)`

// find reads a delivery, together with whoever else asks for one; nil when there is none.
func (w *Deliver) find(ctx context.Context, id string) (*errand, error) {
	_, found, err := w.finds.Join("", id, func(ids []string) (map[string]*errand, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
		defer cancel()
		all := make(map[string]*errand, len(ids))
		err := w.Store.Query(ctx, func(rows *sql.Rows) error {
			e := &errand{}
			to := &e.endpoint
			err := rows.Scan(&e.id, &e.workspaceID, &e.messageID, &e.body, &e.status, &e.attempts, &e.nextAttemptAt,
				&to.id, &to.url, &to.disabled, &to.failingSince, &to.secret, &to.previousSecret, &to.previousExpiresAt)
			all[e.id] = e
			return err
		}, findSQL, pq.Array(ids))
		return all, err
	})
	return found[id], err
}
