package playlists

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// The places of a playlist's videos are whole numbers without a meaning of their own: a removed video leaves a gap. A
// move shifts only the places between the old and the new one. Every write to them locks the playlist first, so moves at
// the same time happen one after the other, and no place is ever taken twice.

// MovePlaylistVideo moves a video of a playlist to the place before another one or, if before is nil, to the end. Videos
// that the caller may not read keep their order among themselves and among the others.
func (s *Service) MovePlaylistVideo(
	ctx context.Context, playlistID, videoID string, before *string,
) (*model.MovePlaylistVideoPayload, error) {
	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*model.MovePlaylistVideoPayload, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		p, err := s.lockedPlaylist(ctx, playlistID)
		if err != nil {
			return nil, err
		}

		moved, err := s.placeOf(ctx, who, p, videoID, "video in this playlist at videoId")
		if err != nil {
			return nil, err
		}

		var next *ent.PlaylistVideo

		if before != nil {
			if next, err = s.placeOf(ctx, who, p, *before, "video in this playlist at before"); err != nil {
				return nil, err
			}
		}

		if err := s.refusePlaylistEdit(ctx, p); err != nil {
			return nil, err
		}

		shifted, err := s.movePlace(ctx, moved, next)
		if err != nil {
			return nil, fmt.Errorf("move in playlist: %w", err)
		}

		if shifted {
			if p, err = s.touchPlaylist(ctx, p); err != nil {
				return nil, err
			}
		}

		return &model.MovePlaylistVideoPayload{Playlist: p, Video: moved.Edges.Video}, nil
	})
}

// placeOf returns the place of a video that the caller may read, or not_found.
func (s *Service) placeOf(ctx context.Context, who auth.Viewer, p *ent.Playlist, videoID, what string) (*ent.PlaylistVideo, error) {
	found, err := s.Store.Client(ctx).PlaylistVideo.Query().
		Where(playlistvideo.PlaylistID(p.ID), playlistvideo.HasVideoWith(video.ID(videoID), access.Readable(who))).
		WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound(what)
	}

	if err != nil {
		return nil, fmt.Errorf("read membership: %w", err)
	}

	return found, nil
}

// movePlace moves a place before the next one, or to the end if next is nil. It reports whether the order changed.
func (s *Service) movePlace(ctx context.Context, moved, next *ent.PlaylistVideo) (bool, error) {
	// what lies between moves by one, into the place that moved leaves
	between, by := []predicate.PlaylistVideo{playlistvideo.PlaylistID(moved.PlaylistID)}, -1

	var to int

	switch {
	case next == nil:
		last, err := s.lastPlace(ctx, moved.PlaylistID)
		if err != nil {
			return false, err
		}

		between, to = append(between, playlistvideo.PositionGT(moved.Position)), last
	case next.Position > moved.Position:
		between = append(between, playlistvideo.PositionGT(moved.Position), playlistvideo.PositionLT(next.Position))
		to = next.Position - 1
	default:
		between = append(between, playlistvideo.PositionGTE(next.Position), playlistvideo.PositionLT(moved.Position))
		to, by = next.Position, 1
	}

	places := s.Store.Client(ctx).PlaylistVideo

	shifted, err := places.Update().Where(between...).AddPosition(by).Save(ctx)
	if err != nil || shifted == 0 {
		return false, err //nolint:wrapcheck // the caller says what was attempted
	}

	return true, places.UpdateOneID(moved.ID).SetPosition(to).Exec(ctx) //nolint:wrapcheck // as above
}

// lastPlace returns the position of a playlist's last video, or -1 if it has none. The caller must have locked the
// playlist.
func (s *Service) lastPlace(ctx context.Context, playlistID string) (int, error) {
	last, err := s.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.PlaylistID(playlistID)).
		Order(playlistvideo.ByPosition(sql.OrderDesc())).Limit(1).Select(playlistvideo.FieldPosition).Ints(ctx)

	switch {
	case err != nil:
		return 0, fmt.Errorf("read membership: %w", err)
	case len(last) == 0:
		return -1, nil
	default:
		return last[0], nil
	}
}
