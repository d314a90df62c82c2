package autoedit

import (
	"strings"
	"unicode"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// wishes holds the requests that understand found in instructions.
type wishes struct {
	top, bottom, left, right bool

	size  *values.LayoutSize
	shape *values.CameraShape
	style values.EditingStyle
}

// understand reads plain requests about position, size and shape, and the name of a style. If requests
// contradict each other, the last one wins. Unknown words are ignored.
func understand(instructions string) wishes {
	var w wishes

	sizes := map[string]values.LayoutSize{
		"small": values.LayoutSizeS, "smaller": values.LayoutSizeS, "tiny": values.LayoutSizeS, "medium": values.LayoutSizeM,
		"large": values.LayoutSizeL, "larger": values.LayoutSizeL, "big": values.LayoutSizeL, "bigger": values.LayoutSizeL,
	}
	shapes := map[string]values.CameraShape{
		"round": values.CameraShapeCircle, "circle": values.CameraShapeCircle, "circular": values.CameraShapeCircle,
		"square": values.CameraShapeSquare, "portrait": values.CameraShapePortrait, "vertical": values.CameraShapePortrait,
		"wide": values.CameraShapeLandscape, "horizontal": values.CameraShapeLandscape,
	}
	text := strings.ToLower(instructions)

	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) }) {
		switch word {
		case "top", "upper", "above":
			w.top, w.bottom = true, false
		case "bottom", "lower", "below":
			w.top, w.bottom = false, true
		case "left":
			w.left, w.right = true, false
		case "right":
			w.left, w.right = false, true
		}

		if size, is := sizes[word]; is {
			w.size = &size
		}

		if shape, is := shapes[word]; is {
			w.shape = &shape
		}
	}

	for _, name := range values.EditingStyle("").Values() {
		if strings.Contains(text, name) && len(name) > len(w.style) {
			w.style = values.EditingStyle(name)
		}
	}

	return w
}

// corner returns the position of a camera bubble: the requested one, or the bottom left.
func (w wishes) corner() values.LayoutPosition {
	switch {
	case w.top && w.right:
		return values.LayoutPositionTopRight
	case w.top:
		return values.LayoutPositionTopLeft
	case w.right:
		return values.LayoutPositionBottomRight
	default:
		return values.LayoutPositionBottomLeft
	}
}
