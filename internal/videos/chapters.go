package videos

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/chapter"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// sequenceOf returns the clips of a video with their times.
func sequenceOf(clips []*ent.Clip) timeline.Video {
	v := timeline.Video{Clips: make([]timeline.Clip, len(clips))}
	for i, c := range clips {
		v.Clips[i] = timeline.Clip{ID: c.ID, LengthMs: c.RecordingMs, Cuts: c.Cuts}
	}

	return v
}

// ChaptersOf returns a video's chapters in playback time.
func (svc *Service) ChaptersOf(ctx context.Context, v *ent.Video) ([]*model.Chapter, error) {
	rows, known := listing.ListBelow[*ent.Chapter](v, "chapters")
	if !known {
		var err error
		if rows, err = svc.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(v.ID)).All(ctx); err != nil {
			return nil, fmt.Errorf("read chapters: %w", err)
		}
	}

	if len(rows) == 0 {
		return []*model.Chapter{}, nil
	}

	clips, err := svc.Listing.ClipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	return ReportChapters(clips, rows), nil
}

// ReportChapters returns chapters in the format of the API, with playback times. rows holds the stored chapters,
// which have recording times.
func ReportChapters(clips []*ent.Clip, rows []*ent.Chapter) []*model.Chapter {
	places := map[string]int{}
	for i, c := range clips {
		places[c.ID] = i
	}

	marks := make([]timeline.Mark, len(rows))
	for i, row := range rows {
		marks[i] = timeline.Mark{Clip: places[row.ClipID], AtMs: row.AtMs}
	}

	seen := sequenceOf(clips).Seen(marks)
	out := make([]*model.Chapter, len(seen))

	for i, s := range seen {
		row := rows[s.Index]
		out[i] = &model.Chapter{ID: row.ID, Title: row.Title, Description: row.Description, TimestampMs: s.PlayMs}
	}

	return out
}

// ReplaceChapters replaces all chapters of a video. Each chapter is stored as a recording time of the clip that plays
// at the chapter's time.
func (svc *Service) ReplaceChapters(ctx context.Context, videoID string, in model.ReplaceChaptersInput) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Video, error) {
		v, err := svc.Listing.Rights().EditableVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		clips, err := svc.Listing.ClipsInOrder(ctx, videoID)
		if err != nil {
			return nil, err
		}

		marks, err := anchors(clips, in.Chapters)
		if err != nil {
			return nil, err
		}

		was, err := svc.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(videoID)).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read chapters: %w", err)
		}

		if sameChapters(ReportChapters(clips, was), in.Chapters) && len(was) == len(in.Chapters) {
			return v, nil
		}

		if _, err := svc.Store.Client(ctx).Chapter.Delete().Where(chapter.VideoID(videoID)).Exec(ctx); err != nil {
			return nil, fmt.Errorf("clear chapters: %w", err)
		}

		above := []string{v.ID}
		rows := make([]*ent.ChapterCreate, len(in.Chapters))

		for i, c := range in.Chapters {
			above = append(above, clips[marks[i].Clip].ID)
			rows[i] = svc.Store.Client(ctx).Chapter.Create().SetVideo(v).SetClip(clips[marks[i].Clip]).SetAtMs(marks[i].AtMs).
				SetTitle(c.Title).SetDescription(describe(c)).SetCreatedAt(svc.Store.Now()).SetUpdatedAt(svc.Store.Now())
		}

		if err := svc.createChapters(ctx, rows, above); err != nil {
			return nil, err
		}

		return svc.TouchVideo(ctx, v, 0)
	})
}

// createChapters writes chapters whose edges lead to the rows above.
func (svc *Service) createChapters(ctx context.Context, rows []*ent.ChapterCreate, above []string) error {
	if len(rows) == 0 {
		return nil
	}

	ctx, err := schema.Proven(ctx, svc.Store.Client(ctx), above...)
	if err == nil {
		err = svc.Store.Client(ctx).Chapter.CreateBulk(rows...).Exec(ctx)
	}

	if err != nil {
		return fmt.Errorf("create chapters: %w", err)
	}

	return nil
}

// anchors returns the positions of chapters in the recordings. It returns bad_request for a chapter outside the video.
func anchors(clips []*ent.Clip, in []*model.ChapterInput) ([]timeline.Mark, error) {
	var faults []fault.Field

	sequence, marks := sequenceOf(clips), make([]timeline.Mark, len(in))

	for i, c := range in {
		mark, inside := sequence.Anchor(c.TimestampMs())
		if !inside {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("chapters[%d].timestampSeconds", i), Rule: fmt.Sprintf(
				"must be before the end of the video, at %v seconds", model.Seconds(sequence.DurationMs()))})
		}

		marks[i] = mark
	}

	if err := fault.Invalid(faults); err != nil {
		return nil, err
	}

	return marks, nil
}

func sameChapters(was []*model.Chapter, in []*model.ChapterInput) bool {
	if len(was) != len(in) {
		return false
	}

	for i, c := range in {
		if was[i].TimestampMs != c.TimestampMs() || was[i].Title != c.Title || was[i].Description != describe(c) {
			return false
		}
	}

	return true
}

func describe(c *model.ChapterInput) string {
	var text string

	optional.Give(&text, c.Description)

	return text
}
