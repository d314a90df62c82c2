// Package transcripts stores what is known of the speech in clips: whose sound is listened to, what that makes of the
// video's transcript, and its words. Services and workers share it. Start with Of and with Save.
package transcripts

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// Transcript is how far a video's transcript is.
type Transcript struct {
	Status   values.TranscriptStatus
	Language string // of the first clip with words, once ready
	Problem  string // why it failed
}

// Of says how far the transcript of a video is by its clips, which are all of the video, in their order. It is ready as soon
// as no clip is being heard, and at least one was heard, perhaps without a word, or was given words, or none has sound. It is
// failed when every clip with sound failed, or some did and the others were never heard; and unavailable when nobody could
// listen to any.
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

// hasSound reports whether there is anything to hear in a clip.
func hasSound(c *ent.Clip) bool { return c.HasMicrophone || c.HasSystemAudio }

// Tell publishes that the video's transcript has become ready, or has failed, in the transaction of what
// made it so.
func Tell(ctx context.Context, q *jobs.Queue, v *ent.Video, was, is Transcript) error {
	if was.Status == is.Status {
		return nil
	}

	about := event.Video{VideoID: v.ID, VideoName: v.Name}

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
