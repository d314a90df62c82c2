package playlists

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/videos"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// ReadablePlaylistOf returns a playlist the caller may read, with the selected fields, or not_found.
func (s *Service) ReadablePlaylistOf(ctx context.Context, id string, sel selection.Tree) (*ent.Playlist, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Playlist, id) {
		return nil, fault.NotFound("playlist")
	}

	q := s.Store.Client(ctx).Playlist.Query().Where(playlist.ID(id), listing.ReadablePlaylist(who))
	s.Listing.Playlists().SelectPlaylist(who, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist")
	}

	if err != nil {
		return nil, fmt.Errorf("read playlist: %w", err)
	}

	return found, nil
}

// lockedPlaylist locks a playlist the caller may read until the transaction ends.
func (s *Service) lockedPlaylist(ctx context.Context, id string) (*ent.Playlist, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Playlist, id) {
		return nil, fault.NotFound("playlist")
	}

	found, err := s.Store.Client(ctx).Playlist.Query().
		Where(playlist.ID(id), listing.ReadablePlaylist(who)).
		ForUpdate(sql.WithLockTables(playlist.Table)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist")
	}

	if err != nil {
		return nil, fmt.Errorf("lock playlist: %w", err)
	}

	return found, nil
}

// refusePlaylistEdit returns forbidden unless the caller may edit a playlist it may read, and edit_conflict unless the
// playlist was last edited when the request expects.
func (s *Service) refusePlaylistEdit(ctx context.Context, p *ent.Playlist) error {
	who, err := access.Viewer(ctx)
	if err != nil {
		return err
	}

	if err := access.Owns(who, p.UserID, "playlist"); err != nil {
		return err
	}

	if !middleware.Holds(ctx, p.UpdatedAt.UnixMilli()) {
		return fault.EditConflict().Saying("The playlist was edited after this client read it. " +
			"Read the playlist again and retry.")
	}

	return nil
}

// later returns the time of an edit. It always differs from that of the edit before, because requests compare these
// times.
func (s *Service) later(was time.Time) time.Time {
	if now := s.Store.Now(); now.After(was) {
		return now
	}

	return was.Add(time.Millisecond)
}

// CreatePlaylist creates a playlist at the end of the sidebar.
func (s *Service) CreatePlaylist(ctx context.Context, in model.CreatePlaylistInput) (*ent.Playlist, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.Playlist, error) {
		who, err := access.Creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := s.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return nil, err
		}

		now := s.Store.Now()
		draft := playlistDraft{name: in.Name, linkScope: values.LinkScopePublic}
		made := &ent.Playlist{ID: ids.New(ids.Playlist), UserID: who.UserID, Visibility: values.VisibilityPersonal}

		optional.Give(&made.Visibility, in.Visibility)
		optional.Give(&draft.description, in.Description)
		draft.emoji = in.Emoji.Value()
		optional.Give(&draft.linkScope, in.LinkScope)
		optional.Give(&draft.indexed, in.SearchEngineIndexingEnabled)
		draft.passwordHash = videos.PasswordFor(draft.linkScope, "", in.Password.Value())

		if draft.position, err = s.playlistsBeside(made, nil).enter(ctx, nil); err != nil {
			return nil, err
		}

		create := s.Store.Client(ctx).Playlist.Create().SetID(made.ID).SetUserID(who.UserID).
			SetVisibility(made.Visibility).SetCreatedAt(now).SetUpdatedAt(now)
		draft.save(create.Mutation())

		if made, err = create.Save(ctx); err != nil {
			return nil, fmt.Errorf("create playlist: %w", err)
		}

		return made, s.Jobs.Publish(ctx, event.PlaylistCreatedEvent{Playlist: named(made)}, jobs.PlaylistReaders(made.ID))
	})
}

// named returns a playlist as it appears in events.
func named(p *ent.Playlist) event.Playlist {
	return event.Playlist{PlaylistID: p.ID, PlaylistName: p.Name}
}

// UpdatePlaylist changes the fields that the input contains. If nothing changes, the playlist keeps its position in
// the list.
func (s *Service) UpdatePlaylist(ctx context.Context, id string, in model.UpdatePlaylistInput) (*ent.Playlist, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.Playlist, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		if in.GroupID.IsSet() || in.Position.IsSet() {
			if err := s.lockSidebar(ctx, who.WorkspaceID); err != nil {
				return nil, err
			}
		}

		was, err := s.lockedPlaylist(ctx, id)
		if err != nil {
			return nil, err
		}

		group, err := s.groupFor(ctx, who, in.GroupID.Value())
		if err != nil {
			return nil, err
		}

		if err := s.refusePlaylistEdit(ctx, was); err != nil {
			return nil, err
		}

		if group != nil && group.Visibility != was.Visibility {
			return nil, fault.Invalid([]fault.Field{{Path: "groupId", Rule: "must be a group with visibility " + string(was.Visibility)}})
		}

		draft := playlistDraftOf(was)

		if err := videos.ReplacedPassword(draft.linkScope, in.LinkScope, in.Password); err != nil {
			return nil, err
		}

		draft.apply(in)

		if err := s.movePlaylist(ctx, was, &draft, in); err != nil {
			return nil, err
		}

		if reflect.DeepEqual(draft, playlistDraftOf(was)) {
			return was, nil
		}

		update := s.Store.Client(ctx).Playlist.UpdateOneID(id).SetUpdatedAt(s.later(was.UpdatedAt))
		draft.save(update.Mutation())

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update playlist: %w", err)
		}

		return changed, nil
	})
}

// groupFor returns the group for a playlist if the input names one.
func (s *Service) groupFor(ctx context.Context, who auth.Viewer, id *string) (*ent.PlaylistGroup, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // no group is a valid outcome
	}

	found, err := s.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.ID(*id), listing.ReadableGroup(who)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist group at groupId")
	}

	if err != nil {
		return nil, fmt.Errorf("read group: %w", err)
	}

	return found, nil
}

// movePlaylist finds the new position of the playlist in the sidebar and makes room there.
func (s *Service) movePlaylist(ctx context.Context, was *ent.Playlist, draft *playlistDraft, in model.UpdatePlaylistInput) error {
	wanted := in.Position.Value()

	if optional.Same(was.GroupID, draft.groupID) && (wanted == nil || *wanted == was.Position) {
		return nil
	}

	if err := s.playlistsBeside(was, was.GroupID).leave(ctx, was.Position); err != nil {
		return err
	}

	var err error

	draft.position, err = s.playlistsBeside(was, draft.groupID).enter(ctx, wanted)

	return err
}

// DeletePlaylist deletes a playlist. It keeps the videos of the playlist.
func (s *Service) DeletePlaylist(ctx context.Context, id string) error {
	_, err := store.Write(ctx, s.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return struct{}{}, err
		}

		if err := s.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return struct{}{}, err
		}

		p, err := s.lockedPlaylist(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return struct{}{}, err
		}

		if err := s.Store.Client(ctx).Playlist.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete playlist: %w", err)
		}

		return struct{}{}, s.playlistsBeside(p, p.GroupID).leave(ctx, p.Position)
	})

	return err
}

// playlistDraft holds everything that UpdatePlaylist may change, so that an update without changes can be recognized.
type playlistDraft struct {
	name, description string
	emoji             *string
	linkScope         values.LinkScope
	indexed           bool
	passwordHash      string
	groupID           *string
	position          int
}

func playlistDraftOf(p *ent.Playlist) playlistDraft {
	return playlistDraft{
		name: p.Name, description: p.Description, emoji: p.Emoji, linkScope: p.LinkScope,
		indexed: p.SearchEngineIndexingEnabled, passwordHash: p.PasswordHash, groupID: p.GroupID, position: p.Position,
	}
}

// apply copies the given fields of an input to the draft. Absent fields stay. movePlaylist sets the position.
func (d *playlistDraft) apply(in model.UpdatePlaylistInput) {
	optional.Give(&d.name, in.Name)
	optional.Give(&d.description, in.Description)
	optional.Give(&d.linkScope, in.LinkScope)
	optional.Give(&d.indexed, in.SearchEngineIndexingEnabled)

	if emoji, set := in.Emoji.ValueOK(); set {
		d.emoji = emoji
	}

	if group, set := in.GroupID.ValueOK(); set {
		d.groupID = group
	}

	d.passwordHash = videos.PasswordFor(d.linkScope, d.passwordHash, in.Password.Value())
}

// save copies the draft to a create or update.
func (d *playlistDraft) save(m *ent.PlaylistMutation) {
	m.SetName(d.name)
	m.SetDescription(d.description)
	m.SetLinkScope(d.linkScope)
	m.SetSearchEngineIndexingEnabled(d.indexed)
	m.SetPosition(d.position)

	keep(d.emoji, m.SetEmoji, m.ClearEmoji)
	keep(d.groupID, m.SetGroupID, m.ClearGroupID)

	if d.passwordHash == "" {
		m.ClearPasswordHash()
	} else {
		m.SetPasswordHash(d.passwordHash)
	}
}

// keep sets a value, or clears the field if the value is nil.
func keep[T any](value *T, set func(T), unset func()) {
	if value == nil {
		unset()
	} else {
		set(*value)
	}
}

// PlaylistsNamed returns those of the named playlists that the caller may read, with the selected fields, in any order.
func (s *Service) PlaylistsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.Playlist, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).Playlist.Query().Where(playlist.IDIn(named...), listing.ReadablePlaylist(who))
	s.Listing.Playlists().SelectPlaylist(who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read playlists: %w", err)
	}

	return rows, nil
}
