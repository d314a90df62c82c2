package listing

import (
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ReadableGroup limits a query to groups that the viewer may read: the workspace's groups and the viewer's own.
func ReadableGroup(who auth.Viewer) predicate.PlaylistGroup {
	return playlistgroup.Or(playlistgroup.VisibilityEQ(values.VisibilityOrg), playlistgroup.UserID(who.UserID))
}

// ListGroups returns a page of the caller's personal groups, or of the organization's groups.
func (svc Playlists) ListGroups(
	ctx context.Context, visibility values.Visibility, size int, after *string,
) (*model.PlaylistGroupConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistGroupQuery {
		q := svc.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.VisibilityEQ(visibility), ReadableGroup(who))
		svc.SelectGroup(who, q, sel)
		q.Modify(only)

		return q
	}

	return paging.Sequence[*ent.PlaylistGroup]{
		Service: svc.Paging, What: "groups", Column: playlistgroup.FieldPosition,
		Name: strings.Join([]string{"groups", who.WorkspaceID, who.UserID, string(visibility)}, "|"),
		At:   func(g *ent.PlaylistGroup) (any, string) { return int64(g.Position), g.ID },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.PlaylistGroup] {
			return query(ctx, only, selection.Of(ctx).Items())
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	}.Page(ctx, size, after)
}

// SelectGroup makes a query of groups also read the selected fields that are not columns of the group table, such as
// the playlists of each group.
func (svc Playlists) SelectGroup(who auth.Viewer, q *ent.PlaylistGroupQuery, sel selection.Tree) {
	var below []ReadBelow[*ent.PlaylistGroup]

	for _, list := range FirstPages(sel.All("playlists")) {
		below = append(below, EachList[*ent.PlaylistGroup](FirstPage(list, playlist.Table, playlist.FieldGroupID,
			[]sql.Querier{sql.Expr(playlist.FieldPosition), sql.Expr(playlist.FieldID)}),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Playlist] {
				q := svc.Store.Client(ctx).Playlist.Query().Where(ReadablePlaylist(who))
				svc.SelectPlaylist(who, q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	WithBelow(q, below)
}

// GroupPlaylists returns a page of a group's playlists, in sidebar order.
func (svc Playlists) GroupPlaylists(ctx context.Context, g *ent.PlaylistGroup, size int, after *string) (*model.PlaylistConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistQuery {
		q := svc.Store.Client(ctx).Playlist.Query().Where(playlist.GroupID(g.ID), ReadablePlaylist(who))
		svc.SelectPlaylist(who, q, sel)
		q.Modify(only)

		return q
	}
	below := paging.Sequence[*ent.Playlist]{
		Service: svc.Paging, Name: "group|" + g.ID, What: "a group's playlists", Column: playlist.FieldPosition,
		At: func(p *ent.Playlist) (any, string) { return int64(p.Position), p.ID },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Playlist] {
			return query(ctx, only, selection.Of(ctx).Items())
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	}

	if rows, known := ListBelow[*ent.Playlist](g, ListName("playlists", size)); known && after == nil {
		return below.PageOf(rows, size, TotalOf(rows)), nil
	}

	return below.Page(ctx, size, after)
}
