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

// unknownLanguage is the language tag used when the language is unknown.
const unknownLanguage = "und"

// record changes the clips of a video that wait for the words of a source and publishes the resulting transcript
// state of the video, in one transaction.
func (w *Transcribe) record(ctx context.Context, src *ent.Source, videoID string, change media.ChangeHeard) error {
	return w.RecordHeard(ctx, src.WorkspaceID, videoID, func(c *ent.Clip) bool { return media.ListensTo(c, src) }, change)
}

// keep stores the words in every clip that still waits for them. A clip that started waiting after the last look has
// its own job.
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

// recordedWords returns the words of a sound in the recording time of a clip, for a sound that started at an offset.
// Words before its start or after its end are dropped.
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

// replaceWords sets the words of a clip. If its video would exceed the limit, the transcript fails.
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

// giveUp fails the transcript of every waiting clip with the reason.
func (w *Transcribe) giveUp(ctx context.Context, src *ent.Source, why string) error {
	return w.each(ctx, src, Unspoken(why))
}

// Unspoken returns a ChangeHeard that marks a clip's transcript as failed, for the given reason.
func Unspoken(why string) media.ChangeHeard {
	return func(_ context.Context, _ *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
		set.SetTranscriptStatus(values.TranscriptStatusFailed).SetTranscriptLanguage("").SetTranscriptError(why)

		return false, nil
	}
}

// unavailable marks a clip as not transcribed for lack of a provider. Sweep requests the transcript again when there
// is one.
func unavailable(_ context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
	set.SetTranscriptStatus(values.TranscriptStatusUnavailable).SetTranscriptLanguage("").SetTranscriptError("").SetUpdatedAt(c.UpdatedAt)

	return false, nil
}

// each applies a change to all clips that wait for the source's words.
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
