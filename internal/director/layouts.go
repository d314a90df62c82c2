package director

import (
	"slices"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

const (
	// quietMs is how long the pointer must rest while somebody speaks for the speaker to fill the frame.
	quietMs = 4000
	// openingMs is how long an intro or outro is at most.
	openingMs = 4000
	// leastLayoutMs is the shortest layout there is.
	leastLayoutMs = 200
)

// Footage is what happened in a clip, in playback time, ascending.
type Footage struct {
	Scene      domain.LayoutSceneType
	DurationMs int64
	Speech     []timeline.Span // when words are said
	Clicks     []int64
	Moves      []int64 // when the pointer travels, clicks included
	Wide       bool    // the artboard is wider than tall
}

// Asked is what the editor wants. Nothing is required.
type Asked struct {
	Style        *domain.EditingStyle
	Instructions string
}

// Cut is a layout for a while.
type Cut struct {
	At    timeline.Span
	Shape domain.LayoutShape
}

// Choice is how a clip is shown.
type Choice struct {
	Style domain.EditingStyle
	Base  domain.LayoutShape
	Cuts  []Cut
}

// Layouts chooses the layouts of a clip.
func Layouts(f Footage, asked Asked) Choice {
	w := understand(asked.Instructions)
	c := Choice{Style: styleOf(f, asked.Style, w)}
	c.Base = base(f, c.Style, w)

	if f.Scene != domain.LayoutSceneTypeCombi {
		return c
	}

	alone := domain.LayoutShape{Kind: domain.LayoutKindCameraOnly}

	for _, at := range faces(f, c.Style) {
		c.Cuts = append(c.Cuts, Cut{At: at, Shape: alone})
	}

	return c
}

// styleOf is the style that was asked for, in a word or in words, else the one that fits: a recording
// with clicks is a demo, one that is mostly talk a tutorial.
func styleOf(f Footage, given *domain.EditingStyle, w wishes) domain.EditingStyle {
	switch {
	case given != nil:
		return *given
	case w.style != "":
		return w.style
	case len(f.Clicks) == 0 && len(f.Speech) > 0:
		return domain.EditingStyleTutorialRound
	default:
		return domain.EditingStyleProductDemoRound
	}
}

// base is what is shown of the clip for the most part.
func base(f Footage, style domain.EditingStyle, w wishes) domain.LayoutShape {
	shape := shapeOf(style, w)

	switch f.Scene {
	case domain.LayoutSceneTypeBasicSubject:
		if w.size != nil {
			return domain.LayoutShape{Kind: domain.LayoutKindMiddle, Size: w.size}
		}

		return domain.LayoutShape{Kind: domain.LayoutKindFullscreen}
	case domain.LayoutSceneTypeCameraSubject:
		if w.shape == nil && w.size == nil {
			return domain.LayoutShape{Kind: domain.LayoutKindFullscreen}
		}

		return domain.LayoutShape{Kind: domain.LayoutKindMiddle, Shape: &shape, Size: w.size}
	default: // both layers
	}

	side := domain.LayoutPositionRight
	if w.left {
		side = domain.LayoutPositionLeft
	}

	switch {
	case style == domain.EditingStylePresentationTvShow:
		return domain.LayoutShape{Kind: domain.LayoutKindTvPresenter, Position: &side}
	case style == domain.EditingStylePresentationPortrait && f.Wide:
		return domain.LayoutShape{Kind: domain.LayoutKindSideBySide, Position: &side}
	case style == domain.EditingStylePresentationPortrait:
		below := domain.LayoutPositionBottom
		if w.top {
			below = domain.LayoutPositionTop
		}

		return domain.LayoutShape{Kind: domain.LayoutKindSideBySide, Position: &below}
	default:
		corner, size := w.corner(), domain.LayoutSizeM
		if style == domain.EditingStyleTutorialRound || style == domain.EditingStyleTutorialSquare {
			size = domain.LayoutSizeS
		}

		if w.size != nil {
			size = *w.size
		}

		return domain.LayoutShape{Kind: domain.LayoutKindCameraBubble, Position: &corner, Size: &size, Shape: &shape}
	}
}

// shapeOf is how the camera is cropped: as asked for, else as the style says.
func shapeOf(style domain.EditingStyle, w wishes) domain.CameraShape {
	if w.shape != nil {
		return *w.shape
	}

	switch style {
	case domain.EditingStyleProductDemoPortrait, domain.EditingStylePresentationPortrait:
		return domain.CameraShapePortrait
	case domain.EditingStyleProductDemoSquare, domain.EditingStyleTutorialSquare:
		return domain.CameraShapeSquare
	case domain.EditingStyleProductDemoWide:
		return domain.CameraShapeLandscape
	default:
		return domain.CameraShapeCircle
	}
}

// faces are when the speaker fills the frame: at the beginning and the end where the style says so, and
// in a tutorial whenever somebody speaks while the pointer rests.
func faces(f Footage, style domain.EditingStyle) []timeline.Span {
	var at []timeline.Span

	opening := timeline.Span{StartMs: 0, EndMs: min(openingMs, f.DurationMs)}
	if len(f.Moves) > 0 {
		opening.EndMs = min(opening.EndMs, f.Moves[0])
	}

	closing := timeline.Span{StartMs: max(f.DurationMs-openingMs, 0), EndMs: f.DurationMs}
	if n := len(f.Moves); n > 0 {
		closing.StartMs = max(closing.StartMs, f.Moves[n-1])
	}

	switch style {
	case domain.EditingStyleIntro:
		at = append(at, opening)
	case domain.EditingStyleOutro:
		at = append(at, closing)
	case domain.EditingStyleIntroAndOutro:
		at = append(at, opening)
		at = append(at, closing.Free(at)...)
	case domain.EditingStyleTutorialRound, domain.EditingStyleTutorialSquare:
		at = talk(f)
	default: // one layout throughout
	}

	return slices.DeleteFunc(at, func(s timeline.Span) bool { return s.LengthMs() < leastLayoutMs })
}

// talk is when somebody speaks while the pointer rests for long.
func talk(f Footage) []timeline.Span {
	var at []timeline.Span

	rest := timeline.Span{}

	for _, moved := range append(slices.Clone(f.Moves), f.DurationMs) {
		rest.EndMs = moved

		if said, spoken := spokenIn(f.Speech, rest); spoken && said.LengthMs() >= quietMs {
			at = append(at, said)
		}

		rest.StartMs = moved
	}

	return at
}

// spokenIn is from the first to the last word within a span.
func spokenIn(speech []timeline.Span, within timeline.Span) (timeline.Span, bool) {
	said, found := timeline.Span{}, false

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
