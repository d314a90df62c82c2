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

// Draft is a video that is not stored in a database. The render command creates one from a file. The effects of a
// Draft are validated by the same rules as in the graph, and its rendering looks the same as an export of such a
// video.
type Draft struct {
	desk *effect.Desk
	// Clips holds the clips in order, each with the sources of its recordings.
	clips []*ent.Clip
}

// NewDraft returns a draft of a video with the given clips. The effects of the draft may refer only to the given
// sources. The keys of sources are source ids.
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

// Add adds an effect to a clip, as the mutation addEffect does. If the input is invalid, it returns a *fault.Error
// whose paths refer to fields of the input.
func (d *Draft) Add(clipID string, in *effects.AddEffectInput) error {
	if err := input.Validate(in); err != nil {
		return err
	}

	e := effect.Adding(clipID, in)
	e.InGraph = true

	if e.Pictured() != nil {
		return e.Invalid(fault.Field{Path: "media.imageUrl", Rule: "cannot be used for a video from a file: use sourceId"})
	}

	for _, w := range e.Wants() {
		source, known := d.desk.Sources[w.ID]
		if !known {
			return w.Invalid(fault.Field{Path: w.Field, Rule: "must be the id of one of the given sources"})
		}

		if err := w.Judge(source); err != nil {
			return err
		}
	}

	if in.SoundEffect != nil && in.SoundEffect.PresetID != nil {
		return e.Invalid(fault.Field{Path: "presetId", Rule: "cannot be used for a video from a file, which has no library: use sourceId"})
	}

	_, err := d.desk.Apply(e)

	return err
}

// Plan returns the plan for rendering the draft.
func (d *Draft) Plan() plan.ExportPlan {
	clips := slices.Clone(d.clips)

	for i, c := range clips {
		s, with := d.desk.Strips[c.ID], *c
		with.BaseLayout, with.Edges.Effects = s.Base, s.Effects
		clips[i] = &with
	}

	return ExportPlan(d.desk.Video, clips, d.desk.Video.Editing.SubtitlesEnabled)
}
