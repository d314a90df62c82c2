package exports

import (
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/editing/effect"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Draft is a video that no database has: what the render command makes of a file. Its rules are those
// of the graph, and what it shows is what an export of such a video shows.
type Draft struct {
	desk *effect.Desk
	// Clips are in their order, each with the sources of its recordings.
	clips []*ent.Clip
}

// NewDraft is a draft of a video with those clips, whose effects may name the sources.
func NewDraft(v *ent.Video, clips []*ent.Clip, sources map[string]*ent.Source) *Draft {
	d := &Draft{clips: clips, desk: &effect.Desk{
		Video: v, Strips: map[string]*effect.Strip{}, Sources: sources,
		Habits: &ent.User{LayoutIntro: values.LayoutTransitionSpring, LayoutOutro: values.LayoutTransitionSpring},
	}}

	for _, c := range clips {
		d.desk.Strips[c.ID] = effect.StripOf(c)
	}

	return d
}

// Add lays an effect on a clip, as addEffect does. What is wrong with it is a *fault.Error with paths
// within the input.
func (d *Draft) Add(clipID string, in *effects.AddEffectInput) error {
	if err := input.Validate(in); err != nil {
		return err
	}

	e := effect.Adding(clipID, in)
	e.InGraph = true

	if e.Pictured() != nil {
		return e.Invalid(fault.Field{Path: "media.imageUrl", Rule: "does not apply to a draft: use sourceId"})
	}

	for _, w := range e.Wants() {
		source, known := d.desk.Sources[w.ID]
		if !known {
			return w.Invalid(fault.Field{Path: w.Field, Rule: "must be one of the sources"})
		}

		if err := w.Judge(source); err != nil {
			return err
		}
	}

	if in.SoundEffect != nil && in.SoundEffect.PresetID != nil {
		return e.Invalid(fault.Field{Path: "presetId", Rule: "does not apply without a library: use sourceId"})
	}

	_, err := d.desk.Apply(e)

	return err
}

// Plan is what an export of the draft shows.
func (d *Draft) Plan() plan.ExportPlan {
	clips := slices.Clone(d.clips)

	for i, c := range clips {
		s, with := d.desk.Strips[c.ID], *c
		with.BaseLayout, with.Edges.Effects = s.Base, s.Effects
		clips[i] = &with
	}

	return ExportPlan(d.desk.Video, clips, d.desk.Video.Editing.SubtitlesEnabled)
}
