package graph

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// heard is how far a video's transcript is.
type heard struct {
	status   domain.TranscriptStatus
	language string // of the first clip with words, once ready
	problem  string // why it failed
}

// heardOf is ready when every clip is, failed when one failed and none is still being heard.
func heardOf(clips []*ent.Clip) heard {
	h := heard{status: domain.TranscriptStatusReady}
	waiting, hearing, failed := false, false, false

	for _, c := range clips {
		switch c.TranscriptStatus {
		case domain.TranscriptStatusPending:
			waiting = true
		case domain.TranscriptStatusProcessing:
			hearing = true
		case domain.TranscriptStatusFailed:
			failed = true

			if h.problem == "" {
				h.problem = c.TranscriptError
			}
		case domain.TranscriptStatusReady:
			if h.language == "" {
				h.language = c.TranscriptLanguage
			}
		}
	}

	switch {
	case hearing:
		h.status = domain.TranscriptStatusProcessing
	case waiting:
		h.status = domain.TranscriptStatusPending
	case failed:
		h.status = domain.TranscriptStatusFailed
	}

	if h.status != domain.TranscriptStatusReady {
		h.language = ""
	}

	return h
}

// tellHeard publishes that the video's transcript has become ready, or has failed, in the transaction
// of what made it so.
func (r *Resolver) tellHeard(ctx context.Context, v *ent.Video, was, is heard) error {
	if was.status == is.status {
		return nil
	}

	about := webhook.Video{VideoID: v.ID, VideoName: v.Name}

	switch is.status {
	case domain.TranscriptStatusReady:
		return r.Jobs.Publish(ctx, webhook.TranscriptReadyEvent{Video: about, Language: is.language}, jobs.Readers(v.ID))
	case domain.TranscriptStatusFailed:
		return r.Jobs.Publish(ctx, webhook.TranscriptFailedEvent{
			Video: about, Error: webhook.Problem{Code: "transcript_failed", Message: is.problem},
		}, jobs.Readers(v.ID))
	case domain.TranscriptStatusPending, domain.TranscriptStatusProcessing:
	}

	return nil
}
