package videos

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// InsertClip creates a clip from a recording.
func (svc *Service) InsertClip(ctx context.Context, v *ent.Video, name string, position int, c NewClip) (*ent.Clip, error) {
	status := values.TranscriptStatusReady // a clip without sound has nothing to transcribe

	speech := c.Speech(c.offsets).Source
	if speech != nil || c.lengthMs == 0 {
		status = values.TranscriptStatusPending
	}

	if err := svc.nameMicrophone(ctx, c.Microphone); err != nil {
		return nil, err
	}

	microphone, system := c.Heard(c.offsets)

	now := svc.Store.Now()

	made, err := svc.Store.Client(ctx).Clip.Create().
		SetVideo(v).SetName(name).SetPosition(position).
		SetNillableScreenSourceID(IDOf(c.Screen)).SetNillableCameraSourceID(IDOf(c.Camera)).
		SetNillableMicrophoneSourceID(IDOf(c.Microphone)).SetNillableMouseSourceID(IDOf(c.Mouse)).SetOffsets(c.offsets).
		SetRecordingMs(c.lengthMs).SetDurationMs(c.lengthMs).SetCuts(values.Cuts{}).
		SetHasMicrophone(microphone).SetHasSystemAudio(system).
		SetAnimatedCursor(c.Mouse != nil).SetBackground(values.DefaultBackground()).
		SetTranscriptStatus(status).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create clip: %w", err)
	}

	if speech == nil || c.lengthMs == 0 {
		return made, nil
	}

	return made, svc.Jobs.Add(ctx, jobs.Transcribe{SourceID: speech.ID})
}

// nameMicrophone marks a separately recorded sound as that of the microphone, so that the microphone volume applies to
// it. It keeps a mark that is already set.
func (svc *Service) nameMicrophone(ctx context.Context, s *ent.Source) error {
	if s == nil || s.Audio != nil && *s.Audio == values.SourceAudioMicrophone {
		return nil
	}

	if err := svc.Store.Client(ctx).Source.UpdateOneID(s.ID).SetAudio(values.SourceAudioMicrophone).Exec(ctx); err != nil {
		return fmt.Errorf("set audio role of microphone: %w", err)
	}

	return nil
}

// EditClip calls the function change with a clip, and saves the clip. It returns an error if the caller may not edit
// the clip. If change sets a field, EditClip counts one edit of the video and updates the length of the video.
func (svc *Service) EditClip(ctx context.Context, videoID, id string, input any,
	change func(ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation) error,
) (*ent.Clip, error) {
	return store.Write(ctx, svc.Store, input, func(ctx context.Context) (*ent.Clip, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		was, err := svc.Listing.ClipOf(ctx, videoID, id)
		if err != nil {
			return nil, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		update := svc.Store.Client(ctx).Clip.UpdateOneID(id)
		if err := change(ctx, v, was, update.Mutation()); err != nil {
			return nil, err
		}

		if len(update.Mutation().Fields()) == 0 && len(update.Mutation().ClearedFields()) == 0 {
			return was, nil
		}

		changed, err := update.SetUpdatedAt(svc.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update clip: %w", err)
		}

		if changed.Edges.Video, err = svc.TouchVideo(ctx, v, changed.DurationMs-was.DurationMs); err != nil {
			return nil, err
		}

		return changed, nil
	})
}

// TouchVideo counts one edit of a video and adds longerMs to the length of the video. The caller must have locked the
// row of the video.
func (svc *Service) TouchVideo(ctx context.Context, v *ent.Video, longerMs int64) (*ent.Video, error) {
	touched, err := svc.Store.Client(ctx).Video.UpdateOneID(v.ID).
		AddRevision(1).AddDurationMs(longerMs).SetUpdatedAt(svc.Store.Now()).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update video: %w", err)
	}

	return touched, nil
}
