package sharing

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// mostShown is how many videos a playlist's page lists.
const mostShown = 500

// ShowPlaylist returns a playlist for a visitor of its page. It contains only those videos whose own linkScope admits
// the visitor. If the visitor may not see the playlist, the result contains the reason instead.
func (svc *Service) ShowPlaylist(ctx context.Context, id string, visitor model.Visitor) (*model.ShownPlaylist, error) {
	p, err := svc.shownPlaylist(ctx, id)
	if err != nil {
		return nil, err
	}

	shown := &model.ShownPlaylist{Playlist: p}

	who, name, known, err := svc.signedInAt(ctx, p.WorkspaceID, visitor.Session)
	if err != nil {
		return nil, err
	}

	shown.Admission = gateOfPlaylist(p).hold(model.Admission{Who: who, Name: name}, known, visitor)
	if shown.Barrier != model.BarrierNone {
		return shown, nil
	}

	members, err := svc.Store.Client(ctx).PlaylistVideo.Query().Where(
		playlistvideo.PlaylistID(p.ID), playlistvideo.HasVideoWith(access.Kept())).WithVideo().
		Order(ent.Asc(playlistvideo.FieldPosition, playlistvideo.FieldID)).Limit(mostShown).
		All(auth.AsWorkspace(ctx, p.WorkspaceID))
	if err != nil {
		return nil, fmt.Errorf("read the videos of a playlist: %w", err)
	}

	for _, m := range members {
		v := m.Edges.Video
		if gateOf(v).hold(model.Admission{Who: who}, known, visitor).Barrier == model.BarrierNone {
			shown.Videos = append(shown.Videos, model.ListedVideo{
				Video: v, Thumbnail: svc.Videos.Thumbnails().Picture(v, "small"),
			})
		}
	}

	return shown, nil
}

// shownPlaylist returns a playlist for any visitor.
func (svc *Service) shownPlaylist(ctx context.Context, id string) (*ent.Playlist, error) {
	if !ids.Is(ids.Playlist, id) {
		return nil, fault.NotFound("playlist")
	}

	p, err := svc.Store.Client(ctx).Playlist.Query().Where(playlist.ID(id)).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("playlist")
	}

	if err != nil {
		return nil, fmt.Errorf("read playlist: %w", err)
	}

	return p, nil
}
