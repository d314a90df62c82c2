package listing

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ListPlaylists returns a page of the caller's personal playlists, or of the organization's.
func (svc Playlists) ListPlaylists(
	ctx context.Context, visibility values.Visibility, size int, after *string,
) (*model.PlaylistConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	w := svc.walkPlaylists(who, visibility, selection.Of(ctx).Items())

	c, err := w.Cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	return w.Page(ctx, size, c)
}

func (svc Playlists) walkPlaylists(who auth.Viewer, visibility values.Visibility, sel selection.Tree) paging.Walk[*ent.Playlist] {
	listed := []predicate.Playlist{playlist.VisibilityEQ(visibility), ReadablePlaylist(who)}
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistQuery {
		q := svc.Store.Client(ctx).Playlist.Query()
		svc.SelectPlaylist(who, q, sel)
		q.Modify(only)

		return q
	}

	return paging.WalkTable(paging.Walk[*ent.Playlist]{
		Service: svc.Paging, Who: who, What: "playlists",
		Name: strings.Join([]string{"playlists", who.WorkspaceID, who.UserID, string(visibility)}, "|"),
		At:   func(p *ent.Playlist) paging.Place { return paging.Place{ID: p.ID, At: p.UpdatedAt} },
	}, paging.Table[*ent.Playlist]{
		Name:     playlist.Table,
		Matching: func(string) []func(*sql.Selector) { return paging.Plain(listed...) },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Playlist] {
			return query(ctx, only, sel)
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	})
}

// SelectPlaylist makes a query of playlists also read the selected fields that are not columns of the playlist table,
// such as the videos of each playlist.
func (svc Playlists) SelectPlaylist(who auth.Viewer, q *ent.PlaylistQuery, sel selection.Tree) {
	if sel.Has("videoCount") {
		q.Modify(countReadable(who))
	}

	if sel.Has("group") {
		q.WithGroup(func(q *ent.PlaylistGroupQuery) { svc.SelectGroup(who, q, sel.Below("group")) })
	}

	var below []ReadBelow[*ent.Playlist]

	for _, list := range FirstPages(sel.All("videos")) {
		below = append(below, EachList[*ent.Playlist](FirstPage(list, playlistvideo.Table, playlistvideo.FieldPlaylistID, placeOrder()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.PlaylistVideo] {
				q := svc.Store.Client(ctx).PlaylistVideo.Query()
				svc.selectMember(who, q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	WithBelow(q, below)
}

func placeOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(playlistvideo.FieldPosition), sql.Expr(playlistvideo.FieldID)}
}

// countReadable adds to each playlist how many of its videos the viewer may read.
func countReadable(who auth.Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) {
		members, videos := sql.Dialect(s.Dialect()).Table(playlistvideo.Table), sql.Dialect(s.Dialect()).Table(video.Table)
		seen := sql.Dialect(s.Dialect()).Select(videos.C(video.FieldID)).From(videos)
		access.Readable(who)(seen)

		s.AppendSelectExprAs(sql.Dialect(s.Dialect()).Select(sql.Count("*")).From(members).Where(sql.And(
			sql.ColumnsEQ(members.C(playlistvideo.FieldPlaylistID), s.C(playlist.FieldID)),
			sql.In(members.C(playlistvideo.FieldVideoID), seen),
		)), ent.CountColumn)
	}
}

// VideoCountOf returns how many of a playlist's videos the caller may read.
func (svc Playlists) VideoCountOf(ctx context.Context, p *ent.Playlist) (int, error) {
	if counted := p.Extra.Count; counted != nil {
		return *counted, nil
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return 0, err
	}

	n, err := svc.Store.Client(ctx).PlaylistVideo.Query().
		Where(playlistvideo.PlaylistID(p.ID), playlistvideo.HasVideoWith(access.Readable(who))).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count videos: %w", err)
	}

	return n, nil
}

// selectMember limits memberships to videos the viewer may read, and loads those videos.
func (svc Playlists) selectMember(who auth.Viewer, q *ent.PlaylistVideoQuery, sel selection.Tree) {
	q.Where(playlistvideo.HasVideoWith(access.Readable(who)))
	q.WithVideo(func(q *ent.VideoQuery) { svc.SelectVideo(who, q, sel) })
}

// PlaylistVideos returns a page of a playlist's videos, in the playlist's order.
func (svc Playlists) PlaylistVideos(ctx context.Context, p *ent.Playlist, size int, after *string) (*model.VideoConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), load func(*ent.PlaylistVideoQuery)) *ent.PlaylistVideoQuery {
		q := svc.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.PlaylistID(p.ID))
		load(q)
		q.Modify(only)

		return q
	}
	members := paging.Sequence[*ent.PlaylistVideo]{
		Service: svc.Paging, Name: "members|" + p.ID, What: "a playlist's videos", Column: playlistvideo.FieldPosition,
		At: func(m *ent.PlaylistVideo) (any, string) { return int64(m.Position), m.ID },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.PlaylistVideo] {
			return query(ctx, only, func(q *ent.PlaylistVideoQuery) { svc.selectMember(who, q, selection.Of(ctx).Items()) })
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, func(q *ent.PlaylistVideoQuery) { q.Where(playlistvideo.HasVideoWith(access.Readable(who))) })
		},
	}

	var page *model.Connection[*ent.PlaylistVideo]

	if rows, known := ListBelow[*ent.PlaylistVideo](p, ListName("videos", size)); known && after == nil {
		page = members.PageOf(rows, size, TotalOf(rows))
	} else if page, err = members.Page(ctx, size, after); err != nil {
		return nil, err
	}

	return paging.Reshaped(page, func(m *ent.PlaylistVideo) *ent.Video { return m.Edges.Video }), nil
}
