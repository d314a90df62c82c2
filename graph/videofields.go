package graph

import (
	"context"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/chapter"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// clipsOf are all clips of a video in their order, as loaded with it or read now.
func (r *Resolver) clipsOf(ctx context.Context, v *ent.Video) ([]*ent.Clip, error) {
	all, err := v.Edges.ClipsOrErr()
	if err != nil {
		if all, err = r.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID)).All(ctx); err != nil {
			return nil, fmt.Errorf("read clips: %w", err)
		}
	}

	// A copy: the chapters and the transcript of a video are resolved at once, from the same rows.
	return slices.SortedFunc(slices.Values(all), func(a, b *ent.Clip) int { return a.Position - b.Position }), nil
}

// clipPage is a page of a video's clips.
func (r *Resolver) clipPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.ClipConnection, error) {
	of := "clips|" + v.ID
	cursorOf := func(c *ent.Clip) string {
		return r.seal(cursor{MadeMs: r.now().UnixMilli(), AtMs: int64(c.Position), ID: c.ID}, of)
	}

	if rows, err := v.NamedClips(nameOf(ctx, "clips", size)); err == nil && after == nil {
		return pageOf(withVideo(rows, v), size, cursorOf, totalOf(rows)), nil
	}

	q := r.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID))
	count := q.Clone()
	selectClip(q, selection.Of(ctx).Items())

	if after != nil {
		c, err := r.open(*after, of)
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

	return pageOf(withVideo(rows, v), size, cursorOf, count.Count), nil
}

// withVideo tells clips their video, so that none of them reads it again.
func withVideo(clips []*ent.Clip, v *ent.Video) []*ent.Clip {
	for _, c := range clips {
		c.Edges.Video = v
	}

	return clips
}

// exportPage is a page of a video's exports, newest first, empty for readers who may not export.
func (r *Resolver) exportPage(ctx context.Context, v *ent.Video, size int, after *string) (*model.ExportConnection, error) {
	of := "exports|" + v.ID
	cursorOf := func(e *ent.Export) string {
		return r.seal(cursor{MadeMs: r.now().UnixMilli(), AtMs: e.CreatedAt.UnixMilli(), ID: e.ID}, of)
	}

	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	may, err := r.mayExport(ctx, v, false)
	if err != nil {
		return nil, err
	}

	if !may {
		return pageOf(nil, size, cursorOf, func(context.Context) (int, error) { return 0, nil }), nil
	}

	if rows, err := v.NamedExports(nameOf(ctx, "exports", size)); err == nil && after == nil {
		return pageOf(rows, size, cursorOf, totalOf(rows)), nil
	}

	q := r.Store.Client(ctx).Export.Query().Where(export.VideoID(v.ID), listable(who))
	count := q.Clone()

	if after != nil {
		c, err := r.open(*after, of)
		if err != nil {
			return nil, err
		}

		q.Where(func(s *sql.Selector) {
			s.Where(sql.CompositeLT([]string{s.C(export.FieldCreatedAt), s.C(export.FieldID)}, time.UnixMilli(c.AtMs).UTC(), c.ID))
		})
	}

	rows, err := q.Order(ent.Desc(export.FieldCreatedAt, export.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read exports: %w", err)
	}

	return pageOf(rows, size, cursorOf, count.Count), nil
}

// chaptersOf are a video's chapters in playback time. Of several on one millisecond, which a cut
// brings together, the last in recording order stands.
func (r *Resolver) chaptersOf(ctx context.Context, v *ent.Video) ([]*model.Chapter, error) {
	rows, err := v.Edges.ChaptersOrErr()
	if err != nil {
		if rows, err = r.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(v.ID)).All(ctx); err != nil {
			return nil, fmt.Errorf("read chapters: %w", err)
		}
	}

	if len(rows) == 0 {
		return []*model.Chapter{}, nil
	}

	clips, err := r.clipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	return reportChapters(clips, rows), nil
}

func reportChapters(clips []*ent.Clip, rows []*ent.Chapter) []*model.Chapter {
	begins, clocks, places := map[string]int64{}, map[string]timeline.Clock{}, map[string]int{}

	var played int64

	for i, c := range clips {
		begins[c.ID], clocks[c.ID], places[c.ID] = played, clockOf(c), i
		played += c.DurationMs
	}

	rows = slices.SortedFunc(slices.Values(rows), func(a, b *ent.Chapter) int {
		if d := places[a.ClipID] - places[b.ClipID]; d != 0 {
			return d
		}

		return int(a.AtMs - b.AtMs)
	})

	out := make([]*model.Chapter, 0, len(rows))

	for _, row := range rows {
		at := begins[row.ClipID] + clocks[row.ClipID].Play(row.AtMs)
		if n := len(out); n > 0 && out[n-1].TimestampMs == at {
			out = out[:n-1]
		}

		out = append(out, &model.Chapter{ID: row.ID, Title: row.Title, Description: row.Description, TimestampMs: at})
	}

	return out
}

// transcriptOf is what was said in a video: ready when every clip is, failed when one failed and none
// is still being heard.
func (r *Resolver) transcriptOf(ctx context.Context, v *ent.Video) (*model.Transcript, error) {
	clips, err := r.clipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	h := heardOf(clips)

	return &model.Transcript{Status: h.status, Language: h.language, Sentences: []*model.Sentence{}}, nil
}

// playlistsOf are the ids of the playlists with the video that the caller may read.
func (r *Resolver) playlistsOf(ctx context.Context, v *ent.Video) ([]string, error) {
	rows, err := v.Edges.PlaylistVideosOrErr()
	if err != nil {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		q := r.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.VideoID(v.ID))
		inReadablePlaylists(who, q)

		if rows, err = q.All(ctx); err != nil {
			return nil, fmt.Errorf("read playlists: %w", err)
		}
	}

	named := make([]string, len(rows))
	for i, row := range rows {
		named[i] = row.PlaylistID
	}

	return named, nil
}

// thumbnailsOf are the signed addresses of a video's pictures, which are made when first asked for.
func (r *Resolver) thumbnailsOf(v *ent.Video) *model.Thumbnails {
	until := r.now().Add(stillSigned)
	of := func(size string) *model.Thumbnail {
		at := func(format string) string { return r.Addresses.Still(v.ID, v.Revision, size, format, until) }

		return &model.Thumbnail{Gif: at("gif"), Jpg: at("jpg"), Mp4: at("mp4"), Webp: at("webp")}
	}

	return &model.Thumbnails{Small: of("small"), Medium: of("medium"), Large: of("large"), Xl: of("xl")}
}

// volumeOf is a clip's volume of one sound: its own, else the video's.
func volumeOf(own *float64, general float64) *model.Volume {
	v := &model.Volume{Override: own, Effective: general}
	if own != nil {
		v.Effective = *own
	}

	return v
}
