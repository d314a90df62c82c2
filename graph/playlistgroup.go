package graph

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// readableGroup narrows groups to those the viewer may read: the workspace's and its own.
func readableGroup(who auth.Viewer) predicate.PlaylistGroup {
	return playlistgroup.Or(playlistgroup.VisibilityEQ(values.VisibilityOrg), playlistgroup.UserID(who.UserID))
}

// listGroups reads a page of the caller's personal groups, or of the organisation's.
func (r *Resolver) listGroups(
	ctx context.Context, visibility values.Visibility, size int, after *string,
) (*model.PlaylistGroupConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistGroupQuery {
		q := r.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.VisibilityEQ(visibility), readableGroup(who))
		r.selectGroup(who, q, sel)
		q.Modify(only)

		return q
	}

	return sequence[*ent.PlaylistGroup]{
		Resolver: r, what: "groups", column: playlistgroup.FieldPosition,
		name: strings.Join([]string{"groups", who.WorkspaceID, who.UserID, string(visibility)}, "|"),
		at:   func(g *ent.PlaylistGroup) (any, string) { return int64(g.Position), g.ID },
		all: func(ctx context.Context, only func(*sql.Selector)) listing[*ent.PlaylistGroup] {
			return query(ctx, only, selection.Of(ctx).Items())
		},
		whole: func(ctx context.Context, only func(*sql.Selector)) counting {
			return query(ctx, only, selection.Tree{})
		},
	}.page(ctx, size, after)
}

// selectGroup adds to a query what is asked of its groups beyond their own rows.
func (r *Resolver) selectGroup(who auth.Viewer, q *ent.PlaylistGroupQuery, sel selection.Tree) {
	var below []readBelow[*ent.PlaylistGroup]

	for _, list := range firstPages(sel.All("playlists")) {
		below = append(below, eachList[*ent.PlaylistGroup](firstPage(list, playlist.Table, playlist.FieldGroupID,
			[]sql.Querier{sql.Expr(playlist.FieldPosition), sql.Expr(playlist.FieldID)}),
			func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Playlist] {
				q := r.Store.Client(ctx).Playlist.Query().Where(readablePlaylist(who))
				r.selectPlaylist(who, q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	together(r.Store, q, below)
}

// groupPlaylists is a page of a group's playlists, in the order of the sidebar.
func (r *Resolver) groupPlaylists(ctx context.Context, g *ent.PlaylistGroup, size int, after *string) (*model.PlaylistConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.PlaylistQuery {
		q := r.Store.Client(ctx).Playlist.Query().Where(playlist.GroupID(g.ID), readablePlaylist(who))
		r.selectPlaylist(who, q, sel)
		q.Modify(only)

		return q
	}
	below := sequence[*ent.Playlist]{
		Resolver: r, name: "group|" + g.ID, what: "a group's playlists", column: playlist.FieldPosition,
		at: func(p *ent.Playlist) (any, string) { return int64(p.Position), p.ID },
		all: func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Playlist] {
			return query(ctx, only, selection.Of(ctx).Items())
		},
		whole: func(ctx context.Context, only func(*sql.Selector)) counting {
			return query(ctx, only, selection.Tree{})
		},
	}

	if rows, known := listBelow[*ent.Playlist](g, listName("playlists", size)); known && after == nil {
		return below.pageOf(rows, size, totalOf(rows)), nil
	}

	return below.page(ctx, size, after)
}

// createGroup makes a group, last in its sidebar.
func (r *Resolver) createGroup(ctx context.Context, in model.CreatePlaylistGroupInput) (*ent.PlaylistGroup, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.PlaylistGroup, error) {
		who, err := creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := r.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return nil, err
		}

		g := &ent.PlaylistGroup{ID: ids.New(ids.PlaylistGroup), UserID: who.UserID, Visibility: values.VisibilityPersonal}
		give(&g.Visibility, in.Visibility)

		if g.Position, err = r.groupsBeside(g).enter(ctx, nil); err != nil {
			return nil, err
		}

		now := r.Store.Now()

		made, err := r.Store.Client(ctx).PlaylistGroup.Create().SetID(g.ID).SetUserID(g.UserID).SetName(in.Name).
			SetNillableEmoji(in.Emoji.Value()).SetVisibility(g.Visibility).SetPosition(g.Position).
			SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create group: %w", err)
		}

		return made, nil
	})
}

// readableGroupOf is a group the caller may read, with what is selected of it, or not_found.
func (r *Resolver) readableGroupOf(ctx context.Context, id string, sel selection.Tree) (*ent.PlaylistGroup, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.PlaylistGroup, id) {
		return nil, fault.NotFound("playlist group")
	}

	q := r.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.ID(id), readableGroup(who))
	r.selectGroup(who, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist group")
	}

	if err != nil {
		return nil, fmt.Errorf("read group: %w", err)
	}

	return found, nil
}

// editableGroup locks the sidebars and reads a group the caller may edit.
func (r *Resolver) editableGroup(ctx context.Context, id string) (*ent.PlaylistGroup, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if err := r.lockSidebar(ctx, who.WorkspaceID); err != nil {
		return nil, err
	}

	g, err := r.readableGroupOf(ctx, id, selection.Tree{})
	if err != nil {
		return nil, err
	}

	return g, owns(who, g.UserID, "group")
}

// updateGroup changes what the input names. A change of nothing leaves its time.
func (r *Resolver) updateGroup(ctx context.Context, id string, in model.UpdatePlaylistGroupInput) (*ent.PlaylistGroup, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.PlaylistGroup, error) {
		was, err := r.editableGroup(ctx, id)
		if err != nil {
			return nil, err
		}

		next := *was
		give(&next.Name, in.Name)

		if emoji, set := in.Emoji.ValueOK(); set {
			next.Emoji = emoji
		}

		if wanted := in.Position.Value(); wanted != nil && *wanted != was.Position {
			others := r.groupsBeside(was)

			if err := others.leave(ctx, was.Position); err != nil {
				return nil, err
			}

			if next.Position, err = others.enter(ctx, wanted); err != nil {
				return nil, err
			}
		}

		if next.Name == was.Name && same(next.Emoji, was.Emoji) && next.Position == was.Position {
			return was, nil
		}

		update := r.Store.Client(ctx).PlaylistGroup.UpdateOneID(id).SetName(next.Name).SetPosition(next.Position).SetUpdatedAt(r.Store.Now())
		keep(next.Emoji, update.Mutation().SetEmoji, update.Mutation().ClearEmoji)

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update group: %w", err)
		}

		return changed, nil
	})
}

// deleteGroup removes a group. Its playlists stay, in their order, behind those without a group.
func (r *Resolver) deleteGroup(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		g, err := r.editableGroup(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		behind, err := r.playlistsBeside(&ent.Playlist{UserID: g.UserID, Visibility: g.Visibility}, nil).count(ctx)
		if err != nil {
			return struct{}{}, err
		}

		if err := r.Store.Client(ctx).Playlist.Update().Where(playlist.GroupID(id)).
			ClearGroupID().AddPosition(behind).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("ungroup playlists: %w", err)
		}

		if err := r.Store.Client(ctx).PlaylistGroup.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete group: %w", err)
		}

		return struct{}{}, r.groupsBeside(g).leave(ctx, g.Position)
	})

	return err
}
