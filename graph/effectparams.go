package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// begin is what a new effect is beyond its time, with the defaults filled in.
func (d *desk) begin(s *strip, e edit) (domain.EffectParams, *ent.Source, []fault.Field) {
	switch in := e.add; e.kind {
	case domain.EffectKindLayout:
		return d.beginLayout(s, in.Layout)
	case domain.EffectKindZoom:
		return d.beginZoom(s, in.Zoom)
	case domain.EffectKindBlur:
		return beginMask(in.Blur, 0)
	case domain.EffectKindHighlight:
		return beginMask(in.Highlight, 0.7)
	case domain.EffectKindMediaOverlay:
		return d.beginOverlay(in.MediaOverlay)
	case domain.EffectKindTextOverlay:
		return d.beginText(in.TextOverlay)
	default:
		return d.beginSound(in.SoundEffect)
	}
}

// alter lays what the edit names over an effect, beyond its time.
func (d *desk) alter(s *strip, e edit, row *ent.Effect) []fault.Field {
	switch in := e.update; e.kind {
	case domain.EffectKindLayout:
		return d.alterLayout(s, in.Layout, row)
	case domain.EffectKindZoom:
		return alterZoom(s, in.Zoom, row)
	case domain.EffectKindBlur:
		return alterMask(in.Blur, row)
	case domain.EffectKindHighlight:
		return alterMask(in.Highlight, row)
	case domain.EffectKindMediaOverlay:
		return d.alterOverlay(in.MediaOverlay, row)
	case domain.EffectKindTextOverlay:
		return d.alterText(in.TextOverlay, row)
	default:
		return alterSound(in.SoundEffect, row)
	}
}

// addedTime is when a new effect is seen.
func addedTime(in *model.AddEffectInput) timeline.Span {
	switch {
	case in.Layout != nil:
		return timeline.SpanOf(*in.Layout.StartTimeMs, *in.Layout.DurationMs)
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

func timeIn(in model.TimeInput) timeline.Span { return timeline.SpanOf(in.StartTimeMs, in.DurationMs) }

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
func beginMask(in *model.AddMaskInput, intensity float64) (domain.EffectParams, *ent.Source, []fault.Field) {
	put(&intensity, in.Intensity)

	return domain.EffectParams{Mask: &domain.MaskParams{
		Point: domain.Point(in.Point), Dimensions: domain.Extent(in.Dimensions), Intensity: intensity,
	}}, nil, nil
}

func alterMask(in *model.UpdateMaskInput, row *ent.Effect) []fault.Field {
	mask := *row.Params.Mask
	row.Params.Mask = &mask

	if at := in.Point.Value(); at != nil {
		mask.Point = domain.Point(*at)
	}

	if size := in.Dimensions.Value(); size != nil {
		mask.Dimensions = domain.Extent(*size)
	}

	give(&mask.Intensity, in.Intensity)

	return model.InsideScreen(model.ScreenPointInput(mask.Point), model.ScreenExtentInput(mask.Dimensions))
}

// beginZoom is a new zoom.
func (d *desk) beginZoom(s *strip, in *model.AddZoomInput) (domain.EffectParams, *ent.Source, []fault.Field) {
	zoom := domain.ZoomParams{Type: in.Type, Scale: in.Scale}

	if in.Type == domain.ZoomTypeManualZoom {
		zoom.Focus = &domain.Point{XPct: 50, YPct: 50}
		if in.FocusPoint != nil {
			zoom.Focus = new(domain.Point(*in.FocusPoint))
		}
	}

	return domain.EffectParams{Zoom: &zoom}, nil, tracked(s, zoom)
}

func alterZoom(s *strip, in *model.UpdateZoomInput, row *ent.Effect) []fault.Field {
	zoom := *row.Params.Zoom
	row.Params.Zoom = &zoom

	give(&zoom.Type, in.Type)
	give(&zoom.Scale, in.Scale)

	if at := in.FocusPoint.Value(); at != nil {
		focus := domain.Point(*at)
		zoom.Focus = &focus
	}

	switch {
	case zoom.Type == domain.ZoomTypeTrackingZoom:
		zoom.Focus = nil
	case zoom.Focus == nil:
		zoom.Focus = &domain.Point{XPct: 50, YPct: 50}
	}

	return tracked(s, zoom)
}

// tracked refuses a zoom that follows a pointer nobody recorded.
func tracked(s *strip, zoom domain.ZoomParams) []fault.Field {
	if zoom.Type == domain.ZoomTypeTrackingZoom && s.MouseSourceID == nil {
		return []fault.Field{{Path: "type", Rule: "must be that of a manual zoom: the clip has no mouse data to follow"}}
	}

	return nil
}

// set returns whether a field of an update is given.
func isGiven[T any](in graphql.Omittable[*T]) bool { return in.Value() != nil }
