package playlists

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// AddPlaylistVideos adds videos to the end of a playlist, in the given order: all of them or, if the caller may not read
// one of them, none. Those that are in the playlist already keep their places, and no event is sent for them.
func (s *Service) AddPlaylistVideos(
	ctx context.Context, playlistID string, in model.NamedVideos,
) (*model.AddPlaylistVideosPayload, error) {
	sel := selection.Of(ctx).Below("videos")

	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*model.AddPlaylistVideosPayload, error) {
		p, err := s.lockedPlaylist(ctx, playlistID)
		if err != nil {
			return nil, err
		}

		chosen, err := s.Listing.Rights().HeldVideos(ctx, rights.Named{Argument: "videoIds", IDs: in.VideoIDs})
		if err != nil {
			return nil, err
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return nil, err
		}

		there, err := s.Store.Client(ctx).PlaylistVideo.Query().
			Where(playlistvideo.PlaylistID(p.ID), playlistvideo.VideoIDIn(in.VideoIDs...)).
			Select(playlistvideo.FieldVideoID).Strings(ctx)
		if err != nil {
			return nil, fmt.Errorf("read membership: %w", err)
		}

		added := slices.DeleteFunc(slices.Clone(chosen), func(v *ent.Video) bool { return slices.Contains(there, v.ID) })

		if p, err = s.append(ctx, p, added); err != nil {
			return nil, err
		}

		again, err := s.Listing.VideosAgain(ctx, chosen, sel)

		return &model.AddPlaylistVideosPayload{Playlist: p, Videos: again}, err
	})
}

// append adds videos to the end of a playlist that the caller has locked, and sends an event for each.
func (s *Service) append(ctx context.Context, p *ent.Playlist, added []*ent.Video) (*ent.Playlist, error) {
	if len(added) == 0 {
		return p, nil
	}

	last, err := s.lastPlace(ctx, p.ID)
	if err != nil {
		return nil, err
	}

	above, rows := []string{p.ID}, make([]*ent.PlaylistVideoCreate, len(added))

	for i, v := range added {
		above = append(above, v.ID)
		rows[i] = s.Store.Client(ctx).PlaylistVideo.Create().SetPlaylist(p).SetVideo(v).SetPosition(last + 1 + i).SetCreatedAt(s.Store.Now())
	}

	proven, err := schema.Proven(ctx, s.Store.Client(ctx), above...)
	if err == nil {
		err = s.Store.Client(ctx).PlaylistVideo.CreateBulk(rows...).Exec(proven)
	}

	if err != nil {
		return nil, fmt.Errorf("add to playlist: %w", err)
	}

	if p, err = s.touchPlaylist(ctx, p); err != nil {
		return nil, err
	}

	told := make([]event.Event, len(added))
	for i, v := range added {
		told[i] = event.PlaylistVideoAddedEvent{Playlist: named(p), Video: event.VideoOf(v.ID, v.Name)}
	}

	return p, s.Jobs.PublishEach(ctx, told, func(i int) jobs.Audience {
		return jobs.Both(jobs.PlaylistReaders(p.ID), jobs.Readers(added[i].ID))
	})
}

// RemovePlaylistVideos removes videos from a playlist and returns their ids. If the playlist does not contain one of
// them, or the caller may not know of it, none is removed.
func (s *Service) RemovePlaylistVideos(
	ctx context.Context, playlistID string, in model.NamedVideos,
) (*model.RemovePlaylistVideosPayload, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*model.RemovePlaylistVideosPayload, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		p, err := s.lockedPlaylist(ctx, playlistID)
		if err != nil {
			return nil, err
		}

		there, err := s.Store.Client(ctx).PlaylistVideo.Query().
			Where(playlistvideo.PlaylistID(p.ID), playlistvideo.VideoIDIn(in.VideoIDs...), playlistvideo.HasVideoWith(access.Readable(who))).
			Select(playlistvideo.FieldVideoID).Strings(ctx)
		if err != nil {
			return nil, fmt.Errorf("read membership: %w", err)
		}

		chosen := rights.Named{Argument: "videoIds", IDs: in.VideoIDs}

		err = chosen.Missing("video in this playlist", func(id string) bool { return slices.Contains(there, id) })
		if err != nil {
			return nil, err
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return nil, err
		}

		_, err = s.Store.Client(ctx).PlaylistVideo.Delete().
			Where(playlistvideo.PlaylistID(p.ID), playlistvideo.VideoIDIn(there...)).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("remove from playlist: %w", err)
		}

		if p, err = s.touchPlaylist(ctx, p); err != nil {
			return nil, err
		}

		return &model.RemovePlaylistVideosPayload{Playlist: p, DeletedIds: chosen.Once()}, nil
	})
}
