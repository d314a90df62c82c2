package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
)

// rule says which values a field of a layout may have, and which it has when nobody says; the values
// of a field without a default have to be given.
type rule struct {
	values   []string
	fallback string
}

// form is what a kind of layout is on a clip of one scene type: its fields, those that only a style
// has, and whether it punches in.
type form struct {
	position, size, shape, style, screenFit *rule

	sizeOf  domain.LayoutStyle // the style that has a size; empty is every
	punchIn bool
}

func choice(fallback string, values ...string) *rule {
	return &rule{values: values, fallback: fallback}
}

// formOf is the form of a kind on a clip, or false when the clip cannot be shown so.
func formOf(kind domain.LayoutKind, scene domain.LayoutSceneType, artboard domain.Dimensions) (form, bool) {
	var (
		combi, camera = scene == domain.LayoutSceneTypeCombi, scene == domain.LayoutSceneTypeCameraSubject
		sizes         = choice("M", "S", "M", "L")
		fits          = choice("letterbox", "cover", "letterbox")
	)

	switch kind {
	case domain.LayoutKindFullscreen:
		if camera {
			return form{style: choice("regular", "regular", "stretch")}, true
		}

		return form{screenFit: fits}, !combi
	case domain.LayoutKindMiddle:
		f := form{size: sizes}
		if camera {
			f.shape = choice("wide", "round", "square", "portrait", "wide")
		}

		return f, !combi
	case domain.LayoutKindSideBySide:
		if artboard.Width > artboard.Height {
			return form{
				position: choice("", "left", "right"), style: choice("regular", "regular", "even", "overlap"),
				size: sizes, sizeOf: domain.LayoutStyleOverlap,
			}, combi
		}

		return form{position: choice("", "top", "bottom"), style: choice("even", "even")}, combi
	case domain.LayoutKindTvPresenter:
		return form{position: choice("", "left", "right")}, combi
	case domain.LayoutKindCameraBubble:
		return form{
			position: choice("", "top-left", "top-right", "bottom-left", "bottom-right"), size: sizes,
			shape: choice("round", "round", "square", "portrait", "wide"),
		}, combi
	case domain.LayoutKindCameraOnly:
		return form{style: choice("regular", "regular", "fullscreen"), punchIn: true}, combi
	case domain.LayoutKindScreenOnly:
		return form{screenFit: fits}, combi
	case domain.LayoutKindBRoll:
		return form{style: choice("fullscreen", "fullscreen", "framed")}, true
	default:
		return form{}, false
	}
}

// fillShape fills in the defaults of a layout on a clip, and says what does not fit.
func fillShape(given domain.LayoutShape, scene domain.LayoutSceneType, artboard domain.Dimensions) (domain.LayoutShape, []fault.Field) {
	f, fits := formOf(given.Kind, scene, artboard)
	if !fits {
		return given, []fault.Field{{Path: "layout.kind", Rule: fmt.Sprintf("must not be %s on a clip of scene type %s", given.Kind, scene)}}
	}

	out := domain.LayoutShape{Kind: given.Kind}
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

// fill sets a field of a layout to what is given, or to its default.
func fill[T ~string](out **T, given *T, r *rule, field string, kind domain.LayoutKind) []fault.Field {
	switch {
	case r == nil && given == nil:
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

func unfit(field string, kind domain.LayoutKind) fault.Field {
	return fault.Field{Path: "layout." + field, Rule: fmt.Sprintf("does not apply to kind %s here", kind)}
}
