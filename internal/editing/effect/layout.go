package effect

import (
	"reflect"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// beginLayout creates a layout for a range of time. Media without a layout become b-roll over the whole frame.
func (d *Desk) beginLayout(s *Strip, in *effects.AddLayoutInput) (values.EffectParams, *ent.Source, []fault.Field) {
	given := values.LayoutShape{Kind: values.LayoutKindBRoll}
	if in.Layout != nil {
		given = values.LayoutShape(*in.Layout)
	}

	shape, faults := fillShape(given, listing.SceneType(s.Clip), listing.Artboard(d.Video))
	layout := values.LayoutParams{Shape: shape, Intro: d.Habits.LayoutIntro, Outro: d.Habits.LayoutOutro}
	optional.Put(&layout.Intro, in.TransitionStyle)

	var media *ent.Source
	if in.Media != nil {
		media = d.Sources[optional.Deref(in.Media.SourceID)]
	}

	return values.EffectParams{Layout: &layout}, media, faults
}

// alterLayout changes a layout. A layout that changes from b-roll to a kind without media loses its media.
func (d *Desk) alterLayout(s *Strip, in *effects.UpdateLayoutInput, row *ent.Effect) []fault.Field {
	layout := *row.Params.Layout
	row.Params.Layout = &layout

	optional.Give(&layout.Intro, in.TransitionStyle)

	if media := in.Media.Value(); media != nil {
		row.SourceID, row.Edges.Source = media.SourceID, d.Sources[optional.Deref(media.SourceID)]
	}

	var faults []fault.Field

	if shape := in.Layout.Value(); shape != nil {
		layout.Shape, faults = fillShape(values.LayoutShape(*shape), listing.SceneType(s.Clip), listing.Artboard(d.Video))

		if layout.Shape.Kind != values.LayoutKindBRoll && !isGiven(in.Media) {
			row.SourceID, row.Edges.Source = nil, nil
		}
	}

	if layout.Shape.Kind == values.LayoutKindBRoll && row.SourceID == nil {
		faults = append(faults, fault.Field{Path: "media", Rule: "is required for kind b-roll"})
	}

	return faults
}

// changeBase changes the base layout, which has a shape and nothing else.
func (d *Desk) changeBase(s *Strip, e Edit) error {
	in := e.update.Layout

	var faults []fault.Field

	for _, f := range []struct {
		given bool
		path  string
	}{
		{isGiven(in.StartTimeMs), "startTimeMs"},
		{isGiven(in.DurationMs), "durationMs"},
		{isGiven(in.Media), "media"},
		{isGiven(in.TransitionStyle), "transitionStyle"},
	} {
		if f.given {
			faults = append(faults, fault.Field{Path: f.path, Rule: "does not apply to the base layout"})
		}
	}

	if len(faults) > 0 {
		return e.Invalid(faults...)
	}

	return d.shapeBase(s, e, in.Layout.Value())
}

// shapeBase replaces the shape of the base layout.
func (d *Desk) shapeBase(s *Strip, e Edit, in *effects.LayoutShapeInput) error {
	if in.Kind == values.LayoutKindBRoll {
		return e.Invalid(fault.Field{Path: "layout.kind", Rule: "must not be b-roll for the base layout"})
	}

	shape, faults := fillShape(values.LayoutShape(*in), listing.SceneType(s.Clip), listing.Artboard(d.Video))
	if len(faults) > 0 {
		return e.Invalid(faults...)
	}

	s.setBase(shape)

	return nil
}

// setBase changes the shape of the base layout. The default is stored as nil, so a stored base layout always differs
// from it.
func (s *Strip) setBase(shape values.LayoutShape) {
	if s.Base = &shape; reflect.DeepEqual(shape, values.DefaultLayout(listing.SceneType(s.Clip))) {
		s.Base = nil
	}
}
