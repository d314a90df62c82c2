package director

import (
	"strings"
	"unicode"

	"github.com/reelgraph/reelgraph/internal/domain"
)

// wishes are what instructions ask for, as far as they are understood.
type wishes struct {
	top, bottom, left, right bool

	size  *domain.LayoutSize
	shape *domain.CameraShape
	style domain.EditingStyle
}

// understand reads plain requests about position, size and shape, and the name of a style. Of words that
// contradict each other the last one counts; what it does not understand it leaves out.
func understand(instructions string) wishes {
	var w wishes

	sizes := map[string]domain.LayoutSize{
		"small": domain.LayoutSizeS, "smaller": domain.LayoutSizeS, "tiny": domain.LayoutSizeS, "medium": domain.LayoutSizeM,
		"large": domain.LayoutSizeL, "larger": domain.LayoutSizeL, "big": domain.LayoutSizeL, "bigger": domain.LayoutSizeL,
	}
	shapes := map[string]domain.CameraShape{
		"round": domain.CameraShapeCircle, "circle": domain.CameraShapeCircle, "circular": domain.CameraShapeCircle,
		"square": domain.CameraShapeSquare, "portrait": domain.CameraShapePortrait, "vertical": domain.CameraShapePortrait,
		"wide": domain.CameraShapeLandscape, "horizontal": domain.CameraShapeLandscape,
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

	for _, name := range domain.EditingStyle("").Values() {
		if strings.Contains(text, name) && len(name) > len(w.style) {
			w.style = domain.EditingStyle(name)
		}
	}

	return w
}

// corner is where a bubble goes: at the bottom left unless somebody says otherwise.
func (w wishes) corner() domain.LayoutPosition {
	switch {
	case w.top && w.right:
		return domain.LayoutPositionTopRight
	case w.top:
		return domain.LayoutPositionTopLeft
	case w.right:
		return domain.LayoutPositionBottomRight
	default:
		return domain.LayoutPositionBottomLeft
	}
}
