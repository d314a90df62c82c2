package graph

import (
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Draft is a video that no database has: what the render command makes of a file. Its rules are those
// of the graph, and what it shows is what an export of such a video shows.
type Draft struct {
	desk *desk
	// Clips are in their order, each with the sources of its recordings.
	clips []*ent.Clip
}

// NewDraft is a draft of a video with those clips, whose effects may name the sources.
func NewDraft(v *ent.Video, clips []*ent.Clip, sources map[string]*ent.Source) *Draft {
	d := &Draft{clips: clips, desk: &desk{
		video: v, strips: map[string]*strip{}, sources: sources,
		habits: &ent.User{LayoutIntro: values.LayoutTransitionSpring, LayoutOutro: values.LayoutTransitionSpring},
	}}

	for _, c := range clips {
		d.desk.strips[c.ID] = stripOf(c)
	}

	return d
}

// Add lays an effect on a clip, as addEffect does. What is wrong with it is a *fault.Error with paths
// within the input.
func (d *Draft) Add(clipID string, in *model.AddEffectInput) error {
	if err := input.Validate(in); err != nil {
		return err
	}

	e := adding(clipID, in)
	e.inGraph = true

	if e.pictured() != nil {
		return e.invalid(fault.Field{Path: "media.imageUrl", Rule: "does not apply to a draft: use sourceId"})
	}

	for _, w := range e.wants() {
		source, known := d.desk.sources[w.id]
		if !known {
			return w.invalid(fault.Field{Path: w.field, Rule: "must be one of the sources"})
		}

		if err := w.judge(source); err != nil {
			return err
		}
	}

	if in.SoundEffect != nil && in.SoundEffect.PresetID != nil {
		return e.invalid(fault.Field{Path: "presetId", Rule: "does not apply without a library: use sourceId"})
	}

	_, err := d.desk.apply(e)

	return err
}

// Plan is what an export of the draft shows.
func (d *Draft) Plan() values.ExportPlan {
	clips := slices.Clone(d.clips)

	for i, c := range clips {
		s, with := d.desk.strips[c.ID], *c
		with.BaseLayout, with.Edges.Effects = s.base, s.effects
		clips[i] = &with
	}

	return exportPlan(d.desk.video, clips, d.desk.video.Editing.SubtitlesEnabled)
}
