package graph

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// exportPlan is what an export of a video shows, with captions or without. The clips come in their
// order, with the sources of their recordings, their effects in order of creation and, for captions,
// their words.
func exportPlan(v *ent.Video, clips []*ent.Clip, captions bool) domain.ExportPlan {
	plan := domain.ExportPlan{
		Artboard: domain.Dimensions{Width: v.Width, Height: v.Height}, Look: lookOf(v, clips, captions),
	}
	plan.Timeline.Music = musicUnder(v)

	for _, c := range clips {
		plan.Timeline.Clips = append(plan.Timeline.Clips, timeline.Clip{
			ID: c.ID, Name: c.Name, LengthMs: c.RecordingMs, Cuts: c.Cuts,
			Screen: deref(c.ScreenSourceID), Camera: deref(c.CameraSourceID), CameraOffsetMs: c.Offsets.Camera.Ms,
			Sounds: soundsOf(v, c), Cues: cuesOf(c), Smooth: smooth(v, c),
		})
	}

	return plan
}
