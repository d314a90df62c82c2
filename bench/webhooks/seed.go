package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// idSQL returns the SQL of a row's id by number.
func idSQL(kind, n string) string { return "'" + kind + "_' || lpad((" + n + ")::text, 26, '0')" }

func id(kind string, n int) string { return fmt.Sprintf("%s_%026d", kind, n) }

// seed creates a workspace with a user, a playlist and an endpoint for each receiver.
func (b *bench) seed(ctx context.Context) error {
	vault, err := webhook.NewVault([]byte(secret))
	if err != nil {
		return err
	}

	rows := []string{
		`INSERT INTO workspaces (id, created_at, updated_at, name)
			SELECT ` + idSQL("ws", "n") + `, current_timestamp, now(), 'Workspace' FROM generate_series(0, $1::int - 1) n`,
		`INSERT INTO users (id, created_at, updated_at, email, name)
			SELECT ` + idSQL("usr", "n") + `, current_timestamp, now(), 'user' || n || '@example.test', 'User'
			FROM generate_series(0, $1::int - 1) n`,
		`INSERT INTO memberships (id, created_at, updated_at, role, user_id, workspace_id)
			SELECT ` + idSQL("mem", "n") + `, current_timestamp, now(), 'owner', ` + idSQL("usr", "n") + `, ` + idSQL("ws", "n") + `
			FROM generate_series(0, $1::int - 1) n`,
		`INSERT INTO playlists (id, created_at, updated_at, workspace_id, user_id, name, visibility)
			SELECT ` + idSQL("pl", "n") + `, current_timestamp, now(), ` + idSQL("ws", "n") + `, ` + idSQL("usr", "n") + `, 'Playlist', 'org'
			FROM generate_series(0, $1::int - 1) n`,
	}
	for _, row := range rows {
		if _, err := b.store.DB.ExecContext(ctx, row, endpoints); err != nil {
			return fmt.Errorf("seed (%.40s): %w", row, err)
		}
	}

	for n, e := range b.receivers.all {
		_, err := b.store.DB.ExecContext(ctx, `INSERT INTO webhook_endpoints
			(id, created_at, updated_at, workspace_id, user_id, url, secret_sealed) VALUES ($1, current_timestamp, now(), $2, $3, $4, $5)`,
			id("ep", n), id("ws", n), id("usr", n), e.url, vault.Seal(id("ep", n), webhook.NewSecret()))
		if err != nil {
			return fmt.Errorf("seed endpoints: %w", err)
		}
	}

	return nil
}

// body returns the SQL of an event's body.
func body(n string) string {
	return `'{"type":"playlist.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"playlistId":"' || ` + idSQL("pl", n+" % $2") +
		` || '","playlistName":"Playlist","timestamp":"2026-01-01T00:00:00.000Z"}}'`
}

// beforeLate is how many events of a burst get their own job. jobs.Publish creates no job for an endpoint where a
// delivery has been due for a second, and publishing this many takes far longer.
const beforeLate = 10_000

// queue writes events for the first endpoints, with deliveries and jobs like jobs.Publish but all in bulk. first is the
// number of the first event.
func (b *bench) queue(ctx context.Context, first, events, of int) error {
	n := "(n + $3::int)"

	rows := []string{
		`INSERT INTO webhook_messages (id, created_at, workspace_id, event_type, body, occurred_at)
			SELECT ` + idSQL("msg", n) + `, now(), ` + idSQL("ws", n+" % $2") + `, 'playlist.created', ` + body(n) + `, now()
			FROM generate_series(0, $1::int - 1) n`,
		`INSERT INTO webhook_deliveries (id, created_at, updated_at, workspace_id, message_id, endpoint_id, next_attempt_at)
			SELECT ` + idSQL("dlv", n) + `, current_timestamp, now(), ` + idSQL("ws", n+" % $2") + `, ` + idSQL("msg", n) + `,
				` + idSQL("ep", n+" % $2") + `, now()
			FROM generate_series(0, $1::int - 1) n`,
		`INSERT INTO river_job (args, kind, max_attempts, queue, state, priority)
			SELECT jsonb_build_object('deliveryId', ` + idSQL("dlv", n) + `, 'endpointId', ` + idSQL("ep", n+" % $2") + `),
				'deliver', 25, 'webhook', 'available', 1
			FROM generate_series(0, least($1::int, ` + strconv.Itoa(beforeLate) + `) - 1) n`,
		`ANALYZE`,
	}
	for _, row := range rows {
		var args []any
		if strings.HasPrefix(row, "INSERT") {
			args = []any{events, of, first}
		}

		if _, err := b.store.DB.ExecContext(ctx, row, args...); err != nil {
			return fmt.Errorf("queue (%.40s): %w", row, err)
		}
	}

	return nil
}
