package effect

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// begin is what a new effect is beyond its time, with the defaults filled in.
func (d *Desk) begin(s *Strip, e Edit) (values.EffectParams, *ent.Source, []fault.Field) {
	switch in := e.add; e.kind {
	case values.EffectKindLayout:
		return d.beginLayout(s, in.Layout)
	case values.EffectKindZoom:
		return d.beginZoom(s, in.Zoom)
	case values.EffectKindBlur:
		return beginMask(in.Blur, 0)
	case values.EffectKindHighlight:
		return beginMask(in.Highlight, 0.7)
	case values.EffectKindMediaOverlay:
		return d.beginOverlay(in.MediaOverlay)
	case values.EffectKindTextOverlay:
		return d.beginText(in.TextOverlay)
	default:
		return d.beginSound(in.SoundEffect)
	}
}

// alter lays what the edit names over an effect, beyond its time.
func (d *Desk) alter(s *Strip, e Edit, row *ent.Effect) []fault.Field {
	switch in := e.update; e.kind {
	case values.EffectKindLayout:
		return d.alterLayout(s, in.Layout, row)
	case values.EffectKindZoom:
		return alterZoom(s, in.Zoom, row)
	case values.EffectKindBlur:
		return alterMask(in.Blur, row)
	case values.EffectKindHighlight:
		return alterMask(in.Highlight, row)
	case values.EffectKindMediaOverlay:
		return d.alterOverlay(in.MediaOverlay, row)
	case values.EffectKindTextOverlay:
		return d.alterText(in.TextOverlay, row)
	default:
		return alterSound(in.SoundEffect, row)
	}
}

// addedTime is when a new effect is seen.
func addedTime(in *model.AddEffectInput) values.Span {
	switch {
	case in.Layout != nil:
		return values.SpanOf(*in.Layout.StartTimeMs, *in.Layout.DurationMs)
	case in.Zoom != nil:
		return timeIn(in.Zoom.TimeInput)
	case in.Blur != nil:
		return timeIn(in.Blur.TimeInput)
	case in.Highlight != nil:
		return timeIn(in.Highlight.TimeInput)
	case in.MediaOverlay != nil:
		return timeIn(in.MediaOverlay.TimeInput)
	case in.TextOverlay != nil:
		return timeIn(in.TextOverlay.TimeInput)
	default:
		return timeIn(in.SoundEffect.TimeInput)
	}
}

func timeIn(in model.TimeInput) values.Span { return values.SpanOf(in.StartTimeMs, in.DurationMs) }

// changedTime are the times an update gives.
func changedTime(in *model.UpdateEffectInput) (start, length *int64) {
	var change model.TimeChange

	switch {
	case in.Layout != nil:
		return in.Layout.StartTimeMs.Value(), in.Layout.DurationMs.Value()
	case in.Zoom != nil:
		change = in.Zoom.TimeChange
	case in.Blur != nil:
		change = in.Blur.TimeChange
	case in.Highlight != nil:
		change = in.Highlight.TimeChange
	case in.MediaOverlay != nil:
		change = in.MediaOverlay.TimeChange
	case in.TextOverlay != nil:
		change = in.TextOverlay.TimeChange
	default:
		change = in.SoundEffect.TimeChange
	}

	return change.StartTimeMs.Value(), change.DurationMs.Value()
}

// beginMask is a new blur or highlight.
func beginMask(in *model.AddMaskInput, intensity float64) (values.EffectParams, *ent.Source, []fault.Field) {
	optional.Put(&intensity, in.Intensity)

	return values.EffectParams{Mask: &values.MaskParams{
		Point: values.Point(in.Point), Dimensions: values.Extent(in.Dimensions), Intensity: intensity,
	}}, nil, nil
}

func alterMask(in *model.UpdateMaskInput, row *ent.Effect) []fault.Field {
	mask := *row.Params.Mask
	row.Params.Mask = &mask

	if at := in.Point.Value(); at != nil {
		mask.Point = values.Point(*at)
	}

	if size := in.Dimensions.Value(); size != nil {
		mask.Dimensions = values.Extent(*size)
	}

	optional.Give(&mask.Intensity, in.Intensity)

	return model.InsideScreen(model.ScreenPointInput(mask.Point), model.ScreenExtentInput(mask.Dimensions))
}

// beginZoom is a new zoom.
func (d *Desk) beginZoom(s *Strip, in *model.AddZoomInput) (values.EffectParams, *ent.Source, []fault.Field) {
	zoom := values.ZoomParams{Type: in.Type, Scale: in.Scale}

	if in.Type == values.ZoomTypeManualZoom {
		zoom.Focus = &values.Point{XPct: 50, YPct: 50}
		if in.FocusPoint != nil {
			zoom.Focus = new(values.Point(*in.FocusPoint))
		}
	}

	return values.EffectParams{Zoom: &zoom}, nil, tracked(s, zoom)
}

func alterZoom(s *Strip, in *model.UpdateZoomInput, row *ent.Effect) []fault.Field {
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

// tracked refuses a zoom that follows a pointer nobody recorded.
func tracked(s *Strip, zoom values.ZoomParams) []fault.Field {
	if zoom.Type == values.ZoomTypeTrackingZoom && s.MouseSourceID == nil {
		return []fault.Field{{Path: "type", Rule: "must be that of a manual zoom: the clip has no mouse data to follow"}}
	}

	return nil
}

// set returns whether a field of an update is given.
func isGiven[T any](in graphql.Omittable[*T]) bool { return in.Value() != nil }
