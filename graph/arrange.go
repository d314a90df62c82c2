package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/heard"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// addClip appends a clip of ready sources.
func (r *Resolver) addClip(ctx context.Context, videoID string, in model.AddClipInput) (*ent.Clip, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	v, err := r.readableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	unusable, err := r.findSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	// Whether the caller may do this at all is said before what state the sources are in.
	if err := r.refuseEdit(ctx, v, unusable); err != nil {
		return nil, err
	}

	who, err := creator(ctx)
	if err != nil {
		return nil, err
	}

	taken, err := r.takeSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	return r.rearrange(ctx, videoID, nil, func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error) {
		if err := taken.keep(ctx, r, who.UserID); err != nil {
			return nil, err
		}

		number := nextNumber(v, all)

		name, next := fmt.Sprint("Clip ", number), number+1
		if given := in.Name.Value(); given != nil {
			name, next = *given, number
		}

		made, err := r.insertClip(ctx, v, name, len(all), taken.clip())
		if err != nil {
			return nil, err
		}

		if err := r.Store.Client(ctx).Video.UpdateOneID(v.ID).SetNextClipNumber(next).Exec(ctx); err != nil {
			return nil, fmt.Errorf("count clips: %w", err)
		}

		return made, nil
	})
}

// nextNumber is one above every number that a clip of the video was ever given, or is named by.
func nextNumber(v *ent.Video, all []*ent.Clip) int {
	next := v.NextClipNumber

	for _, c := range all {
		digits, is := strings.CutPrefix(c.Name, "Clip ")
		if n, err := strconv.Atoi(digits); is && err == nil && n >= next && n < math.MaxInt32 {
			next = n + 1
		}
	}

	return next
}

// rearrange runs change on a video the caller may edit and on its clips in their order. What clips
// there are then counts as one edit of the video and makes its length and its transcript's status.
func (r *Resolver) rearrange(ctx context.Context, videoID string, input any,
	change func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error),
) (*ent.Clip, error) {
	return store.Write(ctx, r.Store, input, func(ctx context.Context) (*ent.Clip, error) {
		v, err := r.editableVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		all, err := r.clipsInOrder(ctx, videoID)
		if err != nil {
			return nil, err
		}

		before := heard.Of(all)

		changed, err := change(ctx, v, all)
		if err != nil {
			return nil, err
		}

		now, err := r.clipsInOrder(ctx, videoID)
		if err != nil {
			return nil, err
		}

		var lengthMs int64
		for _, c := range now {
			lengthMs += c.DurationMs
		}

		if changed.Edges.Video, err = r.touchVideo(ctx, v, lengthMs-v.DurationMs); err != nil {
			return nil, err
		}

		return changed, heard.Tell(ctx, r.Jobs, v, before, heard.Of(now))
	})
}

// clipsInOrder reads all clips of a video.
func (r *Resolver) clipsInOrder(ctx context.Context, videoID string) ([]*ent.Clip, error) {
	all, err := r.Store.Client(ctx).Clip.Query().Where(clip.VideoID(videoID)).
		Order(ent.Asc(clip.FieldPosition, clip.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	return all, nil
}

// insertClip makes a clip of a recording.
func (r *Resolver) insertClip(ctx context.Context, v *ent.Video, name string, position int, c newClip) (*ent.Clip, error) {
	status := values.TranscriptStatusReady // without sound there is nothing to hear

	speech := c.Speech(c.offsets).Source
	if speech != nil || c.lengthMs == 0 {
		status = values.TranscriptStatusPending
	}

	if err := r.nameMicrophone(ctx, c.Microphone); err != nil {
		return nil, err
	}

	microphone, system := c.Heard(c.offsets)

	now := r.Store.Now()

	made, err := r.Store.Client(ctx).Clip.Create().
		SetVideo(v).SetName(name).SetPosition(position).
		SetNillableScreenSourceID(idOf(c.Screen)).SetNillableCameraSourceID(idOf(c.Camera)).
		SetNillableMicrophoneSourceID(idOf(c.Microphone)).SetNillableMouseSourceID(idOf(c.Mouse)).SetOffsets(c.offsets).
		SetRecordingMs(c.lengthMs).SetDurationMs(c.lengthMs).SetCuts(timeline.Cuts{}).
		SetHasMicrophone(microphone).SetHasSystemAudio(system).
		SetAnimatedCursor(c.Mouse != nil).SetBackground(values.DefaultBackground()).
		SetTranscriptStatus(status).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create clip: %w", err)
	}

	if speech == nil || c.lengthMs == 0 {
		return made, nil
	}

	return made, r.Jobs.Add(ctx, jobs.Transcribe{SourceID: speech.ID})
}

// nameMicrophone says of a sound that was recorded apart which volume governs it, where nobody had said so.
func (r *Resolver) nameMicrophone(ctx context.Context, s *ent.Source) error {
	if s == nil || s.Audio != nil && *s.Audio == values.SourceAudioMicrophone {
		return nil
	}

	if err := r.Store.Client(ctx).Source.UpdateOneID(s.ID).SetAudio(values.SourceAudioMicrophone).Exec(ctx); err != nil {
		return fmt.Errorf("name microphone: %w", err)
	}

	return nil
}

// deleteClip removes a clip and what belongs to it. Its sources stay, so that it can be added again.
func (r *Resolver) deleteClip(ctx context.Context, videoID, id string) (*ent.Video, error) {
	gone, err := r.rearrangeAround(ctx, videoID, id, nil, func(
		ctx context.Context, v *ent.Video, all []*ent.Clip, c *ent.Clip,
	) (*ent.Clip, error) {
		if len(all) == 1 {
			return nil, fault.Conflict("This is the video's last clip. A video has at least one.")
		}

		effects, err := r.Store.Client(ctx).Effect.Query().Where(effect.ClipID(id), effect.SourceIDNotNil()).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read effects: %w", err)
		}

		dropped := make([]string, len(effects))
		for i, e := range effects {
			dropped[i] = *e.SourceID
		}

		if err := r.discardCopies(ctx, v, dropped); err != nil {
			return nil, err
		}

		if err := r.Store.Client(ctx).Clip.DeleteOneID(id).Exec(ctx); err != nil {
			return nil, fmt.Errorf("delete clip: %w", err)
		}

		all = slices.DeleteFunc(all, func(other *ent.Clip) bool { return other.ID == id })
		return c, r.number(ctx, all)
	})
	if err != nil {
		return nil, err
	}

	return gone.Edges.Video, nil
}

// rearrangeAround is rearrange for what is done to one of the clips.
func (r *Resolver) rearrangeAround(ctx context.Context, videoID, id string, input any,
	change func(ctx context.Context, v *ent.Video, all []*ent.Clip, c *ent.Clip) (*ent.Clip, error),
) (*ent.Clip, error) {
	// An unknown clip is said before what the caller may not do to a known one.
	if _, err := r.readableVideo(ctx, videoID, selection.Fields("id")); err != nil {
		return nil, err
	}

	if _, err := r.clipOf(ctx, videoID, id); err != nil {
		return nil, err
	}

	return r.rearrange(ctx, videoID, input, func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error) {
		i := slices.IndexFunc(all, func(c *ent.Clip) bool { return c.ID == id })
		if i < 0 {
			return nil, fault.NotFound("clip")
		}

		return change(ctx, v, all, all[i])
	})
}

// duplicateClip copies a clip with all that belongs to it.
func (r *Resolver) duplicateClip(ctx context.Context, videoID, id string, in model.DuplicateClipInput) (*ent.Clip, error) {
	return r.rearrangeAround(ctx, videoID, id, nil, func(ctx context.Context, _ *ent.Video, all []*ent.Clip, c *ent.Clip) (*ent.Clip, error) {
		at := c.Position + 1
		if order := in.Order.Value(); order != nil {
			at = min(*order, len(all))
		}

		name := c.Name
		give(&name, in.Name)

		made := ids.New(ids.Clip)
		if err := r.copyClips(ctx, videoID, map[string]string{id: made}); err != nil {
			return nil, err
		}

		if err := r.refuseMoreWords(ctx, videoID); err != nil {
			return nil, err
		}

		err := r.Store.Client(ctx).Clip.UpdateOneID(made).SetName(name).SetPosition(at).SetUpdatedAt(r.Store.Now()).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("name copy of clip: %w", err)
		}

		if err := r.number(ctx, slices.Insert(all, at, &ent.Clip{ID: made, Position: at})); err != nil {
			return nil, err
		}

		return r.Store.Client(ctx).Clip.Get(ctx, made)
	})
}

// reorderClip moves a clip to a position of its video.
func (r *Resolver) reorderClip(ctx context.Context, videoID, id string, in model.ReorderClipInput) (*ent.Clip, error) {
	return r.editClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		return r.reorder(ctx, c, in.Order, m)
	})
}

// reorder moves a clip to a position of its video; beyond the end is last. Positions stay 0 to n-1.
func (r *Resolver) reorder(ctx context.Context, c *ent.Clip, to int, m *ent.ClipMutation) error {
	all, err := r.clipsInOrder(ctx, c.VideoID)
	if err != nil {
		return err
	}

	all = slices.DeleteFunc(all, func(other *ent.Clip) bool { return other.ID == c.ID })
	to = min(to, len(all))

	if c.Position != to {
		m.SetPosition(to)
	}

	return r.number(ctx, slices.Insert(all, to, &ent.Clip{ID: c.ID, Position: to}))
}

// number gives clips their places in the order they are in.
func (r *Resolver) number(ctx context.Context, all []*ent.Clip) error {
	for i, c := range all {
		if c.Position == i {
			continue
		}

		if err := r.Store.Client(ctx).Clip.UpdateOneID(c.ID).SetPosition(i).SetUpdatedAt(r.Store.Now()).Exec(ctx); err != nil {
			return fmt.Errorf("move clip: %w", err)
		}
	}

	return nil
}
