package autoedit

import (
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// quietMs is how long the pointer must rest while somebody speaks for the speaker to fill the frame.
	quietMs = 4000
	// openingMs is how long an intro or outro is at most.
	openingMs = 4000
	// leastLayoutMs is the shortest layout there is.
	leastLayoutMs = 200
)

// Footage describes what happened in a clip. All times are playback times in ascending order.
type Footage struct {
	Scene      values.LayoutSceneType
	DurationMs int64
	Speech     []values.Span // when words are said
	Clicks     []int64
	Moves      []int64 // when the pointer travels, clicks included
	Wide       bool    // the artboard is wider than tall
}

// Asked holds the wishes of the person who edits the video. Every field is optional.
type Asked struct {
	Style        *values.EditingStyle
	Instructions string
}

// Cut is a layout that applies to one span of the clip.
type Cut struct {
	At    values.Span
	Shape values.LayoutShape
}

// Choice is the result of Layouts: how the clip is shown.
type Choice struct {
	Style values.EditingStyle
	Base  values.LayoutShape
	Cuts  []Cut
}

// Layouts chooses the layouts of a clip.
func Layouts(f Footage, asked Asked) Choice {
	w := understand(asked.Instructions)
	c := Choice{Style: styleOf(f, asked.Style, w)}
	c.Base = base(f, c.Style, w)

	if f.Scene != values.LayoutSceneTypeCombi {
		return c
	}

	alone := values.LayoutShape{Kind: values.LayoutKindCameraOnly}

	for _, at := range faces(f, c.Style) {
		c.Cuts = append(c.Cuts, Cut{At: at, Shape: alone})
	}

	return c
}

// styleOf returns the requested style. Without a request, a recording with clicks is a demo, and one that is
// mostly speech is a tutorial.
func styleOf(f Footage, given *values.EditingStyle, w wishes) values.EditingStyle {
	switch {
	case given != nil:
		return *given
	case w.style != "":
		return w.style
	case len(f.Clicks) == 0 && len(f.Speech) > 0:
		return values.EditingStyleTutorialRound
	default:
		return values.EditingStyleProductDemoRound
	}
}

// base returns the layout that is shown outside all cuts.
func base(f Footage, style values.EditingStyle, w wishes) values.LayoutShape {
	shape := shapeOf(style, w)

	switch f.Scene {
	case values.LayoutSceneTypeBasicSubject:
		if w.size != nil {
			return values.LayoutShape{Kind: values.LayoutKindMiddle, Size: w.size}
		}

		return values.LayoutShape{Kind: values.LayoutKindFullscreen}
	case values.LayoutSceneTypeCameraSubject:
		if w.shape == nil && w.size == nil {
			return values.LayoutShape{Kind: values.LayoutKindFullscreen}
		}

		return values.LayoutShape{Kind: values.LayoutKindMiddle, Shape: &shape, Size: w.size}
	default: // both layers
	}

	side := values.LayoutPositionRight
	if w.left {
		side = values.LayoutPositionLeft
	}

	switch {
	case style == values.EditingStylePresentationTvShow:
		return values.LayoutShape{Kind: values.LayoutKindTvPresenter, Position: &side}
	case style == values.EditingStylePresentationPortrait && f.Wide:
		return values.LayoutShape{Kind: values.LayoutKindSideBySide, Position: &side}
	case style == values.EditingStylePresentationPortrait:
		below := values.LayoutPositionBottom
		if w.top {
			below = values.LayoutPositionTop
		}

		return values.LayoutShape{Kind: values.LayoutKindSideBySide, Position: &below}
	default:
		corner, size := w.corner(), values.LayoutSizeM
		if style == values.EditingStyleTutorialRound || style == values.EditingStyleTutorialSquare {
			size = values.LayoutSizeS
		}

		if w.size != nil {
			size = *w.size
		}

		return values.LayoutShape{Kind: values.LayoutKindCameraBubble, Position: &corner, Size: &size, Shape: &shape}
	}
}

// shapeOf returns the requested shape of the camera, or the default shape of the style.
func shapeOf(style values.EditingStyle, w wishes) values.CameraShape {
	if w.shape != nil {
		return *w.shape
	}

	switch style {
	case values.EditingStyleProductDemoPortrait, values.EditingStylePresentationPortrait:
		return values.CameraShapePortrait
	case values.EditingStyleProductDemoSquare, values.EditingStyleTutorialSquare:
		return values.CameraShapeSquare
	case values.EditingStyleProductDemoWide:
		return values.CameraShapeLandscape
	default:
		return values.CameraShapeCircle
	}
}

// faces returns the spans in which the speaker fills the frame: an intro and outro if the style has them, and
// in a tutorial all speech while the pointer rests.
func faces(f Footage, style values.EditingStyle) []values.Span {
	var at []values.Span

	opening := values.Span{StartMs: 0, EndMs: min(openingMs, f.DurationMs)}
	if len(f.Moves) > 0 {
		opening.EndMs = min(opening.EndMs, f.Moves[0])
	}

	closing := values.Span{StartMs: max(f.DurationMs-openingMs, 0), EndMs: f.DurationMs}
	if n := len(f.Moves); n > 0 {
		closing.StartMs = max(closing.StartMs, f.Moves[n-1])
	}

	switch style {
	case values.EditingStyleIntro:
		at = append(at, opening)
	case values.EditingStyleOutro:
		at = append(at, closing)
	case values.EditingStyleIntroAndOutro:
		at = append(at, opening)
		at = append(at, closing.Free(at)...)
	case values.EditingStyleTutorialRound, values.EditingStyleTutorialSquare:
		at = talk(f)
	default: // one layout throughout
	}

	return slices.DeleteFunc(at, func(s values.Span) bool { return s.LengthMs() < leastLayoutMs })
}

// talk returns the spans with speech while the pointer rests for at least quietMs.
func talk(f Footage) []values.Span {
	var at []values.Span

	rest := values.Span{}

	for _, moved := range append(slices.Clone(f.Moves), f.DurationMs) {
		rest.EndMs = moved

		if said, spoken := spokenIn(f.Speech, rest); spoken && said.LengthMs() >= quietMs {
			at = append(at, said)
		}

		rest.StartMs = moved
	}

	return at
}

// spokenIn returns the span from the first to the last word inside another span. It returns false without words.
func spokenIn(speech []values.Span, within values.Span) (values.Span, bool) {
	said, found := values.Span{}, false

	for _, s := range speech {
		if s.StartMs < within.StartMs || s.EndMs > within.EndMs {
			continue
		}

		if !found {
			said.StartMs = s.StartMs
		}

		said.EndMs, found = s.EndMs, true
	}

	return said, found
}
