// Package windowdetect finds the one window or picture that a screen recording shows: between black bars, on a desktop,
// or under the bars of a browser. Equal frames give equal results. Start with Find.
package windowdetect

// step is the least difference of brightness between neighbors that counts as an edge. Noise of lossy encoding, soft
// shadows and gradients are below it.
const step = 8

// Frame is the brightness of a picture, row by row.
type Frame struct {
	Width, Height int
	Luma          []byte
}

func (f Frame) row(y int) []byte { return f.Luma[y*f.Width : (y+1)*f.Width] }

func (f Frame) at(x, y int) int { return int(f.Luma[y*f.Width+x]) }

// Box is a part of a frame; its right and bottom edges are exclusive.
type Box struct{ X0, Y0, X1, Y1 int }

func (b Box) width() int  { return b.X1 - b.X0 }
func (b Box) height() int { return b.Y1 - b.Y0 }
func (b Box) area() int   { return b.width() * b.height() }

func (f Frame) whole() Box { return Box{X1: f.Width, Y1: f.Height} }

// edges records where neighboring pixels of a frame differ.
type edges struct {
	frame Frame
	// across[x] counts, from the top, the rows in which the picture changes between columns x−1 and x; down[y] counts,
	// from the left, the columns in which it changes between rows y−1 and y.
	across, down [][]int32
	// sums is how many pixels above and left of each have an edge at their left or top.
	sums []int32
}

func edgesOf(f Frame) *edges {
	e := &edges{
		frame: f, across: make([][]int32, f.Width), down: make([][]int32, f.Height),
		sums: make([]int32, (f.Width+1)*(f.Height+1)),
	}

	for x := range e.across {
		e.across[x] = make([]int32, f.Height+1)
	}

	for y := range f.Height {
		e.down[y] = make([]int32, f.Width+1)

		var line int32

		for x := range f.Width {
			v := f.at(x, y)
			side := x > 0 && differ(v, f.at(x-1, y))
			top := y > 0 && differ(v, f.at(x, y-1))

			e.across[x][y+1] = e.across[x][y] + one(side)
			e.down[y][x+1] = e.down[y][x] + one(top)
			line += one(side || top)
			e.sums[(y+1)*(f.Width+1)+x+1] = e.sums[y*(f.Width+1)+x+1] + line
		}
	}

	return e
}

func differ(a, b int) bool { return a-b >= step || b-a >= step }

func one(yes bool) int32 {
	if yes {
		return 1
	}

	return 0
}

// inside returns how many pixels of a box have an edge.
func (e *edges) inside(b Box) int {
	at := func(x, y int) int { return int(e.sums[y*(e.frame.Width+1)+x]) }

	return at(b.X1, b.Y1) - at(b.X0, b.Y1) - at(b.X1, b.Y0) + at(b.X0, b.Y0)
}

// noise returns the share of pixels with an edge around a box, without its own outline.
func (e *edges) noise(b Box) float64 {
	grown := Box{max(b.X0-2, 0), max(b.Y0-2, 0), min(b.X1+2, e.frame.Width), min(b.Y1+2, e.frame.Height)}

	around := e.frame.whole().area() - grown.area()
	if around == 0 {
		return 1
	}

	return float64(e.inside(e.frame.whole())-e.inside(grown)) / float64(around)
}

// upright returns the share of a vertical line that is an edge; the border of the frame never is.
func (e *edges) upright(x, y0, y1 int) float64 {
	if x <= 0 || x >= e.frame.Width || y1 <= y0 {
		return 0
	}

	return float64(e.across[x][y1]-e.across[x][y0]) / float64(y1-y0)
}

// level does the same for a horizontal line.
func (e *edges) level(y, x0, x1 int) float64 {
	if y <= 0 || y >= e.frame.Height || x1 <= x0 {
		return 0
	}

	return float64(e.down[y][x1]-e.down[y][x0]) / float64(x1-x0)
}

// near returns the best of a line and its two neighbors: in another frame the line may have moved by a pixel.
func near(support func(at, from, to int) float64, at, from, to int) float64 {
	return max(support(at-1, from, to), support(at, from, to), support(at+1, from, to))
}
