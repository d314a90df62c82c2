// Package transcripts stores the words of clips and determines the state of a video's transcript. The services and
// the workers share it. Start with Of and Save.
package transcripts

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// Transcript is the state of a video's transcript.
type Transcript struct {
	Status   values.TranscriptStatus
	Language string // of the first clip with words, once ready
	Problem  string // why it failed
}

// Of returns the state of a video's transcript. clips must be all clips of the video, in order. The first of these
// rules that applies determines the state. While a clip is being transcribed, the transcript is processing. While a
// clip waits for it, the transcript is pending. The transcript is ready if at least one clip was transcribed, even if
// no words were found, or if a user supplied the words of a clip, or if no clip has sound. The transcript has failed
// if at least one clip failed. Otherwise it is unavailable, because no clip could be transcribed.
func Of(clips []*ent.Clip) Transcript {
	var t Transcript

	waiting, hearing, known, failed, unheard := false, false, false, false, false

	for _, c := range clips {
		switch c.TranscriptStatus {
		case values.TranscriptStatusPending:
			waiting = true
		case values.TranscriptStatusProcessing:
			hearing = true
		case values.TranscriptStatusFailed:
			failed = true

			if t.Problem == "" {
				t.Problem = c.TranscriptError
			}
		case values.TranscriptStatusUnavailable:
			unheard = true
		case values.TranscriptStatusReady:
			known = known || hasSound(c) || c.TranscriptLanguage != ""

			if t.Language == "" {
				t.Language = c.TranscriptLanguage
			}
		}
	}

	switch {
	case hearing:
		t.Status = values.TranscriptStatusProcessing
	case waiting:
		t.Status = values.TranscriptStatusPending
	case known || !failed && !unheard:
		return Transcript{Status: values.TranscriptStatusReady, Language: t.Language}
	case failed:
		return Transcript{Status: values.TranscriptStatusFailed, Problem: t.Problem}
	default:
		t.Status = values.TranscriptStatusUnavailable
	}

	return Transcript{Status: t.Status}
}

// hasSound reports whether a clip has any sound.
func hasSound(c *ent.Clip) bool { return c.HasMicrophone || c.HasSystemAudio }

// Tell publishes an event if the video's transcript has become ready or has failed. Call it in the transaction that
// changes the state.
func Tell(ctx context.Context, q *jobs.Queue, v *ent.Video, was, is Transcript) error {
	if was.Status == is.Status {
		return nil
	}

	about := event.VideoOf(v.ID, v.Name)

	switch is.Status {
	case values.TranscriptStatusReady:
		return q.Publish(ctx, event.TranscriptReadyEvent{Video: about, Language: is.Language}, jobs.Readers(v.ID))
	case values.TranscriptStatusFailed:
		return q.Publish(ctx, event.TranscriptFailedEvent{
			Video: about, Error: event.Problem{Code: "transcript_failed", Message: is.Problem},
		}, jobs.Readers(v.ID))
	case values.TranscriptStatusPending, values.TranscriptStatusProcessing, values.TranscriptStatusUnavailable:
	}

	return nil
}
