package graph

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/internal/auth"
)

// A walk reads a list in the order of the moment its first page was read, however items are edited
// meanwhile. The cursor seals the database's snapshot of that moment; where a row stood then is the
// old time of its earliest edit that the snapshot does not see, else its present one. A time would
// not do in the snapshot's place: an edit stamped before it may commit after it.

// walkColumn is the extra column in which the first page carries its snapshot.
const walkColumn = "walk"

// beginWalk adds the snapshot to the rows of a first page, as of the same statement.
func beginWalk(s *sql.Selector) {
	s.AppendSelectExprAs(sql.Raw("pg_current_snapshot()::text"), walkColumn)
}

// place is where a row stands in a walk.
type place struct {
	id string
	at time.Time
}

// continueWalk returns where the rows behind the cursor stand. of selects id, updated_at and
// created_xid of what the caller may read and what matches, without order.
func (r *Resolver) continueWalk(ctx context.Context, who auth.Viewer, of *sql.Selector, c cursor, size int) ([]place, error) {
	of.SetDialect(dialect.Postgres)
	base, args := of.Query()
	n := len(args)
	args = append(args, who.WorkspaceID, c.Walk, time.UnixMilli(c.AtMs).UTC(), c.ID, size)

	query := fmt.Sprintf(`
WITH moved AS MATERIALIZED (
	SELECT DISTINCT ON (row_id) row_id, old_updated_at AS at FROM touches
	WHERE workspace_id = $%[2]d AND xid >= pg_snapshot_xmin($%[3]d::pg_snapshot)::text::bigint
		AND NOT pg_visible_in_snapshot(xid::text::xid8, $%[3]d::pg_snapshot)
	ORDER BY row_id, id
)
SELECT id, at FROM (
	(SELECT b.id, b.updated_at AS at FROM (%[1]s) b
	WHERE (b.updated_at, b.id) < ($%[4]d, $%[5]d)
		AND pg_visible_in_snapshot(b.created_xid::text::xid8, $%[3]d::pg_snapshot)
		AND NOT EXISTS (SELECT FROM moved m WHERE m.row_id = b.id)
	ORDER BY b.updated_at DESC, b.id DESC LIMIT $%[6]d)
	UNION ALL
	(SELECT b.id, m.at FROM moved m JOIN (%[1]s) b ON b.id = m.row_id
	WHERE (m.at, b.id) < ($%[4]d, $%[5]d)
		AND pg_visible_in_snapshot(b.created_xid::text::xid8, $%[3]d::pg_snapshot)
	ORDER BY m.at DESC, b.id DESC LIMIT $%[6]d)
) places ORDER BY at DESC, id DESC LIMIT $%[6]d`, base, n+1, n+2, n+3, n+4, n+5)

	var places []place

	err := r.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var p place
		if err := rows.Scan(&p.id, &p.at); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		places = append(places, p)

		return nil
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("walk: %w", err)
	}

	return places, nil
}
