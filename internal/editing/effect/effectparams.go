package effect

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// maker creates and changes effects of one kind.
type maker struct {
	// begin returns the parameters of a new effect, apart from its time, with the defaults filled in.
	begin func(d *Desk, s *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field)
	// alter applies the given fields of an edit to an effect, apart from its time.
	alter func(d *Desk, s *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field
	// source returns the source that a new effect names, or nil.
	source func(in *effects.AddEffectInput) *string
}

// makers holds the maker of each kind.
var makers = map[values.EffectKind]maker{ //nolint:gochecknoglobals // a constant
	values.EffectKindLayout: {
		begin: func(d *Desk, s *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return d.beginLayout(s, in.Layout)
		},
		alter: func(d *Desk, s *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return d.alterLayout(s, in.Layout, row)
		},
	},
	values.EffectKindZoom: {
		begin: func(_ *Desk, s *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return beginZoom(s, in.Zoom)
		},
		alter: func(_ *Desk, s *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return alterZoom(s, in.Zoom, row)
		},
	},
	values.EffectKindBlur: {
		begin: func(_ *Desk, _ *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return beginMask(in.Blur, 0)
		},
		alter: func(_ *Desk, _ *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return alterMask(in.Blur, row)
		},
	},
	values.EffectKindHighlight: {
		begin: func(_ *Desk, _ *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return beginMask(in.Highlight, 0.7)
		},
		alter: func(_ *Desk, _ *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return alterMask(in.Highlight, row)
		},
	},
	values.EffectKindMediaOverlay: {
		begin: func(d *Desk, _ *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return d.beginOverlay(in.MediaOverlay)
		},
		alter: func(d *Desk, _ *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return d.alterOverlay(in.MediaOverlay, row)
		},
		source: func(in *effects.AddEffectInput) *string { return &in.MediaOverlay.SourceID },
	},
	values.EffectKindTextOverlay: {
		begin: func(d *Desk, _ *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return d.beginText(in.TextOverlay)
		},
		alter: func(d *Desk, _ *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return d.alterText(in.TextOverlay, row)
		},
	},
	values.EffectKindSoundEffect: {
		begin: func(d *Desk, _ *Strip, in *effects.AddEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
			return d.beginSound(in.SoundEffect)
		},
		alter: func(_ *Desk, _ *Strip, in *effects.UpdateEffectInput, row *ent.Effect) []fault.Field {
			return alterSound(in.SoundEffect, row)
		},
		source: func(in *effects.AddEffectInput) *string { return in.SoundEffect.SourceID },
	},
}

// beginMask creates a blur or highlight.
func beginMask(in *effects.AddMaskInput, intensity float64) (values.EffectParams, *ent.Source, []fault.Field) {
	optional.Put(&intensity, in.Intensity)

	return values.EffectParams{Mask: &values.MaskParams{
		Point: values.Point(in.Point), Dimensions: values.Extent(in.Dimensions), Intensity: intensity,
	}}, nil, nil
}

func alterMask(in *effects.UpdateMaskInput, row *ent.Effect) []fault.Field {
	mask := *row.Params.Mask
	row.Params.Mask = &mask

	if at := in.Point.Value(); at != nil {
		mask.Point = values.Point(*at)
	}

	if size := in.Dimensions.Value(); size != nil {
		mask.Dimensions = values.Extent(*size)
	}

	optional.Give(&mask.Intensity, in.Intensity)

	return effects.InsideScreen(effects.ScreenPointInput(mask.Point), effects.ScreenExtentInput(mask.Dimensions))
}

// beginZoom creates a zoom.
func beginZoom(s *Strip, in *effects.AddZoomInput) (values.EffectParams, *ent.Source, []fault.Field) {
	zoom := values.ZoomParams{Type: in.Type, Scale: in.Scale}

	if in.Type == values.ZoomTypeManualZoom {
		zoom.Focus = &values.Point{XPct: 50, YPct: 50}
		if in.FocusPoint != nil {
			zoom.Focus = new(values.Point(*in.FocusPoint))
		}
	}

	return values.EffectParams{Zoom: &zoom}, nil, tracked(s, zoom)
}

func alterZoom(s *Strip, in *effects.UpdateZoomInput, row *ent.Effect) []fault.Field {
	zoom := *row.Params.Zoom
	row.Params.Zoom = &zoom

	optional.Give(&zoom.Type, in.Type)
	optional.Give(&zoom.Scale, in.Scale)

	if at := in.FocusPoint.Value(); at != nil {
		focus := values.Point(*at)
		zoom.Focus = &focus
	}

	switch {
	case zoom.Type == values.ZoomTypeTrackingZoom:
		zoom.Focus = nil
	case zoom.Focus == nil:
		zoom.Focus = &values.Point{XPct: 50, YPct: 50}
	}

	return tracked(s, zoom)
}

// tracked refuses a tracking zoom on a clip without mouse data.
func tracked(s *Strip, zoom values.ZoomParams) []fault.Field {
	if zoom.Type == values.ZoomTypeTrackingZoom && s.MouseSourceID == nil {
		return []fault.Field{{Path: "type", Rule: "must be a manual zoom: the clip has no mouse data to follow"}}
	}

	return nil
}

// set reports whether a field of an update is given.
func isGiven[T any](in graphql.Omittable[*T]) bool { return in.Value() != nil }
