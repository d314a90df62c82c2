package media

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// unheardOf matches clips that wait for the transcript of a source.
func unheardOf(src *ent.Source) predicate.Clip {
	return clip.And(
		clip.TranscriptStatusIn(values.TranscriptStatusPending, values.TranscriptStatusProcessing),
		multitrack.MayHear(src.ID), clip.RecordingMsGT(0),
	)
}

// Waiting returns the ids of the videos with clips that wait for the transcript of exactly this source.
func (d Deps) Waiting(ctx context.Context, src *ent.Source) ([]string, error) {
	all, err := multitrack.WithSources(d.Store.Client(ctx).Clip.Query().Where(unheardOf(src))).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the clips of source %s: %w", src.ID, err)
	}

	var videos []string

	for _, c := range all {
		if ListensTo(c, src) {
			videos = append(videos, c.VideoID)
		}
	}

	slices.Sort(videos)

	return slices.Compact(videos), nil
}

// ListensTo reports whether the clip's transcript is made from this source. The clip's sources must have been loaded.
func ListensTo(c *ent.Clip, src *ent.Source) bool {
	sound := multitrack.Listened(c).Source

	return sound != nil && sound.ID == src.ID
}

// ChangeHeard is a function that changes the transcript state of a clip. It reports whether the video's updatedAt
// must change, which is the case for new words but not for progress. The video's revision never changes, because a
// transcript is not an edit.
type ChangeHeard func(ctx context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (news bool, err error)

// RecordHeard applies the function change to those clips of a video that still wait for their transcript. It skips
// clips for which the function meant returns false.
func (d Deps) RecordHeard(
	ctx context.Context, workspaceID, videoID string, meant func(*ent.Clip) bool, change ChangeHeard,
) error {
	err := d.Store.InTx(auth.AsWorkspace(ctx, workspaceID), func(ctx context.Context) error {
		db := d.Store.Client(ctx)

		v, err := db.Video.Query().Where(video.ID(videoID)).ForUpdate().Only(auth.WithTrash(ctx)) // it may be restored
		if ent.IsNotFound(err) {
			return nil
		}

		if err != nil {
			return err
		}

		clips, err := multitrack.WithSources(db.Clip.Query().Where(clip.VideoID(videoID))).
			Order(ent.Asc(clip.FieldPosition, clip.FieldID)).All(ctx)
		if err != nil {
			return err
		}

		before, news := transcripts.Of(clips), false

		for i, c := range clips {
			if !isWaiting(c) || multitrack.Waiting(c) || !meant(c) {
				continue
			}

			set := db.Clip.UpdateOneID(c.ID)

			found, err := change(ctx, c, set)
			if err != nil {
				return err
			}

			if clips[i], err = set.Save(ctx); err != nil {
				return err
			}

			news = news || found
		}

		if news {
			if err := db.Video.UpdateOneID(v.ID).SetUpdatedAt(d.Now()).Exec(ctx); err != nil {
				return err
			}
		}

		return transcripts.Tell(ctx, d.Queue, v, before, transcripts.Of(clips))
	})
	if err != nil {
		return fmt.Errorf("record the transcript of video %s: %w", videoID, err)
	}

	return nil
}

func isWaiting(c *ent.Clip) bool {
	return c.TranscriptStatus == values.TranscriptStatusPending || c.TranscriptStatus == values.TranscriptStatusProcessing
}
