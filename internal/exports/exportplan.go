package exports

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ExportPlan returns the plan of an export of a video, with or without captions. The clips must be in order. They
// must have been loaded with the sources of their recordings and with their effects, sorted by creation. For
// captions, they must also have been loaded with their words.
func ExportPlan(v *ent.Video, clips []*ent.Clip, captions bool) plan.ExportPlan {
	plan := plan.ExportPlan{
		Artboard: values.Dimensions{Width: v.Width, Height: v.Height}, Look: lookOf(v, clips, captions),
	}
	plan.Timeline.Music = musicUnder(v)

	for _, c := range clips {
		plan.Shorter = append(plan.Shorter, shorter(c)...)
		plan.Timeline.Clips = append(plan.Timeline.Clips, timeline.Clip{
			ID: c.ID, Name: c.Name, LengthMs: c.RecordingMs, Cuts: c.Cuts,
			Screen: optional.Deref(c.ScreenSourceID), Camera: optional.Deref(c.CameraSourceID), CameraOffsetMs: c.Offsets.Camera.Ms,
			Sounds: SoundsOf(v, c), Cues: cuesOf(c), Smooth: smooth(v, c),
		})
	}

	return plan
}

// shorter returns the lengths of those recordings of a clip that end before the clip does.
func shorter(c *ent.Clip) []int64 {
	var lengths []int64

	tracks := multitrack.Of(c)

	for _, of := range []struct {
		source *ent.Source
		begins int64
	}{{tracks.Screen, 0}, {tracks.Camera, c.Offsets.Camera.Ms}, {tracks.Microphone, c.Offsets.Microphone.Ms}} {
		if of.source != nil && of.begins+of.source.DurationMs < c.RecordingMs {
			lengths = append(lengths, of.source.DurationMs)
		}
	}

	return lengths
}
