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

// MayHear limits a query to clips in which the sound of the source may be audible. In these clips, the source is the
// screen, camera or microphone track.
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

// Usable returns the tracks that did not fail, and their offsets. If the screen track failed, the offsets are
// relative to the start of the camera track instead. If the offset of the camera track is unknown, the offset of the
// microphone track then becomes unknown too. If the screen track failed, pointer data is removed, because it belongs
// to the screen track.
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
