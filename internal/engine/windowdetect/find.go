package windowdetect

import (
	"cmp"
	"slices"
)

const (
	// straight is the least share of a window's side that must be an edge.
	straight = 0.7
	// again is the least share when a known window is confirmed in another frame.
	again = 0.5
	// quiet is the most activity around a window, in edges per pixel: enough for icons and a task bar.
	quiet = 0.02
	// lines is how many straight lines in each direction are tried.
	lines = 24
	// trimmed is the least share of a side that is worth cropping.
	trimmed = 0.01
)

// Found is a box and its confidence, above 0 and up to 1. The zero value means that nothing was found.
type Found struct {
	Box        Box
	Confidence float64
}

// kind is why a box was chosen; other frames must confirm it in the same way.
type kind int

const (
	bars kind = iota
	plain
	outlined
	chrome
)

// Find looks for the window in a frame and confirms it in other frames of the same size. A window is found only if at
// least three fifths of all frames show it.
func Find(frame Frame, others ...Frame) Found {
	if frame.Width < 16 || frame.Height < 16 {
		return Found{}
	}

	box, why, support := search(frame)
	if support == 0 {
		return Found{}
	}

	agree := 1

	for _, other := range others {
		if confirm(other, box, why) {
			agree++
		}
	}

	share := float64(agree) / float64(1+len(others))
	if share < 0.6 {
		return Found{}
	}

	return Found{box, support * share}
}

func search(f Frame) (box Box, why kind, support float64) {
	around, black := borders(f)
	if black {
		return around, bars, 1
	}

	e := edgesOf(f)
	if box, support := outline(e); support > 0 {
		return box, outlined, support
	}

	if s := framed(e, around); s > 0 {
		return around, plain, s
	}

	if y := chromeEnd(e); y > 0 {
		return Box{0, y, f.Width, f.Height}, chrome, 0.8 * e.level(y, 0, f.Width)
	}

	return Box{}, 0, 0
}

// confirm reports whether another frame shows the same box.
func confirm(f Frame, box Box, why kind) bool {
	switch why {
	case bars, plain:
		around, _ := borders(f)

		return around.X0+1 >= box.X0 && around.Y0+1 >= box.Y0 && around.X1-1 <= box.X1 && around.Y1-1 <= box.Y1
	case chrome:
		return near(edgesOf(f).level, box.Y0, 0, f.Width) >= straight
	default:
		e := edgesOf(f)
		held := 0

		for _, s := range sides(e, box) {
			held += int(one(s.real && s.near() >= again))
		}

		return held >= 3 && e.noise(box) <= quiet
	}
}

// worth reports whether a box removes enough to be a crop, and leaves enough to be a picture.
func worth(f Frame, b Box) bool {
	if b.width() < f.Width/5 || b.height() < f.Height/5 {
		return false
	}

	wide := float64(b.X0+f.Width-b.X1) / float64(f.Width)
	high := float64(b.Y0+f.Height-b.Y1) / float64(f.Height)

	return max(wide, high) >= trimmed
}

// side is one of the four sides of a box.
type side struct {
	real    bool // it is not the border of the frame
	support func(at, from, to int) float64
	at      int
	from    int
	to      int
}

func (s side) exact() float64 { return s.support(s.at, s.from, s.to) }
func (s side) near() float64  { return near(s.support, s.at, s.from, s.to) }

// whole reports whether a side is an edge from end to end. A long edge that does not reach along the whole side belongs
// to another box.
func (s side) whole() bool {
	const parts = 8

	for i := range parts {
		from, to := s.from+(s.to-s.from)*i/parts, s.from+(s.to-s.from)*(i+1)/parts
		if s.support(s.at, from, to) < again {
			return false
		}
	}

	return true
}

func sides(e *edges, b Box) [4]side {
	return [4]side{
		{b.X0 > 0, e.upright, b.X0, b.Y0, b.Y1},
		{b.X1 < e.frame.Width, e.upright, b.X1, b.Y0, b.Y1},
		{b.Y0 > 0, e.level, b.Y0, b.X0, b.X1},
		{b.Y1 < e.frame.Height, e.level, b.Y1, b.X0, b.X1},
	}
}

// outline returns the largest box with straight edges on at least three sides and almost nothing around it.
func outline(e *edges) (Box, float64) {
	w, h := e.frame.Width, e.frame.Height
	xs := strongest(w, func(x int) float64 { return e.upright(x, 0, h) })
	ys := strongest(h, func(y int) float64 { return e.level(y, 0, w) })

	var (
		best    Box
		support float64
	)

	for i, x0 := range xs {
		for _, x1 := range xs[i+1:] {
			for j, y0 := range ys {
				for _, y1 := range ys[j+1:] {
					b := Box{x0, y0, x1, y1}
					if b.area() <= best.area() || !worth(e.frame, b) {
						continue
					}

					if s := held(e, b); s > 0 && e.noise(b) <= quiet {
						best, support = b, s
					}
				}
			}
		}
	}

	return best, support
}

// held returns how well the sides of a box match edges, on average; 0 if one does not, or if there are fewer than
// three.
func held(e *edges, b Box) float64 {
	count, sum := 0, 0.0

	for _, s := range sides(e, b) {
		if !s.real {
			continue
		}

		support := s.exact()
		if support < straight || !s.whole() {
			return 0
		}

		count++
		sum += support
	}

	if count < 3 {
		return 0
	}

	return sum / float64(count)
}

// framed returns the confidence that a border of one brightness is a frame around a picture: it has the same width on
// opposite sides, and ends in straight lines. Empty paper around writing does not.
func framed(e *edges, b Box) float64 {
	w, h := e.frame.Width, e.frame.Height
	if !worth(e.frame, b) || !alike(b.X0, w-b.X1) || !alike(b.Y0, h-b.Y1) {
		return 0
	}

	least := 1.0

	for _, s := range sides(e, b) {
		if s.real {
			least = min(least, s.near())
		}
	}

	if least < again {
		return 0
	}

	return least
}

// strongest returns the places of the straightest lines, and both borders, ascending.
func strongest(length int, support func(int) float64) []int {
	type line struct {
		at    int
		share float64
	}

	var all []line

	for at := 1; at < length; at++ {
		if share := support(at); share >= straight/5 {
			all = append(all, line{at, share})
		}
	}

	slices.SortStableFunc(all, func(a, b line) int { return cmp.Compare(b.share, a.share) })

	places := []int{0, length}
	for _, l := range all[:min(len(all), lines)] {
		places = append(places, l.at)
	}

	slices.Sort(places)

	return places
}
