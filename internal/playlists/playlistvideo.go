package playlists

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// AddPlaylistVideo adds a video to the end of a playlist. If the playlist already contains the video, nothing changes
// and no event is sent.
func (s *Service) AddPlaylistVideo(ctx context.Context, playlistID, videoID string) (*model.AddPlaylistVideoPayload, error) {
	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*model.AddPlaylistVideoPayload, error) {
		p, err := s.lockedPlaylist(ctx, playlistID)
		if err != nil {
			return nil, err
		}

		v, err := s.heldVideo(ctx, videoID, "video at videoId")
		if err != nil {
			return nil, err
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return nil, err
		}

		members := s.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.PlaylistID(p.ID))

		switch there, err := members.Where(playlistvideo.VideoID(v.ID)).Exist(ctx); {
		case err != nil:
			return nil, fmt.Errorf("read membership: %w", err)
		case there:
			return &model.AddPlaylistVideoPayload{Playlist: p, Video: v}, nil
		}

		last, err := s.lastPlace(ctx, p.ID)
		if err != nil {
			return nil, err
		}

		if err := s.Store.Client(ctx).PlaylistVideo.Create().SetPlaylist(p).SetVideo(v).SetPosition(last + 1).
			SetCreatedAt(s.Store.Now()).Exec(ctx); err != nil {
			return nil, fmt.Errorf("add to playlist: %w", err)
		}

		if p, err = s.touchPlaylist(ctx, p); err != nil {
			return nil, err
		}

		added := event.PlaylistVideoAddedEvent{
			Playlist: named(p), Video: event.VideoOf(v.ID, v.Name),
		}

		return &model.AddPlaylistVideoPayload{Playlist: p, Video: v},
			s.Jobs.Publish(ctx, added, jobs.Both(jobs.PlaylistReaders(p.ID), jobs.Readers(v.ID)))
	})
}

// RemovePlaylistVideo removes a video from a playlist. It returns not_found if the playlist does not contain the
// video or the caller may not know of the video.
func (s *Service) RemovePlaylistVideo(ctx context.Context, playlistID, videoID string) (*ent.Playlist, error) {
	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*ent.Playlist, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		p, err := s.lockedPlaylist(ctx, playlistID)
		if err != nil {
			return nil, err
		}

		there, err := s.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.PlaylistID(p.ID),
			playlistvideo.HasVideoWith(video.ID(videoID), access.Readable(who))).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.NotFound("video in this playlist")
		}

		if err != nil {
			return nil, fmt.Errorf("read membership: %w", err)
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return nil, err
		}

		if err := s.Store.Client(ctx).PlaylistVideo.DeleteOneID(there).Exec(ctx); err != nil {
			return nil, fmt.Errorf("remove from playlist: %w", err)
		}

		return s.touchPlaylist(ctx, p)
	})
}

// touchPlaylist moves a playlist to the top of its list.
func (s *Service) touchPlaylist(ctx context.Context, p *ent.Playlist) (*ent.Playlist, error) {
	touched, err := s.Store.Client(ctx).Playlist.UpdateOneID(p.ID).SetUpdatedAt(s.later(p.UpdatedAt)).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("touch playlist: %w", err)
	}

	return touched, nil
}

// heldVideo returns a video the caller may read and locks it against deletion until the transaction ends, or returns
// not_found.
func (s *Service) heldVideo(ctx context.Context, id, what string) (*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Video, id) {
		return nil, fault.NotFound(what)
	}

	found, err := s.Store.Client(ctx).Video.Query().Where(video.ID(id), access.Readable(who)).
		ForShare(sql.WithLockTables(video.Table)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound(what)
	}

	if err != nil {
		return nil, fmt.Errorf("lock video: %w", err)
	}

	return found, nil
}
