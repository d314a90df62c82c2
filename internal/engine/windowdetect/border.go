package windowdetect

const (
	// even is how far the pixels of a border may differ from its brightness.
	even = 6
	// stray is the share of a border's pixels that may have any brightness.
	stray = 0.005
	// blackest is the greatest brightness of a black bar.
	blackest = 24
)

// borders peels off everything around the picture that has the brightness of the frame's corner, and returns the rest.
// black reports black bars: they are black and come in pairs of similar width. A frame of one color leaves nothing.
func borders(f Frame) (box Box, black bool) {
	tone := f.at(0, 0)
	b := f.whole()

	for b.Y0 < b.Y1 && evenRow(f, b.Y0, b, tone) {
		b.Y0++
	}

	for b.Y1 > b.Y0 && evenRow(f, b.Y1-1, b, tone) {
		b.Y1--
	}

	if b.Y0 == b.Y1 {
		return Box{}, false
	}

	for b.X0 < b.X1 && evenColumn(f, b.X0, b, tone) {
		b.X0++
	}

	for b.X1 > b.X0 && evenColumn(f, b.X1-1, b, tone) {
		b.X1--
	}

	return b, tone <= blackest && worth(f, b) && alike(b.X0, f.Width-b.X1) && alike(b.Y0, f.Height-b.Y1)
}

func alike(a, b int) bool { return a-b <= 2+a/20 && b-a <= 2+b/20 }

func evenRow(f Frame, y int, within Box, tone int) bool {
	return odd(f.row(y)[within.X0:within.X1], 1, within.width(), tone) <= allowed(within.width())
}

func evenColumn(f Frame, x int, within Box, tone int) bool {
	return odd(f.Luma[within.Y0*f.Width+x:], f.Width, within.height(), tone) <= allowed(within.height())
}

func allowed(length int) int { return int(stray * float64(length)) }

// odd returns how many of a line's pixels have another brightness.
func odd(line []byte, stride, length, tone int) int {
	n := 0

	for i := range length {
		if d := int(line[i*stride]) - tone; d > even || d < -even {
			n++
		}
	}

	return n
}

const (
	// The bars of a browser end between these shares of the frame's height.
	leastChrome, mostChrome = 0.03, 0.2
	// across is the least share of the frame's width that their lower edge covers.
	across = 0.95
	// bare is the least share of a bar that has a single brightness.
	bare = 0.6
)

// chromeEnd returns where the page begins under a browser's bars: at the lowest line across the whole frame near its
// top that has only bars above it. Zero means none.
func chromeEnd(e *edges) int {
	h := float64(e.frame.Height)
	end, from := 0, 0

	for y := 1; y < int(mostChrome*h); y++ {
		if e.level(y, 0, e.frame.Width) < across {
			continue
		}

		if bareness(e.frame, from, y) < bare {
			break
		}

		from = y

		if float64(y) >= leastChrome*h {
			end = y
		}
	}

	return end
}

// bareness returns the share of a band's pixels that have its most frequent brightness.
func bareness(f Frame, from, to int) float64 {
	var count [256]int

	for _, v := range f.Luma[from*f.Width : to*f.Width] {
		count[v]++
	}

	best := 0

	for v := range 256 {
		n := 0
		for near := max(v-3, 0); near <= min(v+3, 255); near++ {
			n += count[near]
		}

		best = max(best, n)
	}

	return float64(best) / float64((to-from)*f.Width)
}
