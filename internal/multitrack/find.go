package multitrack

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// With limits clips to those that were recorded with a source.
func With(sourceID string) predicate.Clip {
	return clip.Or(MayHear(sourceID), clip.MouseSourceID(sourceID))
}

// MayHear limits clips to those in which the sound of a source may be audible.
func MayHear(sourceID string) predicate.Clip {
	return clip.Or(clip.ScreenSourceID(sourceID), clip.CameraSourceID(sourceID), clip.MicrophoneSourceID(sourceID))
}

// Arriving reports whether one of the tracks may still become usable: it is being uploaded or processed.
func (t Tracks) Arriving() bool {
	for _, s := range t.All() {
		if s.Status != values.SourceStatusReady && s.Status != values.SourceStatusFailed {
			return true
		}
	}

	return false
}

// Usable returns the tracks that did not fail, and when they began. If the screen failed, times are relative to the
// camera. Pointer data belongs to the screen and is dropped with it. An offset relative to the screen is unknown if the
// camera's offset from the screen is unknown.
func (t Tracks) Usable(o values.Offsets) (Tracks, values.Offsets) {
	screened := t.Screen != nil

	for _, track := range []**ent.Source{&t.Screen, &t.Camera, &t.Microphone, &t.Mouse} {
		if *track != nil && (*track).Status == values.SourceStatusFailed {
			*track = nil
		}
	}

	if !screened || t.Screen != nil {
		return t, o
	}

	microphone := values.Offset{}
	if o.Microphone.Given && o.Camera.Given {
		microphone = values.Offset{Ms: o.Microphone.Ms - o.Camera.Ms, Given: true}
	}

	t.Mouse = nil

	return t, values.Offsets{Microphone: microphone}
}
