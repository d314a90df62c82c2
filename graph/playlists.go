package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// listPlaylists reads a page of the caller's personal playlists, or of the organisation's.
func (r *Resolver) listPlaylists(
	ctx context.Context, visibility values.Visibility, size int, after *string,
) (*model.PlaylistConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	w := r.walkPlaylists(who, visibility, selection.Of(ctx).Items())

	c, err := w.cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	return w.page(ctx, size, c)
}

func (r *Resolver) walkPlaylists(who auth.Viewer, visibility values.Visibility, sel selection.Tree) walk[*ent.Playlist] {
	listed := []predicate.Playlist{playlist.VisibilityEQ(visibility), readablePlaylist(who)}
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistQuery {
		q := r.Store.Client(ctx).Playlist.Query()
		r.selectPlaylist(who, q, sel)
		q.Modify(only)

		return q
	}

	return walkTable(walk[*ent.Playlist]{
		Resolver: r, who: who, what: "playlists",
		name: strings.Join([]string{"playlists", who.WorkspaceID, who.UserID, string(visibility)}, "|"),
		at:   func(p *ent.Playlist) place { return place{p.ID, p.UpdatedAt} },
	}, table[*ent.Playlist]{
		name:     playlist.Table,
		matching: func(string) []func(*sql.Selector) { return plain(listed...) },
		all: func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Playlist] {
			return query(ctx, only, sel)
		},
		whole: func(ctx context.Context, only func(*sql.Selector)) counting {
			return query(ctx, only, selection.Tree{})
		},
	})
}

// selectPlaylist adds to a query what is asked of its playlists beyond their own rows.
func (r *Resolver) selectPlaylist(who auth.Viewer, q *ent.PlaylistQuery, sel selection.Tree) {
	if sel.Has("videoCount") {
		q.Modify(countReadable(who))
	}

	if sel.Has("group") {
		q.WithGroup(func(q *ent.PlaylistGroupQuery) { r.selectGroup(who, q, sel.Below("group")) })
	}

	var below []readBelow[*ent.Playlist]

	for _, list := range firstPages(sel.All("videos")) {
		below = append(below, eachList[*ent.Playlist](firstPage(list, playlistvideo.Table, playlistvideo.FieldPlaylistID, placeOrder()),
			func(ctx context.Context, only func(*sql.Selector)) listing[*ent.PlaylistVideo] {
				q := r.Store.Client(ctx).PlaylistVideo.Query()
				r.selectMember(who, q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	together(r.Store, q, below)
}

func placeOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(playlistvideo.FieldPosition), sql.Expr(playlistvideo.FieldID)}
}

// countReadable adds to each playlist how many of its videos the viewer may read.
func countReadable(who auth.Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) {
		members, videos := sql.Dialect(s.Dialect()).Table(playlistvideo.Table), sql.Dialect(s.Dialect()).Table(video.Table)
		seen := sql.Dialect(s.Dialect()).Select(videos.C(video.FieldID)).From(videos)
		readable(who)(seen)

		s.AppendSelectExprAs(sql.Dialect(s.Dialect()).Select(sql.Count("*")).From(members).Where(sql.And(
			sql.ColumnsEQ(members.C(playlistvideo.FieldPlaylistID), s.C(playlist.FieldID)),
			sql.In(members.C(playlistvideo.FieldVideoID), seen),
		)), ent.CountColumn)
	}
}

// videoCountOf is how many of a playlist's videos the caller may read.
func (r *Resolver) videoCountOf(ctx context.Context, p *ent.Playlist) (int, error) {
	if counted := p.Extra.Count; counted != nil {
		return *counted, nil
	}

	who, err := viewer(ctx)
	if err != nil {
		return 0, err
	}

	n, err := r.Store.Client(ctx).PlaylistVideo.Query().
		Where(playlistvideo.PlaylistID(p.ID), playlistvideo.HasVideoWith(readable(who))).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count videos: %w", err)
	}

	return n, nil
}

// selectMember narrows memberships to the videos the viewer may read, and loads those.
func (r *Resolver) selectMember(who auth.Viewer, q *ent.PlaylistVideoQuery, sel selection.Tree) {
	q.Where(playlistvideo.HasVideoWith(readable(who)))
	q.WithVideo(func(q *ent.VideoQuery) { r.selectVideo(who, q, sel) })
}

// playlistVideos is a page of a playlist's videos, in the playlist's order.
func (r *Resolver) playlistVideos(ctx context.Context, p *ent.Playlist, size int, after *string) (*model.VideoConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), load func(*ent.PlaylistVideoQuery)) *ent.PlaylistVideoQuery {
		q := r.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.PlaylistID(p.ID))
		load(q)
		q.Modify(only)

		return q
	}
	members := sequence[*ent.PlaylistVideo]{
		Resolver: r, name: "members|" + p.ID, what: "a playlist's videos", column: playlistvideo.FieldPosition,
		at: func(m *ent.PlaylistVideo) (any, string) { return int64(m.Position), m.ID },
		all: func(ctx context.Context, only func(*sql.Selector)) listing[*ent.PlaylistVideo] {
			return query(ctx, only, func(q *ent.PlaylistVideoQuery) { r.selectMember(who, q, selection.Of(ctx).Items()) })
		},
		whole: func(ctx context.Context, only func(*sql.Selector)) counting {
			return query(ctx, only, func(q *ent.PlaylistVideoQuery) { q.Where(playlistvideo.HasVideoWith(readable(who))) })
		},
	}

	var page *model.Connection[*ent.PlaylistVideo]

	if rows, known := listBelow[*ent.PlaylistVideo](p, listName("videos", size)); known && after == nil {
		page = members.pageOf(rows, size, totalOf(rows))
	} else if page, err = members.page(ctx, size, after); err != nil {
		return nil, err
	}

	return reshaped(page, func(m *ent.PlaylistVideo) *ent.Video { return m.Edges.Video }), nil
}
