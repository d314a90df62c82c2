package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// sceneType says which layers the clip has.
func sceneType(c *ent.Clip) values.LayoutSceneType {
	return values.SceneType(c.ScreenSourceID != nil, c.CameraSourceID != nil)
}

// withSources narrows the effects of a clip to those that show or play a source.
func withSources(q *ent.EffectQuery) { q.Where(effect.SourceIDNotNil()) }

// recordedOf are the sources a clip was made of: screen, camera, microphone, pointer.
func recordedOf(c *ent.Clip) []string {
	var named []string

	for _, id := range []*string{c.ScreenSourceID, c.CameraSourceID, c.MicrophoneSourceID, c.MouseSourceID} {
		if id != nil {
			named = append(named, *id)
		}
	}

	return unique(nil, named)
}

// sourcesOf are those, that of the clip's background, and those of the effects that were loaded with it.
func sourcesOf(c *ent.Clip) []string {
	named := recordedOf(c)

	if id := c.Background.SourceID; id != "" {
		named = append(named, id)
	}

	for _, e := range c.Edges.Effects {
		if e.SourceID != nil {
			named = append(named, *e.SourceID)
		}
	}

	return named
}

// clockOf maps between the clip's two times.
func clockOf(c *ent.Clip) timeline.Clock { return timeline.NewClock(c.RecordingMs, c.Cuts) }

// clipOf is a clip of that video, or not_found. The caller has read the video.
func (r *Resolver) clipOf(ctx context.Context, videoID, id string) (*ent.Clip, error) {
	if !ids.Is(ids.Clip, id) {
		return nil, fault.NotFound("clip")
	}

	found, err := r.Store.Client(ctx).Clip.Query().Where(clip.ID(id), clip.VideoID(videoID)).WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("clip")
	}

	if err != nil {
		return nil, fmt.Errorf("read clip: %w", err)
	}

	return found, nil
}

// editClip runs change on a clip the caller may edit. What it changed is saved, counts as one edit of
// the video, and moves its length; a change of nothing is none.
func (r *Resolver) editClip(ctx context.Context, videoID, id string, input any,
	change func(ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation) error,
) (*ent.Clip, error) {
	return store.Write(ctx, r.Store, input, func(ctx context.Context) (*ent.Clip, error) {
		v, err := r.lockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		was, err := r.clipOf(ctx, videoID, id)
		if err != nil {
			return nil, err
		}

		if err := r.refuseEdit(ctx, v); err != nil {
			return nil, err
		}

		update := r.Store.Client(ctx).Clip.UpdateOneID(id)
		if err := change(ctx, v, was, update.Mutation()); err != nil {
			return nil, err
		}

		if len(update.Mutation().Fields()) == 0 && len(update.Mutation().ClearedFields()) == 0 {
			return was, nil
		}

		changed, err := update.SetUpdatedAt(r.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update clip: %w", err)
		}

		if changed.Edges.Video, err = r.touchVideo(ctx, v, changed.DurationMs-was.DurationMs); err != nil {
			return nil, err
		}

		return changed, nil
	})
}

// touchVideo counts one edit of the video and moves its length. Its row is locked by the caller.
func (r *Resolver) touchVideo(ctx context.Context, v *ent.Video, longerMs int64) (*ent.Video, error) {
	touched, err := r.Store.Client(ctx).Video.UpdateOneID(v.ID).
		AddRevision(1).AddDurationMs(longerMs).SetUpdatedAt(r.Store.Now()).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update video: %w", err)
	}

	return touched, nil
}

// updateClip changes what the input names.
func (r *Resolver) updateClip(ctx context.Context, videoID, id string, in model.UpdateClipInput) (*ent.Clip, error) {
	picture, err := r.takeBackground(ctx, videoID, id, in)
	if err != nil {
		return nil, err
	}

	return r.editClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if faults := Unfit(c, Given{
			Crop: in.Crop.IsSet(), AnimatedCursor: in.AnimatedCursor.IsSet(),
			MicrophoneVolume: in.MicrophoneVolume.IsSet(), SystemAudioVolume: in.SystemAudioVolume.IsSet(),
		}); faults != nil {
			return fault.Invalid(faults)
		}

		applyLook(c, in, m)

		if err := r.applyBackground(ctx, c, in, picture, m); err != nil {
			return err
		}

		if cuts, set := in.Cuts.ValueOK(); set {
			if err := refuseArriving(c); err != nil {
				return err
			}

			if err := applyCuts(c, cuts, m); err != nil {
				return err
			}
		}

		if order := in.Order.Value(); order != nil {
			return r.reorder(ctx, c, *order, m)
		}

		return nil
	})
}

// cutClip joins ranges of playback time to the clip's cuts.
func (r *Resolver) cutClip(ctx context.Context, videoID, id string, in model.CutClipInput) (*ent.Clip, error) {
	return r.editClip(ctx, videoID, id, &in, func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if err := refuseArriving(c); err != nil {
			return err
		}

		ranges := make([]timeline.Span, len(in.Cuts))
		for i, cut := range in.Cuts {
			ranges[i] = timeline.Span{StartMs: cut.FromMs, EndMs: cut.ToMs}
		}

		cuts, err := clockOf(c).Cut(ranges)
		if err != nil {
			return cutFault(err, "toMs", "fromMs")
		}

		setCuts(c, cuts, m)

		return nil
	})
}

// Given are the settings of a clip, of those that not every clip has, that somebody gives.
type Given struct{ Crop, AnimatedCursor, MicrophoneVolume, SystemAudioVolume bool }

// Unfit is what of it does not apply to this clip.
func Unfit(c *ent.Clip, given Given) []fault.Field {
	var faults []fault.Field

	refuse := func(set, fits bool, path, rule string) {
		if set && !fits {
			faults = append(faults, fault.Field{Path: path, Rule: rule})
		}
	}

	screen := c.ScreenSourceID != nil
	refuse(given.AnimatedCursor, screen, "animatedCursor", "does not apply: the clip has no screen recording")
	refuse(given.Crop, screen, "crop", "does not apply: the clip has no screen recording")
	refuse(given.MicrophoneVolume, c.HasMicrophone, "microphoneVolume", "does not apply: the clip has no microphone sound")
	refuse(given.SystemAudioVolume, c.HasSystemAudio, "systemAudioVolume", "does not apply: the clip has no system sound")

	return faults
}

// applyLook sets the plain fields that differ from what is there.
func applyLook(c *ent.Clip, in model.UpdateClipInput, m *ent.ClipMutation) {
	changed(in.Name.Value(), c.Name, m.SetName)
	changed(in.Transition.Value(), c.Transition, m.SetTransition)
	changed(in.AnimatedCursor.Value(), c.AnimatedCursor, m.SetAnimatedCursor)

	if on := in.StudioSound.Value(); on != nil && *on == c.StudioSoundOff {
		m.SetStudioSoundOff(!*on)
	}

	override(in.BorderStyle, c.BorderStyle, m.SetBorderStyle, m.ClearBorderStyle)
	override(in.Corners, c.Corners, m.SetCorners, m.ClearCorners)
	override(in.MicrophoneVolume, c.MicrophoneVolume, m.SetMicrophoneVolume, m.ClearMicrophoneVolume)
	override(in.SystemAudioVolume, c.SystemAudioVolume, m.SetSystemAudioVolume, m.ClearSystemAudioVolume)

	crop, set := in.Crop.ValueOK()

	switch {
	case !set:
	case crop == nil && c.Crop != nil:
		m.ClearCrop()
	case crop != nil && (c.Crop == nil || *c.Crop != values.CropBox(*crop)):
		box := values.CropBox(*crop)
		m.SetCrop(&box)
	}
}

func applyCuts(c *ent.Clip, in []*model.CutInput, m *ent.ClipMutation) error {
	ranges := make([]timeline.Span, len(in))
	for i, cut := range in {
		ranges[i] = timeline.SpanOf(cut.StartTimeMs, cut.DurationMs)
	}

	cuts, err := timeline.CutsOf(c.RecordingMs, ranges)
	if err != nil {
		return cutFault(err, "durationMs", "startTimeMs")
	}

	setCuts(c, cuts, m)

	return nil
}

func setCuts(c *ent.Clip, cuts timeline.Cuts, m *ent.ClipMutation) {
	if slices.Equal(cuts, c.Cuts) {
		return
	}

	m.SetCuts(cuts)
	m.SetDurationMs(timeline.NewClock(c.RecordingMs, cuts).DurationMs())
}

// cutFault is an error of CutsOf as whoever asked may read it.
func cutFault(err error, end, start string) error {
	if faults := CutFaults(err, end, start); len(faults) > 0 {
		return fault.Invalid(faults)
	}

	return err
}

// CutFaults say which ranges of a request are wrong, by the names of their fields, and why; nothing of another error than
// those of CutsOf.
func CutFaults(err error, end, start string) []fault.Field {
	if short, ok := errors.AsType[*timeline.TooShortError](err); ok {
		return []fault.Field{{Path: "cuts", Rule: fmt.Sprintf(
			"must leave at least %d ms of the clip and would leave %d", timeline.MinLeftMs, short.LeftMs)}}
	}

	var faults []fault.Field

	for _, e := range flatten(err) {
		var wrong *timeline.RangeError
		if !errors.As(e, &wrong) {
			return nil
		}

		field, rule := end, "must make the range end after its start, within the clip"
		if wrong.Problem == timeline.ProblemOutside {
			field, rule = start, "must be before the end of the clip"
		}

		faults = append(faults, fault.Field{Path: fmt.Sprintf("cuts[%d].%s", wrong.Index, field), Rule: rule})
	}

	return faults
}

// flatten takes joined errors apart.
func flatten(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}

	return []error{err}
}

// changed sets a given value that differs from what is there.
func changed[T comparable](given *T, was T, set func(T)) {
	if given != nil && *given != was {
		set(*given)
	}
}

// override sets a clip's own value, or clears it so that the clip follows its video, where that
// differs from what is there.
func override[T comparable](in graphql.Omittable[*T], was *T, set func(T), unset func()) {
	given, isSet := in.ValueOK()

	switch {
	case !isSet:
	case given == nil && was != nil:
		unset()
	case given != nil && (was == nil || *was != *given):
		set(*given)
	}
}

// videoOf is the video of a clip, as loaded with it or read now.
func (r *Resolver) videoOf(ctx context.Context, c *ent.Clip) (*ent.Video, error) {
	if c.Edges.Video != nil {
		return c.Edges.Video, nil
	}

	v, err := r.Store.Client(ctx).Video.Get(ctx, c.VideoID)
	if err != nil {
		return nil, fmt.Errorf("read video of clip: %w", err)
	}

	c.Edges.Video = v

	return v, nil
}

// own is a clip's own value, else the video's.
func own[T any](clips *T, videos T) T {
	if clips != nil {
		return *clips
	}

	return videos
}
