package live

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
)

// A listener has read the log up to a database snapshot. What is committed later is not visible in that snapshot, in
// whatever order transactions end, so that nothing is missed or told twice. A number or a timestamp could not do this,
// because a change with an earlier one may be committed later.

// The kinds of rows in the log.
const (
	kindVideos    = "videos"
	kindPlaylists = "playlists"
	kindTags      = "tags"
	kindMembers   = "members"
	kindSources   = "sources"
	kindExports   = "exports"
	kindComments  = "comments"
)

// atOnce is the largest number of ids in one event. A listener is told of more in several events.
const atOnce = 1000

// tooLate is how long after a change a listener may still read it. The log is kept longer, so that a listener who reads
// in time finds everything.
const tooLate = jobs.ChangeKept / 2

// position is how far a listener has read the log. While the changes between two snapshots do not fit into one event,
// the position is within them.
type position struct {
	since string // the snapshot up to which everything was read
	until string // the snapshot up to which the listener is reading; empty unless the position is within
	kind  string // the last change that was read
	id    string
}

// changed is something that changed.
type changed struct {
	kind, id string
	known    bool // whether the listener could read it before one of its changes
}

// now returns the position after everything that is committed.
func (s *Service) now(ctx context.Context) (position, error) {
	snapshot, err := s.snapshot(ctx)

	return position{since: snapshot}, err
}

func (s *Service) snapshot(ctx context.Context) (snapshot string, err error) {
	err = s.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&snapshot) }, `SELECT pg_current_snapshot()::text`)
	if err != nil {
		return "", fmt.Errorf("read the snapshot: %w", err)
	}

	return snapshot, nil
}

// changesSQL reads what changed between two snapshots, each id once, after a given one. With a video it reads only the
// comments on it.
const changesSQL = `
SELECT "kind", "row_id", bool_or("readers" IS NULL OR "readers" ? $2) FROM "changes"
WHERE "workspace_id" = $1 AND "xid" >= pg_snapshot_xmin($3::pg_snapshot)::text::bigint
	AND NOT pg_visible_in_snapshot("xid"::text::xid8, $3::pg_snapshot) AND pg_visible_in_snapshot("xid"::text::xid8, $4::pg_snapshot)
	AND ("kind", "row_id") > ($5, $6) AND ($7 = '' OR "kind" = 'comments' AND "video_id" = $7)
GROUP BY "kind", "row_id" ORDER BY "kind", "row_id" LIMIT $8`

// read returns what changed after a position, at most atOnce ids, and the position after that. If videoID is given, it
// reads only the comments on that video.
func (s *Service) read(ctx context.Context, who auth.Viewer, from position, videoID string) (all []changed, next position, err error) {
	next = from

	if next.until == "" {
		if next.until, err = s.snapshot(ctx); err != nil {
			return nil, next, err
		}
	}

	err = s.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var c changed

		err := rows.Scan(&c.kind, &c.id, &c.known)
		all = append(all, c)

		return err //nolint:wrapcheck // as below
	}, changesSQL, who.WorkspaceID, who.UserID, next.since, next.until, next.kind, next.id, videoID, atOnce)
	if err != nil {
		return nil, next, fmt.Errorf("read the change log: %w", err)
	}

	if len(all) < atOnce {
		return all, position{since: next.until}, nil
	}

	next.kind, next.id = all[atOnce-1].kind, all[atOnce-1].id

	return all, next, nil
}

// pause waits until a moment. It returns false if the listener has left before.
func pause(ctx context.Context, until time.Time) bool {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()

	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
