package activity

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// happenedSQL finds what happened around videos after the time $3. %[1]s selects the videos, %[2]s limits comments, and
// %[3]s limits everything.
const happenedSQL = `
WITH own AS (%[1]s)
SELECT kind, id, video_id, at FROM (
	SELECT 'comment' AS kind, c.video_id, c.id, c.at FROM own CROSS JOIN LATERAL (
		SELECT id, video_id, created_at AS at FROM comments
		WHERE video_id = own.id AND user_id IS DISTINCT FROM $%[4]d %[2]s
	) c
	UNION ALL
	SELECT 'first_view', id AS video_id, id, first_viewed_at FROM own WHERE first_viewed_at IS NOT NULL
) happened %[3]s`

// place is where something stands in the list.
type place struct {
	kind        values.ActivityKind
	id, videoID string
	at          time.Time
}

// own returns a query of the viewer's own videos, and its arguments.
func own(who auth.Viewer) (query string, args []any) {
	t := sql.Table(video.Table)
	of := sql.Dialect(dialect.Postgres).Select(t.C(video.FieldID), t.C(video.FieldFirstViewedAt)).From(t).
		Where(sql.And(sql.EQ(t.C(video.FieldWorkspaceID), who.WorkspaceID), sql.EQ(t.C(video.FieldUserID), who.UserID)))
	access.Readable(who)(of)

	return of.Query()
}

// ListActivity returns a page of the comments of others on the caller's own videos and of the first views of these
// videos, newest first.
func (s *Service) ListActivity(ctx context.Context, size int, after *string) (*model.ActivityConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	turn := s.Listing.Paging.Turn("activity|" + who.WorkspaceID + "|" + who.UserID)

	var from *cursor.Cursor

	if after != nil {
		begin, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		from = &begin
	}

	read, err := s.readUntil(ctx, who)
	if err != nil {
		return nil, err
	}

	items, more, err := s.items(ctx, who, size, from, read)
	if err != nil {
		return nil, err
	}

	page := paging.PageOf(turn, items, len(items), func(a *model.Activity) cursor.Cursor {
		return paging.PositionAt(a.At, a.SubjectID())
	}, func(ctx context.Context) (int, error) { return s.count(ctx, who, time.Time{}) })
	page.PageInfo.HasNextPage = more

	return &model.ActivityConnection{
		Connection: *page, CountUnread: func(ctx context.Context) (int, error) { return s.count(ctx, who, read) },
	}, nil
}

// items returns the items of a page and whether more follow. What was deleted after it was found leaves gaps, which
// later items fill, so that a page that promises more is followed by a page that is not empty.
func (s *Service) items(
	ctx context.Context, who auth.Viewer, size int, from *cursor.Cursor, read time.Time,
) ([]*model.Activity, bool, error) {
	var items []*model.Activity

	for more := true; ; {
		wanted := size - len(items)
		if !more || wanted == 0 {
			return items, more, nil
		}

		places, err := s.places(ctx, who, wanted+1, from)
		if err != nil {
			return nil, false, err
		}

		more = len(places) > wanted
		places = places[:min(len(places), wanted)]

		some, err := s.itemsAt(ctx, who, places, read)
		if err != nil {
			return nil, false, err
		}

		items = append(items, some...)

		if n := len(places); n > 0 {
			last := paging.PositionAt(places[n-1].at, places[n-1].id)
			from = &last
		}
	}
}

// places returns what happened after a position, newest first. Of each video it looks at no more comments than fit.
func (s *Service) places(ctx context.Context, who auth.Viewer, size int, from *cursor.Cursor) ([]place, error) {
	base, args := own(who)
	n := len(args)
	args = append(args, who.UserID, size)
	behind := ""

	if from != nil {
		behind = fmt.Sprintf("(at, id) < ($%d, $%d)", n+3, n+4)

		args = append(args, time.UnixMilli(from.AtMs).UTC(), from.ID)
	}

	comments, all := "", ""
	if behind != "" {
		comments, all = "AND (created_at, id) < "+behind[len("(at, id) < "):], "WHERE "+behind
	}

	query := fmt.Sprintf(happenedSQL, base, comments+fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT $%d", n+2),
		all+fmt.Sprintf(" ORDER BY at DESC, id DESC LIMIT $%d", n+2), n+1)

	var places []place

	err := s.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var p place

		err := rows.Scan(&p.kind, &p.id, &p.videoID, &p.at)
		places = append(places, p)

		return err //nolint:wrapcheck // wrapped below
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list activity: %w", err)
	}

	return places, nil
}

// count returns how much happened after a time.
func (s *Service) count(ctx context.Context, who auth.Viewer, after time.Time) (n int, err error) {
	base, args := own(who)
	k := len(args)
	late := fmt.Sprintf("> $%d", k+2)
	query := "SELECT count(*) FROM (" + fmt.Sprintf(happenedSQL, base, "AND created_at "+late, "WHERE at "+late, k+1) + ") counted"

	err = s.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&n) }, query, append(args, who.UserID, after.UTC())...)
	if err != nil {
		return 0, fmt.Errorf("count activity: %w", err)
	}

	return n, nil
}

// itemsAt reads the videos and comments of places, and skips what was deleted meanwhile.
func (s *Service) itemsAt(ctx context.Context, who auth.Viewer, places []place, read time.Time) ([]*model.Activity, error) {
	named := map[values.ActivityKind][]string{}
	of := make([]string, len(places))

	for i, p := range places {
		named[p.kind] = append(named[p.kind], p.id)
		of[i] = p.videoID
	}

	q := s.Store.Client(ctx).Video.Query().Where(video.IDIn(of...))
	s.Listing.SelectVideo(who, q, selection.Of(ctx).Items().Below("video"))

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the videos of activity: %w", err)
	}

	videos := map[string]*ent.Video{}
	for _, v := range rows {
		videos[v.ID] = v
	}

	comments := map[string]*ent.Comment{}

	if some := named[values.ActivityKindComment]; len(some) > 0 {
		rows, err := s.Store.Client(ctx).Comment.Query().Where(comment.IDIn(some...)).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the comments of activity: %w", err)
		}

		for _, c := range rows {
			comments[c.ID] = c
		}
	}

	items := make([]*model.Activity, 0, len(places))

	for _, p := range places {
		a := &model.Activity{Kind: p.kind, At: p.at, Video: videos[p.videoID], Comment: comments[p.id], Unread: p.at.After(read)}
		if a.Video != nil && (a.Comment != nil || p.kind == values.ActivityKindFirstView) {
			items = append(items, a)
		}
	}

	return items, nil
}

// readUntil returns up to when the viewer has read the activity; zero if never.
func (s *Service) readUntil(ctx context.Context, who auth.Viewer) (time.Time, error) {
	m, err := s.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID)).Only(ctx)
	if err != nil {
		return time.Time{}, fmt.Errorf("read membership: %w", err)
	}

	if m.ActivityReadAt == nil {
		return time.Time{}, nil
	}

	return *m.ActivityReadAt, nil
}

// MarkActivityRead marks everything as read that happened up to a time, by default up to now. What was read before stays
// read. It returns how much is unread.
func (s *Service) MarkActivityRead(ctx context.Context, in *model.MarkActivityReadInput) (int, error) {
	if in == nil {
		in = &model.MarkActivityReadInput{}
	}

	return store.Write(ctx, s.Store, in, func(ctx context.Context) (int, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return 0, err
		}

		m, err := s.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID)).ForUpdate().Only(ctx)
		if err != nil {
			return 0, fmt.Errorf("read membership: %w", err)
		}

		until := s.Store.Now()
		if in.Until != nil && in.Until.Before(until) {
			until = *in.Until
		}

		if m.ActivityReadAt != nil && m.ActivityReadAt.After(until) {
			until = *m.ActivityReadAt
		}

		err = s.Store.Client(ctx).Membership.UpdateOne(m).SetActivityReadAt(until).SetUpdatedAt(m.UpdatedAt).Exec(ctx)
		if err != nil {
			return 0, fmt.Errorf("mark activity as read: %w", err)
		}

		return s.count(ctx, who, until)
	})
}
