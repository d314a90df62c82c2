package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// readablePlaylistOf is a playlist the caller may read, with what is selected of it, or not_found.
func (r *Resolver) readablePlaylistOf(ctx context.Context, id string, sel selection.Tree) (*ent.Playlist, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Playlist, id) {
		return nil, fault.NotFound("playlist")
	}

	q := r.Store.Client(ctx).Playlist.Query().Where(playlist.ID(id), readablePlaylist(who))
	r.selectPlaylist(who, q, sel)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist")
	}

	if err != nil {
		return nil, fmt.Errorf("read playlist: %w", err)
	}

	return found, nil
}

// owns refuses what only the creator of a playlist, group or tag may do to it, and owners and admins
// to what is the workspace's. Another's private ones were not found before.
func owns(who auth.Viewer, creatorID, what string) error {
	switch {
	case who.Role == auth.RoleViewer:
		return fault.Forbidden("A viewer of the workspace cannot create or change anything.")
	case who.UserID != creatorID && !who.Role.Governs():
		return fault.Forbidden("Only the " + what + "'s creator, owners and admins may change it.")
	default:
		return nil
	}
}

// lockedPlaylist locks a playlist the caller may read, until the transaction ends.
func (r *Resolver) lockedPlaylist(ctx context.Context, id string) (*ent.Playlist, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Playlist, id) {
		return nil, fault.NotFound("playlist")
	}

	found, err := r.Store.Client(ctx).Playlist.Query().
		Where(playlist.ID(id), readablePlaylist(who)).
		ForUpdate(sql.WithLockTables(playlist.Table)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist")
	}

	if err != nil {
		return nil, fmt.Errorf("lock playlist: %w", err)
	}

	return found, nil
}

// refusePlaylistEdit answers forbidden unless the caller may edit a playlist it may read, and
// edit_conflict unless the playlist is as the request expects it.
func (r *Resolver) refusePlaylistEdit(ctx context.Context, p *ent.Playlist) error {
	who, err := viewer(ctx)
	if err != nil {
		return err
	}

	if err := owns(who, p.UserID, "playlist"); err != nil {
		return err
	}

	if !middleware.Holds(ctx, p.UpdatedAt.UnixMilli()) {
		return fault.EditConflict().Saying("The playlist has been edited since the moment this request names. Read it again and repeat.")
	}

	return nil
}

// later is the time of an edit: never the time of the one before, which requests compare with.
func (r *Resolver) later(was time.Time) time.Time {
	if now := r.Store.Now(); now.After(was) {
		return now
	}

	return was.Add(time.Millisecond)
}

// createPlaylist makes a playlist, last in its sidebar.
func (r *Resolver) createPlaylist(ctx context.Context, in model.CreatePlaylistInput) (*ent.Playlist, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Playlist, error) {
		who, err := creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := r.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return nil, err
		}

		now := r.Store.Now()
		draft := playlistDraft{name: in.Name, linkScope: values.LinkScopePublic}
		made := &ent.Playlist{ID: ids.New(ids.Playlist), UserID: who.UserID, Visibility: values.VisibilityPersonal}

		give(&made.Visibility, in.Visibility)
		give(&draft.description, in.Description)
		draft.emoji = in.Emoji.Value()
		give(&draft.linkScope, in.LinkScope)
		give(&draft.indexed, in.SearchEngineIndexingEnabled)
		draft.passwordHash = passwordFor(draft.linkScope, "", in.Password.Value())

		if draft.position, err = r.playlistsBeside(made, nil).enter(ctx, nil); err != nil {
			return nil, err
		}

		create := r.Store.Client(ctx).Playlist.Create().SetID(made.ID).SetUserID(who.UserID).
			SetVisibility(made.Visibility).SetCreatedAt(now).SetUpdatedAt(now)
		draft.save(create.Mutation())

		if made, err = create.Save(ctx); err != nil {
			return nil, fmt.Errorf("create playlist: %w", err)
		}

		return made, r.Jobs.Publish(ctx, webhook.PlaylistCreatedEvent{Playlist: named(made)}, jobs.PlaylistReaders(made.ID))
	})
}

// named is a playlist as events name it.
func named(p *ent.Playlist) webhook.Playlist {
	return webhook.Playlist{PlaylistID: p.ID, PlaylistName: p.Name}
}

// updatePlaylist changes what the input names. A change of nothing does not move it in its list.
func (r *Resolver) updatePlaylist(ctx context.Context, id string, in model.UpdatePlaylistInput) (*ent.Playlist, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Playlist, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		if in.GroupID.IsSet() || in.Position.IsSet() {
			if err := r.lockSidebar(ctx, who.WorkspaceID); err != nil {
				return nil, err
			}
		}

		was, err := r.lockedPlaylist(ctx, id)
		if err != nil {
			return nil, err
		}

		group, err := r.groupFor(ctx, who, in.GroupID.Value())
		if err != nil {
			return nil, err
		}

		if err := r.refusePlaylistEdit(ctx, was); err != nil {
			return nil, err
		}

		if group != nil && group.Visibility != was.Visibility {
			return nil, fault.Invalid([]fault.Field{{Path: "groupId", Rule: "must be a group of the visibility " + string(was.Visibility)}})
		}

		draft := playlistDraftOf(was)

		if err := replacedPassword(draft.linkScope, in.LinkScope, in.Password); err != nil {
			return nil, err
		}

		draft.apply(in)

		if err := r.movePlaylist(ctx, was, &draft, in); err != nil {
			return nil, err
		}

		if reflect.DeepEqual(draft, playlistDraftOf(was)) {
			return was, nil
		}

		update := r.Store.Client(ctx).Playlist.UpdateOneID(id).SetUpdatedAt(r.later(was.UpdatedAt))
		draft.save(update.Mutation())

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update playlist: %w", err)
		}

		return changed, nil
	})
}

// groupFor is the group a playlist is put under, if one is named.
func (r *Resolver) groupFor(ctx context.Context, who auth.Viewer, id *string) (*ent.PlaylistGroup, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // no group is a valid outcome
	}

	found, err := r.Store.Client(ctx).PlaylistGroup.Query().Where(playlistgroup.ID(*id), readableGroup(who)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist group at groupId")
	}

	if err != nil {
		return nil, fmt.Errorf("read group: %w", err)
	}

	return found, nil
}

// movePlaylist finds the draft's place in the sidebar and makes room there.
func (r *Resolver) movePlaylist(ctx context.Context, was *ent.Playlist, draft *playlistDraft, in model.UpdatePlaylistInput) error {
	wanted := in.Position.Value()

	if same(was.GroupID, draft.groupID) && (wanted == nil || *wanted == was.Position) {
		return nil
	}

	if err := r.playlistsBeside(was, was.GroupID).leave(ctx, was.Position); err != nil {
		return err
	}

	var err error

	draft.position, err = r.playlistsBeside(was, draft.groupID).enter(ctx, wanted)

	return err
}

// deletePlaylist removes a playlist; its videos stay.
func (r *Resolver) deletePlaylist(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := viewer(ctx)
		if err != nil {
			return struct{}{}, err
		}

		if err := r.lockSidebar(ctx, who.WorkspaceID); err != nil {
			return struct{}{}, err
		}

		p, err := r.lockedPlaylist(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if err := r.refusePlaylistEdit(ctx, p); err != nil {
			return struct{}{}, err
		}

		if err := r.Store.Client(ctx).Playlist.DeleteOneID(id).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete playlist: %w", err)
		}

		return struct{}{}, r.playlistsBeside(p, p.GroupID).leave(ctx, p.Position)
	})

	return err
}

// playlistDraft is everything updatePlaylist may change, so that a change of nothing can be told.
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

// apply lays an input over the draft: absent fields stay. The position is movePlaylist's to find.
func (d *playlistDraft) apply(in model.UpdatePlaylistInput) {
	give(&d.name, in.Name)
	give(&d.description, in.Description)
	give(&d.linkScope, in.LinkScope)
	give(&d.indexed, in.SearchEngineIndexingEnabled)

	if emoji, set := in.Emoji.ValueOK(); set {
		d.emoji = emoji
	}

	if group, set := in.GroupID.ValueOK(); set {
		d.groupID = group
	}

	d.passwordHash = passwordFor(d.linkScope, d.passwordHash, in.Password.Value())
}

// save writes the draft into a creation or an update.
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

// keep stores what there is, and clears what there is not.
func keep[T any](value *T, set func(T), unset func()) {
	if value == nil {
		unset()
	} else {
		set(*value)
	}
}
