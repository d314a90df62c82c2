package compositor

import (
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// lighter darkens everything outside the highlights.
type lighter struct {
	boxes []rect
	spans [][2]int
}

// light darkens the picture outside the highlights among the masks, by the darkest of them. The boxes are rounded to
// even pixels.
func (l *lighter) light(f Frame, masks []plan.Mask) {
	l.boxes = l.boxes[:0]

	var dark float64

	for _, m := range masks {
		if m.Type == values.MaskTypeHighlight {
			dark = max(dark, m.Dark)
			l.boxes = append(l.boxes, nearest(m.Box).cut(f.bounds()))
		}
	}

	w := uint32(min(1, dark)*whole + 0.5)
	if w == 0 {
		return
	}

	black := Black.yuv()

	for i, p := range f.Planes {
		k := 1 + min(i, 1)

		for y := range p.Height {
			row := p.Row(y)
			x := 0

			for _, bright := range l.bright(y*k, k) {
				if bright[0] > x {
					mixConstant(row[x:bright[0]], black[i], w)
				}

				x = max(x, bright[1])
			}

			mixConstant(row[x:], black[i], w)
		}
	}
}

// bright returns the parts of a line that stay unchanged, from left to right, in units of k pixels.
func (l *lighter) bright(y, k int) [][2]int {
	l.spans = l.spans[:0]

	for _, b := range l.boxes {
		if !b.empty() && y >= b.y0 && y < b.y1 {
			l.spans = append(l.spans, [2]int{b.x0 / k, b.x1 / k})
		}
	}

	slices.SortFunc(l.spans, func(a, b [2]int) int { return a[0] - b[0] })

	return l.spans
}

// nearest returns the rectangle with even corners nearest to the box.
func nearest(b plan.Rect) rect {
	return rect{floorEven(b.X + 1), floorEven(b.Y + 1), floorEven(b.X + b.Width + 1), floorEven(b.Y + b.Height + 1)}
}
