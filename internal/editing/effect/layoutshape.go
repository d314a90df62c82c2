package effect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// rule says which values a layout field may have and which is its default. A field without a default is required unless
// it may be absent.
type rule struct {
	values   []string
	fallback string
	absent   bool
}

// form describes a kind of layout on clips of one scene type. It lists its fields, the fields that only one style
// has, and whether punchIn applies to it.
type form struct {
	position, size, shape, style, screenFit *rule

	sizeOf  values.LayoutStyle // the style that has a size; empty means every style
	punchIn bool
}

func choice(fallback string, values ...string) *rule {
	return &rule{values: values, fallback: fallback}
}

// understood is a field that other clients send. It has no effect and is returned as it was given.
func understood(values ...string) *rule { return &rule{values: values, absent: true} }

// formOf returns the form of a kind of layout on a clip. It returns false if clips of this scene type cannot be shown
// with this kind.
func formOf(kind values.LayoutKind, scene values.LayoutSceneType, artboard values.Dimensions) (form, bool) {
	var (
		combi, camera = scene == values.LayoutSceneTypeCombi, scene == values.LayoutSceneTypeCameraSubject
		sizes         = choice("M", "S", "M", "L")
		fits          = choice("letterbox", "cover", "letterbox")
	)

	switch kind {
	case values.LayoutKindFullscreen:
		if camera {
			return form{style: choice("regular", "regular", "stretch")}, true
		}

		return form{screenFit: choice("letterbox", "cover", "letterbox", "stretch")}, !combi
	case values.LayoutKindMiddle:
		f := form{size: sizes}
		if camera {
			f.shape = choice("landscape", "circle", "square", "portrait", "landscape")
		}

		return f, !combi
	case values.LayoutKindSideBySide:
		if artboard.Width > artboard.Height {
			return form{
				position: choice("", "left", "right"), style: choice("regular", "regular", "even", "overlap"),
				size: sizes, sizeOf: values.LayoutStyleOverlap,
			}, combi
		}

		return form{position: choice("", "top", "bottom"), style: choice("even", "even")}, combi
	case values.LayoutKindTvPresenter:
		return form{position: choice("", "left", "right"), style: understood(values.LayoutStyle("").Values()...)}, combi
	case values.LayoutKindCameraBubble:
		return form{
			position: choice("", "top-left", "top-right", "bottom-left", "bottom-right", "top", "bottom", "left", "right", "middle"),
			size:     sizes, shape: choice("circle", "circle", "square", "portrait", "landscape"),
			style: understood("regular", "full"),
		}, combi
	case values.LayoutKindCameraOnly:
		return form{style: choice("regular", "regular", "fullscreen", "middle"), punchIn: true}, combi
	case values.LayoutKindScreenOnly:
		return form{screenFit: fits, style: understood("fullscreen", "regular")}, combi
	case values.LayoutKindBRoll:
		return form{style: choice("fullscreen", "fullscreen", "framed")}, true
	default:
		return form{}, false
	}
}

// fillShape fills in the defaults of a layout on a clip and returns the faults of the given values.
func fillShape(given values.LayoutShape, scene values.LayoutSceneType, artboard values.Dimensions) (values.LayoutShape, []fault.Field) {
	f, fits := formOf(given.Kind, scene, artboard)
	if !fits {
		return given, []fault.Field{{Path: "layout.kind", Rule: fmt.Sprintf("must not be %s on a clip of scene type %s", given.Kind, scene)}}
	}

	if given.Shape != nil {
		given.Shape = new(given.Shape.Named())
	}

	f.follow(given)

	out := values.LayoutShape{Kind: given.Kind}
	faults := slices.Concat(
		fill(&out.Style, given.Style, f.style, "style", given.Kind),
		fill(&out.Position, given.Position, f.position, "position", given.Kind),
		fill(&out.Shape, given.Shape, f.shape, "shape", given.Kind),
		fill(&out.ScreenFit, given.ScreenFit, f.screenFit, "screenFit", given.Kind),
	)

	size := f.size
	if f.sizeOf != "" && (out.Style == nil || *out.Style != f.sizeOf) {
		size = nil
	}

	faults = append(faults, fill(&out.Size, given.Size, size, "size", given.Kind)...)

	switch {
	case f.punchIn:
		punch := given.PunchIn != nil && *given.PunchIn
		out.PunchIn = &punch
	case given.PunchIn != nil:
		faults = append(faults, unfit("punchIn", given.Kind))
	}

	return out, faults
}

// follow derives defaults from the style that other clients send: a screen that is alone and fullscreen covers the
// frame, and a full bubble is large.
func (f *form) follow(given values.LayoutShape) {
	if given.Style == nil {
		return
	}

	switch {
	case given.Kind == values.LayoutKindScreenOnly && *given.Style == values.LayoutStyleFullscreen:
		f.screenFit = choice("cover", f.screenFit.values...)
	case given.Kind == values.LayoutKindCameraBubble && *given.Style == values.LayoutStyleFull:
		f.size = choice("L", f.size.values...)
	}
}

// fill sets a layout field to the given value or to its default.
func fill[T ~string](out **T, given *T, r *rule, field string, kind values.LayoutKind) []fault.Field {
	switch {
	case given == nil && (r == nil || r.absent):
		return nil
	case r == nil:
		return []fault.Field{unfit(field, kind)}
	case given == nil && r.fallback == "":
		return []fault.Field{{Path: "layout." + field, Rule: "is required for kind " + string(kind)}}
	case given == nil:
		value := T(r.fallback)
		*out = &value
	case !slices.Contains(r.values, string(*given)):
		rule := fmt.Sprintf("must be one of %s for kind %s here", strings.Join(r.values, ", "), kind)

		return []fault.Field{{Path: "layout." + field, Rule: rule}}
	default:
		*out = given
	}

	return nil
}

func unfit(field string, kind values.LayoutKind) fault.Field {
	return fault.Field{Path: "layout." + field, Rule: fmt.Sprintf("does not apply to kind %s here", kind)}
}
