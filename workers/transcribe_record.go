package workers

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
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// unknownLanguage is the tag of a language that nobody named.
const unknownLanguage = "und"

// unheardOf are clips of a source whose words are still to come.
func unheardOf(src *ent.Source) predicate.Clip {
	return clip.And(
		clip.TranscriptStatusIn(values.TranscriptStatusPending, values.TranscriptStatusProcessing),
		multitrack.MayHear(src.ID), clip.RecordingMsGT(0),
	)
}

// waiting are the videos with clips that wait for the words of this very source.
func (d MediaDeps) waiting(ctx context.Context, src *ent.Source) ([]string, error) {
	all, err := multitrack.WithSources(d.Store.Client(ctx).Clip.Query().Where(unheardOf(src))).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the clips of source %s: %w", src.ID, err)
	}

	var videos []string

	for _, c := range all {
		if listensTo(c, src) {
			videos = append(videos, c.VideoID)
		}
	}

	slices.Sort(videos)

	return slices.Compact(videos), nil
}

// listensTo reports whether the words of a clip, whose sources are loaded, are those of the source.
func listensTo(c *ent.Clip, src *ent.Source) bool {
	sound := multitrack.Listened(c).Source

	return sound != nil && sound.ID == src.ID
}

// changeHeard changes what is known of a clip's speech, and says whether that is news of its video: words are, progress
// is not. News moves the video's updatedAt and is no edit: nobody's revision is out of date by it.
type changeHeard func(ctx context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (news bool, err error)

// record changes the clips of a video that wait for the words of a source, and tells what that makes of
// the video's transcript, in one transaction.
func (w *Transcribe) record(ctx context.Context, src *ent.Source, videoID string, change changeHeard) error {
	return w.recordHeard(ctx, src.WorkspaceID, videoID, func(c *ent.Clip) bool { return listensTo(c, src) }, change)
}

// recordHeard changes those clips of a video that are still to be heard and are meant.
func (d MediaDeps) recordHeard(
	ctx context.Context, workspaceID, videoID string, meant func(*ent.Clip) bool, change changeHeard,
) error {
	err := d.Store.InTx(auth.AsWorkspace(ctx, workspaceID), func(ctx context.Context) error {
		db := d.Store.Client(ctx)

		v, err := db.Video.Query().Where(video.ID(videoID)).ForUpdate().Only(ctx)
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
			if err := db.Video.UpdateOneID(v.ID).SetUpdatedAt(d.now()).Exec(ctx); err != nil {
				return err
			}
		}

		return transcripts.Tell(ctx, d.Queue, v, before, transcripts.Of(clips))
	})
	if err != nil {
		return fmt.Errorf("record what was heard in video %s: %w", videoID, err)
	}

	return nil
}

func isWaiting(c *ent.Clip) bool {
	return c.TranscriptStatus == values.TranscriptStatusPending || c.TranscriptStatus == values.TranscriptStatusProcessing
}

// keep stores words in every clip that still waits for them. One that came to wait after the last look has
// a job of its own.
func (w *Transcribe) keep(ctx context.Context, src *ent.Source, said speech.Speech) error {
	language := ""

	if len(said.Words) > 0 {
		if language = said.Language; language == "" {
			language = unknownLanguage
		}
	}

	return w.each(ctx, src, func(ctx context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
		set.SetTranscriptStatus(values.TranscriptStatusReady).SetTranscriptLanguage(language).SetTranscriptError("")

		words := recordedWords(said.Words, multitrack.Listened(c).OffsetMs, c.RecordingMs)
		if len(words) == 0 {
			return false, nil
		}

		return true, w.replaceWords(ctx, c, set, words)
	})
}

// recordedWords are those that were heard in a sound which began at an offset, in the recording time of a clip. What was said
// before it began or after it ended is left out.
func recordedWords(said []speech.Word, offsetMs, lengthMs int64) []transcripts.Word {
	words := make([]transcripts.Word, 0, len(said))

	for _, word := range said {
		at := values.Span{StartMs: max(0, word.StartMs+offsetMs), EndMs: min(lengthMs, word.EndMs+offsetMs)}
		if at.LengthMs() > 0 {
			words = append(words, transcripts.Word{Text: word.Text, StartMs: at.StartMs, EndMs: at.EndMs, Confidence: word.Confidence})
		}
	}

	return words
}

// replaceWords gives a clip its words, unless its video would have more than it may: then its transcript has failed.
func (w *Transcribe) replaceWords(ctx context.Context, c *ent.Clip, set *ent.ClipUpdateOne, words []transcripts.Word) error {
	now, err := transcripts.Replace(ctx, w.Store.Client(ctx), c, words, w.now())
	if err != nil {
		return err
	}

	why, err := transcripts.Overfull(ctx, w.Store, c.VideoID, now)
	if err != nil || why == "" {
		return err
	}

	set.SetTranscriptStatus(values.TranscriptStatusFailed).SetTranscriptLanguage("").SetTranscriptError(why)
	_, err = transcripts.Replace(ctx, w.Store.Client(ctx), c, nil, w.now())

	return err
}

// giveUp says of every clip that waits why it has no words.
func (w *Transcribe) giveUp(ctx context.Context, src *ent.Source, why string) error {
	return w.each(ctx, src, unspoken(why))
}

// unspoken is a clip's change to failed.
func unspoken(why string) changeHeard {
	return func(_ context.Context, _ *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
		set.SetTranscriptStatus(values.TranscriptStatusFailed).SetTranscriptLanguage("").SetTranscriptError(why)

		return false, nil
	}
}

// unavailable is a clip's change to what nobody could listen to. A sweep has it heard once there is a provider.
func unavailable(_ context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
	set.SetTranscriptStatus(values.TranscriptStatusUnavailable).SetTranscriptLanguage("").SetTranscriptError("").SetUpdatedAt(c.UpdatedAt)

	return false, nil
}

// each records a change of all clips that wait for the source's words.
func (w *Transcribe) each(ctx context.Context, src *ent.Source, change changeHeard) error {
	videos, err := w.waiting(ctx, src)
	if err != nil {
		return err
	}

	for _, id := range videos {
		if err := w.record(ctx, src, id, change); err != nil {
			return err
		}
	}

	return nil
}
