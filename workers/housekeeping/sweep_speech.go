package housekeeping

import (
	"context"
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	hearing "github.com/reelgraph/reelgraph/workers/speech"
)

const orphanSpeechSQL = `
WITH heard AS (
  SELECT args ->> 'sourceId' AS source_id FROM river_job
  WHERE kind = 'transcribe' AND state NOT IN ('cancelled', 'completed', 'discarded')
)
SELECT c.id, c.workspace_id FROM clips c WHERE c.transcript_status IN ('pending', 'processing') AND c.recording_ms > 0
  AND NOT EXISTS (SELECT FROM heard h WHERE h.source_id = c.screen_source_id)
  AND NOT EXISTS (SELECT FROM heard h WHERE h.source_id = c.camera_source_id)
  AND NOT EXISTS (SELECT FROM heard h WHERE h.source_id = c.microphone_source_id) LIMIT $1`

// unavailableSpeechSQL finds clips that could not be transcribed for lack of a provider and for which no job has
// started since.
const unavailableSpeechSQL = `
SELECT c.id, c.workspace_id FROM clips c WHERE c.transcript_status = 'unavailable' ORDER BY c.updated_at LIMIT $1`

// settleSpeech retries the transcription of clips that had no provider, and fails the clips whose job died in every
// attempt.
func (w *Sweep) settleSpeech(ctx context.Context) error {
	found, err := w.orphans(ctx, orphanSpeechSQL)
	if err != nil {
		return err
	}

	if w.Speech != nil {
		unavailable, err := w.orphans(ctx, unavailableSpeechSQL)
		if err != nil {
			return err
		}

		found = append(found, unavailable...)
	}

	var faults []error

	for _, o := range found {
		c, err := multitrack.WithSources(w.Store.Client(ctx).Clip.Query().Where(clip.ID(o.id))).Only(ctx)
		if ent.IsNotFound(err) {
			continue
		}

		if err == nil {
			err = w.settleWords(ctx, c)
		}

		faults = append(faults, err)
	}

	return errors.Join(faults...)
}

func (w *Sweep) settleWords(ctx context.Context, c *ent.Clip) error {
	sound := multitrack.Listened(c).Source

	switch {
	case sound != nil && c.TranscriptStatus == values.TranscriptStatusPending:
		return w.Store.InTx(auth.AsWorkspace(ctx, c.WorkspaceID), func(ctx context.Context) error {
			return w.Queue.Add(ctx, jobs.Transcribe{SourceID: sound.ID})
		})
	case sound != nil && c.TranscriptStatus == values.TranscriptStatusUnavailable:
		return w.hearAfterAll(ctx, c, sound)
	}

	return w.RecordHeard(ctx, c.WorkspaceID, c.VideoID, func(other *ent.Clip) bool { return other.ID == c.ID },
		hearing.Unspoken("Something went wrong on our side."))
}

// hearAfterAll requests the transcription of a clip that had no provider before, unless its words were set meanwhile.
func (w *Sweep) hearAfterAll(ctx context.Context, c *ent.Clip, sound *ent.Source) error {
	return w.Store.InTx(auth.AsWorkspace(ctx, c.WorkspaceID), func(ctx context.Context) error {
		n, err := w.Store.Client(ctx).Clip.Update().
			Where(clip.ID(c.ID), clip.TranscriptStatusEQ(values.TranscriptStatusUnavailable)).
			SetTranscriptStatus(values.TranscriptStatusPending).SetUpdatedAt(c.UpdatedAt).Save(ctx)
		if err != nil {
			return fmt.Errorf("request the transcription of clip %s: %w", c.ID, err)
		}

		if n == 0 {
			return nil
		}

		return w.Queue.Add(ctx, jobs.Transcribe{SourceID: sound.ID})
	})
}
