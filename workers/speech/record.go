package speech

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// unknownLanguage is the tag of a language that nobody named.
const unknownLanguage = "und"

// record changes the clips of a video that wait for the words of a source, and tells what that makes of
// the video's transcript, in one transaction.
func (w *Transcribe) record(ctx context.Context, src *ent.Source, videoID string, change media.ChangeHeard) error {
	return w.RecordHeard(ctx, src.WorkspaceID, videoID, func(c *ent.Clip) bool { return media.ListensTo(c, src) }, change)
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
	now, err := transcripts.Replace(ctx, w.Store.Client(ctx), c, words, w.Now())
	if err != nil {
		return err
	}

	why, err := transcripts.Overfull(ctx, w.Store, c.VideoID, now)
	if err != nil || why == "" {
		return err
	}

	set.SetTranscriptStatus(values.TranscriptStatusFailed).SetTranscriptLanguage("").SetTranscriptError(why)
	_, err = transcripts.Replace(ctx, w.Store.Client(ctx), c, nil, w.Now())

	return err
}

// giveUp says of every clip that waits why it has no words.
func (w *Transcribe) giveUp(ctx context.Context, src *ent.Source, why string) error {
	return w.each(ctx, src, Unspoken(why))
}

// Unspoken is a clip's change to failed.
func Unspoken(why string) media.ChangeHeard {
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
func (w *Transcribe) each(ctx context.Context, src *ent.Source, change media.ChangeHeard) error {
	videos, err := w.Waiting(ctx, src)
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
