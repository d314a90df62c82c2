package playlists

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateGroup creates a group at the end of the sidebar.
func (s *Service) CreateGroup(ctx context.Context, in model.CreatePlaylistGroupInput) (*ent.PlaylistGroup, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.PlaylistGroup, error) {
		who, err := access.Creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := s.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return nil, err
		}

		g := &ent.PlaylistGroup{ID: ids.New(ids.PlaylistGroup), UserID: who.UserID, Visibility: values.VisibilityPersonal}
		optional.Give(&g.Visibility, in.Visibility)

		if g.Position, err = s.groupsBeside(g).enter(ctx, nil); err != nil {
			return nil, err
		}

		now := s.Store.Now()

		made, err := s.Store.Client(ctx).PlaylistGroup.Create().SetID(g.ID).SetUserID(g.UserID).SetName(in.Name).
			SetNillableEmoji(in.Emoji.Value()).SetVisibility(g.Visibility).SetPosition(g.Position).
			SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create group: %w", err)
		}

		return made, nil
	})
}

// ReadableGroupOf returns a group the caller may read, with the selected fields, or not_found.
func (s *Service) ReadableGroupOf(ctx context.Context, id string, sel selection.Tree) (*ent.PlaylistGroup, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.PlaylistGroup, id) {
		return nil, fault.NotFound("playlist group")
	}

	q := s.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.ID(id), listing.ReadableGroup(who))
	s.Listing.Playlists().SelectGroup(who, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist group")
	}

	if err != nil {
		return nil, fmt.Errorf("read group: %w", err)
	}

	return found, nil
}

// editableGroup locks the sidebars and returns a group the caller may edit.
func (s *Service) editableGroup(ctx context.Context, id string) (*ent.PlaylistGroup, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if err := s.lockSidebar(ctx, who.WorkspaceID); err != nil {
		return nil, err
	}

	g, err := s.ReadableGroupOf(ctx, id, selection.Tree{})
	if err != nil {
		return nil, err
	}

	return g, access.Owns(who, g.UserID, "group")
}

// UpdateGroup changes the fields that the input contains. If nothing changes, the group keeps its update time.
func (s *Service) UpdateGroup(ctx context.Context, id string, in model.UpdatePlaylistGroupInput) (*ent.PlaylistGroup, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.PlaylistGroup, error) {
		was, err := s.editableGroup(ctx, id)
		if err != nil {
			return nil, err
		}

		next := *was
		optional.Give(&next.Name, in.Name)

		if emoji, set := in.Emoji.ValueOK(); set {
			next.Emoji = emoji
		}

		if wanted := in.Position.Value(); wanted != nil && *wanted != was.Position {
			others := s.groupsBeside(was)

			if err := others.leave(ctx, was.Position); err != nil {
				return nil, err
			}

			if next.Position, err = others.enter(ctx, wanted); err != nil {
				return nil, err
			}
		}

		if next.Name == was.Name && optional.Same(next.Emoji, was.Emoji) && next.Position == was.Position {
			return was, nil
		}

		update := s.Store.Client(ctx).PlaylistGroup.UpdateOneID(id).SetName(next.Name).SetPosition(next.Position).SetUpdatedAt(s.Store.Now())
		keep(next.Emoji, update.Mutation().SetEmoji, update.Mutation().ClearEmoji)

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update group: %w", err)
		}

		return changed, nil
	})
}

// DeleteGroup deletes a group. Its playlists are kept. They move, in the same order, to the end of the playlists
// without a group.
func (s *Service) DeleteGroup(ctx context.Context, id string) error {
	_, err := store.Write(ctx, s.Store, nil, func(ctx context.Context) (struct{}, error) {
		g, err := s.editableGroup(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		behind, err := s.playlistsBeside(&ent.Playlist{UserID: g.UserID, Visibility: g.Visibility}, nil).count(ctx)
		if err != nil {
			return struct{}{}, err
		}

		if err := s.Store.Client(ctx).Playlist.Update().Where(playlist.GroupID(id)).
			ClearGroupID().AddPosition(behind).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("ungroup playlists: %w", err)
		}

		if err := s.Store.Client(ctx).PlaylistGroup.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete group: %w", err)
		}

		return struct{}{}, s.groupsBeside(g).leave(ctx, g.Position)
	})

	return err
}

// GroupsNamed returns those of the named groups that the caller may read, with the selected fields, in any order.
func (s *Service) GroupsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.PlaylistGroup, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.IDIn(named...), listing.ReadableGroup(who))
	s.Listing.Playlists().SelectGroup(who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read groups: %w", err)
	}

	return rows, nil
}
