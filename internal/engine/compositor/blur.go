package compositor

import "github.com/reelgraph/reelgraph/internal/video/plan"

// blurrer hides parts of a picture. Its output depends only on the means of large cells, so the hidden text cannot be
// recovered: two texts with equal means give equal pixels.
type blurrer struct {
	scale scaler
	grid  [3]Plane
	soft  []byte
}

// blur hides a box of the picture in squares of about cell pixels, never smaller. The box is widened to even pixels,
// and its edges are hidden as well as its middle.
func (b *blurrer) blur(f Frame, box plan.Rect, cell float64) {
	r := outer(box).cut(f.bounds())
	if r.empty() {
		return
	}

	part := f.within(r)
	across := max(1, int(float64(part.Width)/max(2, cell)))
	down := max(1, int(float64(part.Height)/max(2, cell)))

	small := Frame{Width: 2 * across, Height: 2 * down} // in chroma samples; the luma has the same grid

	for i, p := range part.Planes {
		g := &b.grid[i]
		*g = Plane{Pix: grow(g.Pix, across*down), Stride: across, Width: across, Height: down}

		means(*g, p)
		b.soften(*g)

		small.Planes[i] = *g
	}

	axes := &b.scale.axes
	axes[0].set(0, float64(across), part.Width, across)
	axes[1].set(0, float64(down), part.Height, down)
	axes[2].set(0, float64(across), part.Width/2, across)
	axes[3].set(0, float64(down), part.Height/2, down)

	for i := range part.Planes {
		k := min(i, 1) * 2
		b.scale.plane(part.Planes[i], small.Planes[i], &axes[k], &axes[k+1])
	}
}

// means sets each sample of the grid to the mean of its cell.
func means(grid, of Plane) {
	for j := range grid.Height {
		y0, y1 := j*of.Height/grid.Height, (j+1)*of.Height/grid.Height

		for i := range grid.Width {
			x0, x1 := i*of.Width/grid.Width, (i+1)*of.Width/grid.Width

			var sum int

			for y := y0; y < y1; y++ {
				for _, v := range of.Row(y)[x0:x1] {
					sum += int(v)
				}
			}

			n := max(1, (x1-x0)*(y1-y0))
			grid.Pix[j*grid.Stride+i] = byte((sum + n/2) / n)
		}
	}
}

// soften mixes each cell with its neighbors, weighted ¼, ½, ¼, across and down.
func (b *blurrer) soften(g Plane) {
	b.soft = grow(b.soft, len(g.Pix))

	third := func(before, at, after byte) byte { return byte((int(before) + 2*int(at) + int(after) + 2) / 4) }

	for y := range g.Height {
		row, to := g.Row(y), b.soft[y*g.Stride:]
		for x := range row {
			to[x] = third(row[max(x-1, 0)], row[x], row[min(x+1, g.Width-1)])
		}
	}

	for y := range g.Height {
		up, down := max(y-1, 0)*g.Stride, min(y+1, g.Height-1)*g.Stride
		row := g.Row(y)

		for x := range row {
			row[x] = third(b.soft[up+x], b.soft[y*g.Stride+x], b.soft[down+x])
		}
	}
}
