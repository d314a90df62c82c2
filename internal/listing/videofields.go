package listing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// AspectRatio returns width and height as a reduced ratio, such as 16:9.
func AspectRatio(d values.Dimensions) string {
	w, h := d.AspectRatio()

	return fmt.Sprintf("%d:%d", w, h)
}

// ClipsOf returns all clips of a video in order, with the columns for times and words. Do not change the rows,
// because the resolvers of chapters, transcript and thumbnail use the same rows at the same time.
func (svc *Service) ClipsOf(ctx context.Context, v *ent.Video) ([]*ent.Clip, error) {
	if all, known := ListBelow[*ent.Clip](v, heardClips); known {
		return all, nil
	}

	return svc.ClipsInOrder(ctx, v.ID)
}

// ClipPage returns a page of a video's clips.
func (svc *Service) ClipPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.ClipConnection, error) {
	turn := svc.Paging.Turn("clips|" + v.ID)
	placeOf := func(c *ent.Clip) cursor.Cursor { return cursor.Cursor{AtMs: int64(c.Position), ID: c.ID} }

	if rows, known := ListBelow[*ent.Clip](v, ListName("clips", size)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, TotalOf(rows)), nil
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID))
	count := q.Clone()
	svc.selectClip(who, q, selection.Of(ctx).Items())

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(func(s *sql.Selector) {
			s.Where(sql.CompositeGT([]string{s.C(clip.FieldPosition), s.C(clip.FieldID)}, c.AtMs, c.ID))
		})
	}

	rows, err := q.Order(ent.Asc(clip.FieldPosition, clip.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	for _, c := range rows {
		tellVideo(v, c)
	}

	if err := tellSelected(ctx, svc, v.ID, rows); err != nil {
		return nil, err
	}

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}

// tellVideo sets the video of a clip, so that the clip does not read it again.
func tellVideo(v *ent.Video, c *ent.Clip) { c.Edges.Video = v }

// ExportPage returns a page of a video's exports, newest first. It is empty for readers who may not export.
func (svc *Service) ExportPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.ExportConnection, error) {
	turn := svc.Paging.Turn("exports|" + v.ID)
	placeOf := func(e *ent.Export) cursor.Cursor { return paging.PositionAt(e.CreatedAt, e.ID) }

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	may, err := svc.Rights().MayExport(ctx, v, false)
	if err != nil {
		return nil, err
	}

	if !may {
		return paging.PageOf(turn, nil, size, placeOf, func(context.Context) (int, error) { return 0, nil }), nil
	}

	if rows, known := ListBelow[*ent.Export](v, ListName("exports", size)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, TotalOf(rows)), nil
	}

	q := svc.Store.Client(ctx).Export.Query().Where(export.VideoID(v.ID), listable(who))
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(func(s *sql.Selector) {
			s.Where(sql.CompositeLT([]string{s.C(export.FieldCreatedAt), s.C(export.FieldID)}, time.UnixMilli(c.AtMs).UTC(), c.ID))
		})
	}

	rows, err := q.Brief().Order(ent.Desc(export.FieldCreatedAt, export.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read exports: %w", err)
	}

	if err := tellSelected(ctx, svc, v.ID, rows); err != nil {
		return nil, err
	}

	return paging.PageOf(turn, rows, size, placeOf, count.Count), nil
}

// PlaylistsOf returns the ids of the playlists that contain the video and that the caller may read.
func (svc Playlists) PlaylistsOf(ctx context.Context, v *ent.Video) ([]string, error) {
	rows, known := ListBelow[*ent.PlaylistVideo](v, "playlistIds")
	if !known {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		q := svc.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.VideoID(v.ID), inReadablePlaylist(who))
		if rows, err = q.Order(ent.Asc(playlistvideo.FieldCreatedAt, playlistvideo.FieldID)).All(ctx); err != nil {
			return nil, fmt.Errorf("read playlists: %w", err)
		}
	}

	named := make([]string, len(rows))
	for i, row := range rows {
		named[i] = row.PlaylistID
	}

	return named, nil
}

// ThumbnailsOf returns the signed addresses of a video's thumbnails. A thumbnail is made when its address is first
// requested.
func (svc *Service) ThumbnailsOf(v *ent.Video) *model.Thumbnails {
	until, version := signedurl.Steady(svc.Store.Now(), stillSigned), ThumbnailVersion(v)
	of := func(size string) *model.Thumbnail {
		at := func(format string) string { return svc.Addresses.Still(v.ID, version, size, format, until) }

		return &model.Thumbnail{Gif: at("gif"), Jpg: at("jpg"), Mp4: at("mp4"), Webp: at("webp")}
	}

	return &model.Thumbnails{Small: of("small"), Medium: of("medium"), Large: of("large"), Xl: of("xl")}
}

// ThumbnailVersion identifies what the thumbnails of a video show now. It changes with each edit, with everything that
// the server finds out about the video, and with the copy of its custom thumbnail.
func ThumbnailVersion(v *ent.Video) string {
	version := strconv.FormatInt(v.Revision, 10) + "-" + strconv.FormatInt(v.UpdatedAt.UnixMilli(), 36)
	if v.ThumbnailKey == "" {
		return version
	}

	sum := sha256.Sum256([]byte(v.ThumbnailKey)) // keys are not shown

	return version + "-" + hex.EncodeToString(sum[:4])
}

// AvatarOf returns the signed address of a person's picture, or nil if there is none. The picture is made when its
// address is first requested.
func (svc *Service) AvatarOf(u *ent.User) *string {
	if u.AvatarSourceID == "" {
		return nil
	}

	return new(svc.Addresses.Still(u.ID, AvatarVersion(u), "avatar", "jpg", signedurl.Steady(svc.Store.Now(), stillSigned)))
}

// AvatarVersion identifies the picture of a person.
func AvatarVersion(u *ent.User) string {
	sum := sha256.Sum256([]byte(u.AvatarSourceID))

	return hex.EncodeToString(sum[:8])
}

// VolumeOf returns the volume of one of a clip's sounds. It is the clip's own volume or, if the clip has none, the
// volume that is set for the whole video.
func VolumeOf(own *float64, general float64) *model.Volume {
	v := &model.Volume{Override: own, Effective: general}
	if own != nil {
		v.Effective = *own
	}

	return v
}
