package clip

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// UpdateClip changes those fields of a clip that the input contains.
func (s *Service) UpdateClip(ctx context.Context, videoID, id string, in model.UpdateClipInput) (*ent.Clip, error) {
	picture, err := s.takeBackground(ctx, videoID, id, in)
	if err != nil {
		return nil, err
	}

	return s.Videos.EditClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if faults := Unfit(c, Given{
			Crop: in.Crop.IsSet(), AnimatedCursor: in.AnimatedCursor.IsSet(),
			MicrophoneVolume: in.MicrophoneVolume.IsSet(), SystemAudioVolume: in.SystemAudioVolume.IsSet(),
		}); faults != nil {
			return fault.Invalid(faults)
		}

		applyLook(c, in, m)

		if err := s.applyBackground(ctx, c, in, picture, m); err != nil {
			return err
		}

		if cuts, set := in.Cuts.ValueOK(); set {
			if err := listing.RefuseArriving(c); err != nil {
				return err
			}

			if err := applyCuts(c, cuts, m); err != nil {
				return err
			}
		}

		if order := in.Order.Value(); order != nil {
			return s.reorder(ctx, c, *order, m)
		}

		return nil
	})
}

// CutClip adds ranges of playback time to the clip's cuts.
func (s *Service) CutClip(ctx context.Context, videoID, id string, in model.CutClipInput) (*ent.Clip, error) {
	return s.Videos.EditClip(ctx, videoID, id, &in, func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if err := listing.RefuseArriving(c); err != nil {
			return err
		}

		ranges := make([]values.Span, len(in.Cuts))
		for i, cut := range in.Cuts {
			ranges[i] = values.Span{StartMs: cut.FromMs, EndMs: cut.ToMs}
		}

		cuts, err := listing.ClockOf(c).Cut(ranges)
		if err != nil {
			return cutFault(err, "toMs", "fromMs")
		}

		SetCuts(c, cuts, m)

		return nil
	})
}

// Given tells which settings a request contains. It covers only settings that some clips do not have.
type Given struct{ Crop, AnimatedCursor, MicrophoneVolume, SystemAudioVolume bool }

// Unfit returns a fault for each setting that the request contains although the clip does not have it.
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

// applyLook sets the plain fields whose values differ from the stored ones.
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
	ranges := make([]values.Span, len(in))
	for i, cut := range in {
		ranges[i] = values.SpanOf(cut.StartTimeMs, cut.DurationMs)
	}

	cuts, err := timeline.CutsOf(c.RecordingMs, ranges)
	if err != nil {
		return cutFault(err, "durationMs", "startTimeMs")
	}

	SetCuts(c, cuts, m)

	return nil
}

// SetCuts sets the cuts and the duration of a clip. It does nothing if the cuts are unchanged.
func SetCuts(c *ent.Clip, cuts values.Cuts, m *ent.ClipMutation) {
	if slices.Equal(cuts, c.Cuts) {
		return
	}

	m.SetCuts(cuts)
	m.SetDurationMs(timeline.NewClock(c.RecordingMs, cuts).DurationMs())
}

// cutFault converts an error of CutsOf or Clock.Cut into an error for the caller.
func cutFault(err error, end, start string) error {
	if faults := CutFaults(err, end, start); len(faults) > 0 {
		return fault.Invalid(faults)
	}

	return err
}

// CutFaults converts an error of CutsOf or Clock.Cut into faults of the request. The arguments start and end are the
// names of the fields that contain the start and the end of a range. CutFaults returns nil for any other error.
func CutFaults(err error, end, start string) []fault.Field {
	if short, ok := errors.AsType[*timeline.TooShortError](err); ok {
		return []fault.Field{{Path: "cuts", Rule: fmt.Sprintf(
			"must leave at least %d ms of the clip but would leave %d", timeline.MinLeftMs, short.LeftMs)}}
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

// flatten splits joined errors.
func flatten(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}

	return []error{err}
}

// changed sets a given value that differs from the stored one.
func changed[T comparable](given *T, was T, set func(T)) {
	if given != nil && *given != was {
		set(*given)
	}
}

// override sets a clip's own value, or clears it so that the clip follows its video, if that differs from the stored
// value.
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
