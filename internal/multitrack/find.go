package multitrack

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// With limits a query to clips that use the source as one of their tracks.
func With(sourceID string) predicate.Clip {
	return clip.Or(MayHear(sourceID), clip.MouseSourceID(sourceID))
}

// MayHear limits a query to clips that use the source as a screen, camera or microphone track, so that its sound may
// be audible.
func MayHear(sourceID string) predicate.Clip {
	return clip.Or(clip.ScreenSourceID(sourceID), clip.CameraSourceID(sourceID), clip.MicrophoneSourceID(sourceID))
}

// Arriving reports whether one of the tracks is still being uploaded or processed.
func (t Tracks) Arriving() bool {
	for _, s := range t.All() {
		if s.Status != values.SourceStatusReady && s.Status != values.SourceStatusFailed {
			return true
		}
	}

	return false
}

// Usable returns the tracks that did not fail, and their offsets. If the screen track failed, offsets are relative to
// the start of the camera track. If the camera's own offset is unknown, the offset of the microphone is then unknown
// too. Pointer data belongs to the screen track and is removed together with it.
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
