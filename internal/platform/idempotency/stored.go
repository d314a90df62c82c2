package idempotency

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// find returns the stored response of a finished request, ready to be sent again.
func (k *Keys) find(ctx context.Context, conn *sql.Conn, id identity) (Answer, bool, error) {
	var (
		answer              Answer
		fingerprint, header []byte
	)

	err := conn.QueryRowContext(ctx,
		`SELECT fingerprint, status, header, body, encrypted FROM idempotency_keys WHERE scope = $1 AND expires_at > now()`,
		id.scope).Scan(&fingerprint, &answer.Status, &header, &answer.Body, &answer.Secret)

	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Answer{}, false, nil
	case err != nil:
		return Answer{}, false, fault.Unavailable(time.Second).Because(fmt.Errorf("look up an idempotency key: %w", err))
	case !bytes.Equal(fingerprint, id.fingerprint):
		return Answer{}, false, fault.BadRequest(
			"This Idempotency-Key was already used for a request with another query, content type or body. Use a new key.")
	}

	if err := json.Unmarshal(header, &answer.Header); err != nil {
		return Answer{}, false, fmt.Errorf("read a stored answer's header: %w", err)
	}

	if answer.Header == nil {
		answer.Header = map[string]string{}
	}

	answer.Header[ReplayedHeader] = "true"

	if answer.Secret {
		if answer.Body, err = k.o.Box.Open(answer.Body, id.scope); err != nil {
			return Answer{}, false, fmt.Errorf("open a stored answer: %w", err)
		}
	}

	return answer, true, nil
}

const keepSQL = `
INSERT INTO idempotency_keys
  (id, workspace_id, user_id, scope, fingerprint, status, header, body, encrypted, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, date_trunc('milliseconds', now()), now() + $10 * interval '1 second')
ON CONFLICT (scope) DO UPDATE SET
  id = excluded.id, fingerprint = excluded.fingerprint, status = excluded.status, header = excluded.header,
  body = excluded.body, encrypted = excluded.encrypted, created_at = excluded.created_at, expires_at = excluded.expires_at
WHERE idempotency_keys.expires_at <= now()`

// keep writes the response into the open transaction. It replaces an expired response. If another response is stored,
// it returns errTaken.
func (k *Keys) keep(ctx context.Context, id identity, a Answer) error {
	header, err := json.Marshal(a.Header)
	if err != nil {
		return fmt.Errorf("encode an answer's header: %w", err)
	}

	body := append([]byte{}, a.Body...) // never NULL
	if a.Secret {
		body = k.o.Box.Seal(body, id.scope)
	}

	return k.o.Store.InTx(ctx, func(ctx context.Context) error {
		return k.o.Store.WithTx(ctx, func(tx *sql.Tx) error {
			done, err := tx.ExecContext(ctx, keepSQL, ids.New(ids.IdempotencyKey), id.viewer.WorkspaceID, id.viewer.UserID,
				id.scope, id.fingerprint, a.Status, string(header), body, a.Secret, int(kept.Seconds()))
			if err != nil {
				return fmt.Errorf("store an answer: %w", err)
			}

			if rows, err := done.RowsAffected(); err != nil || rows == 0 {
				return errors.Join(errTaken, err)
			}

			return nil
		})
	})
}
