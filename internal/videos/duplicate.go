package videos

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/chapter"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

const (
	copySuffix = " (Copy)"
	copyChars  = 248 // the part of a name before the suffix
)

// DuplicateVideo copies a video with its clips and everything that belongs to them. The copy uses the same sources.
func (svc *Service) DuplicateVideo(ctx context.Context, id string, in model.DuplicateVideoInput) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Video, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, id)
		if err != nil {
			return nil, err
		}

		if err := svc.refuseCopy(ctx, v); err != nil {
			return nil, err
		}

		clips, err := svc.Listing.ClipsInOrder(ctx, id)
		if err != nil {
			return nil, err
		}

		if in.Trim.Value() != nil {
			if err := listing.RefuseArriving(clips...); err != nil {
				return nil, err
			}
		}

		play, err := svc.trimOf(ctx, v, clips, in.Trim.Value())
		if err != nil {
			return nil, err
		}

		made, err := svc.copyVideo(ctx, v, in, play.LengthMs())
		if err != nil {
			return nil, err
		}

		copies, err := svc.copyParts(ctx, made, clips, play)
		if err != nil {
			return nil, err
		}

		if in.Trim.Value() != nil {
			if err := svc.dropChapters(ctx, made, clips, copies, play); err != nil {
				return nil, err
			}

			if err := svc.moveChapters(ctx, v, made, clips, copies, play); err != nil {
				return nil, err
			}
		}

		if made, err = svc.copyChosen(ctx, v, made, copies); err != nil {
			return nil, err
		}

		if err := svc.prepareThumbnails(ctx, made); err != nil {
			return nil, err
		}

		created := event.VideoCreatedEvent{Video: event.VideoOf(made.ID, made.Name)}

		return made, svc.Jobs.Publish(ctx, created, jobs.Readers(made.ID))
	})
}

// refuseCopy returns forbidden unless the caller may edit the video, or may read it while its raw downloads are
// enabled: the copy contains the whole recording.
func (svc *Service) refuseCopy(ctx context.Context, v *ent.Video) error {
	who, err := access.Creator(ctx)
	if err != nil {
		return err
	}

	may, err := svc.Listing.Rights().MayEdit(ctx, who, v)
	if err != nil {
		return err
	}

	if !may && (!v.Settings.DownloadsEnabled || !v.Settings.RawDownloadsEnabled) {
		return fault.Forbidden("You may not duplicate this video, because you may not edit it " +
			"and its raw downloads are disabled. A copy would contain the whole recording.")
	}

	if !middleware.Holds(ctx, v.Revision) {
		return fault.EditConflict()
	}

	return nil
}

// trimOf returns the range of playback time that the copy keeps.
func (svc *Service) trimOf(ctx context.Context, v *ent.Video, clips []*ent.Clip, in *model.TrimInput) (values.Span, error) {
	end := sequenceOf(clips).DurationMs()

	switch {
	case in == nil:
		return values.Span{EndMs: end}, nil
	case in.ChapterIndex != nil:
		return svc.chapterSpan(ctx, v, *in.ChapterIndex, end)
	}

	play := in.Span()
	play.EndMs = min(play.EndMs, end)

	switch {
	case play.StartMs >= end:
		return play, trimFault("startSeconds", fmt.Sprintf("must be before the end of the video, at %v seconds", model.Seconds(end)))
	case play.LengthMs() < model.MinTrimMs:
		return play, trimFault("startSeconds", "must be at least 1 second before the end of the video")
	default:
		return play, nil
	}
}

// chapterSpan returns the range from a chapter to the next one or to the end.
func (svc *Service) chapterSpan(ctx context.Context, v *ent.Video, index int, end int64) (values.Span, error) {
	all, err := svc.ChaptersOf(ctx, v)
	if err != nil {
		return values.Span{}, err
	}

	if index >= len(all) {
		return values.Span{}, trimFault("chapterIndex", fmt.Sprintf("must name one of the video's %d chapters, counted from 0", len(all)))
	}

	if index+1 < len(all) {
		end = all[index+1].TimestampMs
	}

	if all[index].TimestampMs >= end {
		return values.Span{}, trimFault("chapterIndex", "must name a chapter that is not entirely cut")
	}

	return values.Span{StartMs: all[index].TimestampMs, EndMs: end}, nil
}

func trimFault(field, rule string) error {
	return fault.Invalid([]fault.Field{{Path: "trim." + field, Rule: rule}})
}

// copyVideo creates the row of the copy. The caller becomes its creator.
func (svc *Service) copyVideo(ctx context.Context, v *ent.Video, in model.DuplicateVideoInput, lengthMs int64) (*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	name := []rune(v.Name)
	draft := draftOf(v)
	draft.name = string(name[:min(len(name), copyChars)]) + copySuffix
	optional.Give(&draft.name, in.Name)

	create := svc.Store.Client(ctx).Video.Create().SetUserID(who.UserID).SetCreatedAt(svc.Store.Now()).SetUpdatedAt(svc.Store.Now()).
		SetDurationMs(lengthMs).SetNextClipNumber(v.NextClipNumber)
	draft.save(create.Mutation())

	if v.BackgroundMusic != nil {
		create.SetBackgroundMusic(v.BackgroundMusic)
	}

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create copy of video: %w", err)
	}

	return made, nil
}

// copyParts copies the clips that the range shows and cuts the rest. It returns the copy of each clip.
func (svc *Service) copyParts(ctx context.Context, made *ent.Video, clips []*ent.Clip, play values.Span) (map[string]string, error) {
	kept := sequenceOf(clips).Trim(play)

	for i, c := range clips { // clips that are still being uploaded cannot be trimmed
		if multitrack.Waiting(c) {
			kept = append(kept, timeline.Kept{Clip: i, Cuts: c.Cuts})
		}
	}

	slices.SortFunc(kept, func(a, b timeline.Kept) int { return cmp.Compare(a.Clip, b.Clip) })

	copies := make(map[string]string, len(kept))

	for _, k := range kept {
		copies[clips[k.Clip].ID] = ids.New(ids.Clip)
	}

	if err := svc.CopyClips(ctx, made.ID, copies); err != nil {
		return nil, err
	}

	for i, k := range kept {
		was := clips[k.Clip]

		err := svc.Store.Client(ctx).Clip.UpdateOneID(copies[was.ID]).SetPosition(i).SetCuts(k.Cuts).
			SetDurationMs(timeline.NewClock(was.RecordingMs, k.Cuts).DurationMs()).SetUpdatedAt(made.UpdatedAt).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("trim copy of clip: %w", err)
		}
	}

	return copies, nil
}

// dropChapters deletes the chapters of the copy that lie outside the range.
func (svc *Service) dropChapters(
	ctx context.Context, made *ent.Video, clips []*ent.Clip, copies map[string]string, play values.Span,
) error {
	sequence, begins, clocks := sequenceOf(clips), map[string]int64{}, map[string]timeline.Clock{}
	for i, c := range clips {
		begins[copies[c.ID]], clocks[copies[c.ID]] = sequence.StartMs(i), listing.ClockOf(c)
	}

	rows, err := svc.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(made.ID)).All(ctx)
	if err != nil {
		return fmt.Errorf("read chapters of copy: %w", err)
	}

	var outside []string

	for _, row := range rows {
		if at := begins[row.ClipID] + clocks[row.ClipID].Play(row.AtMs); at < play.StartMs || at >= play.EndMs {
			outside = append(outside, row.ID)
		}
	}

	if _, err := svc.Store.Client(ctx).Chapter.Delete().Where(chapter.IDIn(outside...)).Exec(ctx); err != nil {
		return fmt.Errorf("drop chapters of copy: %w", err)
	}

	return nil
}

// moveChapters gives the copy two more kinds of chapters, which name what is seen from there on: those at a join in the
// range, and those in clips that the range does not show.
func (svc *Service) moveChapters(
	ctx context.Context, v, made *ent.Video, clips []*ent.Clip, copies map[string]string, play values.Span,
) error {
	rows, err := svc.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(v.ID)).All(ctx)
	if err != nil {
		return fmt.Errorf("read chapters: %w", err)
	}

	copied := map[string]bool{}
	for _, row := range rows {
		copied[row.ID] = copies[row.ClipID] != ""
	}

	var moved []*ent.ChapterCreate

	above := []string{made.ID}

	for _, c := range ReportChapters(clips, rows) {
		if copied[c.ID] || c.TimestampMs < play.StartMs || c.TimestampMs >= play.EndMs {
			continue
		}

		mark, _ := sequenceOf(clips).Anchor(c.TimestampMs)
		above = append(above, copies[clips[mark.Clip].ID])
		moved = append(moved, svc.Store.Client(ctx).Chapter.Create().SetVideo(made).SetClipID(copies[clips[mark.Clip].ID]).SetAtMs(mark.AtMs).
			SetTitle(c.Title).SetDescription(c.Description).SetCreatedAt(made.CreatedAt).SetUpdatedAt(made.UpdatedAt))
	}

	if err := svc.createChapters(ctx, moved, above); err != nil {
		return fmt.Errorf("move chapters of copy: %w", err)
	}

	return nil
}
