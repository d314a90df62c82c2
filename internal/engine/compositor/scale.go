package compositor

import (
	"math"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// scaler draws a part of a picture at another size, with sub-pixel accuracy. Enlarging interpolates between two
// samples; reducing by more than littleReduced weighs all samples that fall on one. It keeps its tables while the size
// stays the same.
type scaler struct {
	threads int
	axes    [4]axis // luma across and down, chroma across and down
	bands   []band
}

// band is the scratch of one thread: source lines already drawn at the new width.
type band struct {
	lines [][]byte
	holds []int // the source line that each scratch line holds
	sums  []uint32
}

// littleReduced is the greatest reduction for which two samples are enough: none between them is missed.
const littleReduced = 1.5

// axis lists the input samples of each output sample.
type axis struct {
	key   axisKey
	taps  int
	first []int32
	share []uint16 // taps for each output sample; they add up to whole
	// pick has the places of two samples after the first of eight, for the outputs that the kernel makes.
	pick []byte
	// plain is set if the output is an unchanged stretch of the input, starting at first[0].
	plain bool
}

type axisKey struct {
	from, length float64
	n, limit     int
}

// set maps length input samples, starting at from, to n output samples; limit is the number of input samples.
func (a *axis) set(from, length float64, n, limit int) {
	key := axisKey{from, length, n, limit}
	if a.key == key {
		return
	}

	a.key = key
	step := length / float64(n)

	radius := 1.0
	if step > littleReduced {
		radius = step
	}

	a.taps = min(limit, int(math.Ceil(2*radius)))

	a.first = grow(a.first, n)
	a.share = grow(a.share, n*a.taps)
	a.plain = true

	for i := range n {
		centre := from + (float64(i)+0.5)*step - 0.5
		a.weigh(i, centre, radius, limit)
		a.plain = a.plain && a.first[i] == a.first[0]+int32(i) && a.share[i*a.taps] == whole
	}

	a.group(n, limit)
}

// group fills pick. Eight outputs need at most sixteen samples; it omits the last outputs, for which the kernel would
// read past the input's end.
func (a *axis) group(n, limit int) {
	a.pick = a.pick[:0]

	if a.taps != 2 || a.key.length < 0 {
		return
	}

	for at := range most(n) / lanes {
		at *= lanes
		if int(a.first[at+lanes/2])+lanes > limit {
			return
		}

		for i := at; i < at+lanes; i++ {
			place := byte(a.first[i] - a.first[i&^(lanes/2-1)])
			a.pick = append(a.pick, place, place+1)
		}
	}
}

// weigh fills the shares of one output sample: a tent around its center. The edge samples repeat outside the input.
func (a *axis) weigh(i int, centre, radius float64, limit int) {
	begin := int(math.Floor(centre-radius)) + 1
	first := max(0, min(begin, limit-a.taps))
	share := a.share[i*a.taps:][:a.taps]
	clear(share)

	var total float64
	for k := range a.taps {
		total += max(0, 1-math.Abs(float64(begin+k)-centre)/radius)
	}

	left, largest := whole, 0

	for k := range a.taps {
		at := max(0, min(begin+k, limit-1)) - first
		w := int(math.Round(whole * max(0, 1-math.Abs(float64(begin+k)-centre)/radius) / total))
		share[at] += uint16(w)
		left -= w

		if share[at] > share[largest] {
			largest = at
		}
	}

	share[largest] = uint16(int(share[largest]) + left)
	a.first[i] = int32(first)
}

// draw fills dst with the part from of src, in luma pixels of src.
func (s *scaler) draw(dst, src Frame, from plan.Rect) {
	s.axes[0].set(from.X, from.Width, dst.Width, src.Width)
	s.axes[1].set(from.Y, from.Height, dst.Height, src.Height)
	s.axes[2].set(from.X/2, from.Width/2, dst.Width/2, src.Width/2)
	s.axes[3].set(from.Y/2, from.Height/2, dst.Height/2, src.Height/2)

	for i := range dst.Planes {
		k := min(i, 1) * 2
		s.plane(dst.Planes[i], src.Planes[i], &s.axes[k], &s.axes[k+1])
	}
}

// drawAlpha draws the plane of alpha after draw.
func (s *scaler) drawAlpha(dst, src Plane) { s.plane(dst, src, &s.axes[0], &s.axes[1]) }

// plane draws the lines, each thread a band of them.
func (s *scaler) plane(dst, src Plane, across, down *axis) {
	n := max(1, min(s.threads, dst.Height/64))
	for len(s.bands) < n {
		s.bands = append(s.bands, band{})
	}

	if n == 1 {
		s.bands[0].draw(dst, src, across, down, 0, dst.Height)

		return
	}

	parallel(n, func(i int) {
		s.bands[i].draw(dst, src, across, down, dst.Height*i/n, dst.Height*(i+1)/n)
	})
}

func (b *band) draw(dst, src Plane, across, down *axis, from, to int) {
	b.reset(down.taps, dst.Width)

	for y := from; y < to; y++ {
		first, share := int(down.first[y]), down.share[y*down.taps:][:down.taps]
		row := dst.Row(y)

		switch {
		case down.taps == 1 || down.taps == 2 && share[1] == 0:
			copy(row, b.line(src, across, first))
		case down.taps == 2:
			mix(row, b.line(src, across, first), b.line(src, across, first+1), uint32(share[1]))
		default:
			b.add(row, src, across, first, share)
		}
	}
}

func (b *band) reset(taps, width int) {
	for len(b.lines) < taps {
		b.lines = append(b.lines, nil)
		b.holds = append(b.holds, 0)
	}

	for i := range b.lines {
		b.lines[i] = grow(b.lines[i], width)
		b.holds[i] = -1
	}
}

// add blends more than two lines.
func (b *band) add(row []byte, src Plane, across *axis, first int, share []uint16) {
	b.sums = grow(b.sums, len(row))
	for i := range b.sums {
		b.sums[i] = whole / 2
	}

	for k, w := range share {
		if w == 0 {
			continue
		}

		line := b.line(src, across, first+k)
		for i, v := range line {
			b.sums[i] += uint32(v) * uint32(w)
		}
	}

	for i, v := range b.sums {
		row[i] = byte(v / whole)
	}
}

// line returns a source line at the new width. Each is drawn once: the lines of an output line are consecutive, and
// there is a scratch line for each.
func (b *band) line(src Plane, across *axis, y int) []byte {
	if across.plain {
		x := int(across.first[0])

		return src.Row(y)[x : x+len(across.first)]
	}

	at := y % len(b.lines)
	if b.holds[at] != y {
		b.holds[at] = y
		across.draw(b.lines[at], src.Row(y))
	}

	return b.lines[at]
}

// draw draws one line at the new width.
func (a *axis) draw(dst, src []byte) {
	if a.taps == 2 {
		a.drawTwo(dst, src)

		return
	}

	for i := range dst {
		sum := uint32(whole / 2)
		from := src[a.first[i]:][:a.taps]

		for k, w := range a.share[i*a.taps:][:a.taps] {
			sum += uint32(from[k]) * uint32(w)
		}

		dst[i] = byte(sum / whole)
	}
}

func (a *axis) drawTwo(dst, src []byte) {
	first, share := a.first[:len(dst)], a.share[:2*len(dst)]

	done := len(a.pick) / 2
	if done > 0 {
		_, _ = dst[done-1], src[a.key.limit-1] // the kernel does not check these bounds
		pairsWide(&dst[0], &src[0], &first[0], &a.pick[0], &share[0], done)
	}

	for i := done; i < len(dst); i++ {
		pair := src[first[i]:][:2]
		dst[i] = byte((uint32(pair[0])*uint32(share[2*i]) + uint32(pair[1])*uint32(share[2*i+1]) + whole/2) / whole)
	}
}

// grow returns a slice of n elements, s itself if it is large enough. Its content is undefined.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}

	return s[:n]
}
