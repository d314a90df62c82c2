package compositor

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Each kernel has a reference implementation here that does the same in the simplest way, one sample at a time.

func TestMixAgreesWithItsTwin(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 70).Draw(t, "n")
		bytes := func(name string) []byte { return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name) }
		a, b, alpha := bytes("a"), bytes("b"), bytes("alpha")
		hidden := rapid.IntRange(0, n).Draw(t, "hidden from")
		clear(alpha[hidden:rapid.IntRange(hidden, n).Draw(t, "to")])

		w := rapid.Uint32Range(0, whole).Draw(t, "w")
		v := rapid.Byte().Draw(t, "v")

		twin := func(w func(i int) uint32, second func(i int) byte) []byte {
			out := make([]byte, n)
			for i := range out {
				out[i] = byte(math.Floor((float64(a[i])*float64(whole-w(i))+float64(second(i))*float64(w(i)))/whole + 0.5))
			}

			return out
		}
		same := func(int) uint32 { return w }
		each := func(i int) uint32 { return uint32(alpha[i]) + uint32(alpha[i])/128 }

		first := func(i int) byte { return a[i] }
		second := func(i int) byte { return b[i] }
		constant := func(int) byte { return v }

		for _, kernel := range []struct {
			name string
			in   func(int) byte // the content of dst before
			draw func(dst []byte)
			want []byte
		}{
			{"mix", constant, func(dst []byte) { mix(dst, a, b, w) }, twin(same, second)},
			{"mix over the first", first, func(dst []byte) { mix(dst, dst, b, w) }, twin(same, second)},
			{"mix over the second", second, func(dst []byte) { mix(dst, a, dst, w) }, twin(same, second)},
			{"mixConstant", first, func(dst []byte) { mixConstant(dst, v, w) }, twin(same, constant)},
			{"mixAlpha", first, func(dst []byte) { mixAlpha(dst, b, alpha) }, twin(each, second)},
			{"mixAlphaConstant", first, func(dst []byte) { mixAlphaConstant(dst, v, alpha) }, twin(each, constant)},
		} {
			got := make([]byte, n+2*lanes)
			for i := range n {
				got[i] = kernel.in(i)
			}

			kernel.draw(got[:n])
			require.Equal(t, kernel.want, got[:n], kernel.name)
			require.Equal(t, make([]byte, 2*lanes), got[n:], "%s wrote past the end", kernel.name)
		}
	})
}

// A sample made of two samples is exact to the bit, and nothing past the end of the line is read: a read there would
// crash the process.
func TestPairsAgreeWithTheirTwin(t *testing.T) {
	t.Parallel()

	page := unix.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(memory)) })
	require.NoError(t, unix.Mprotect(memory[page:], unix.PROT_NONE))

	var tried, cut bool // the assembly kernel ran, and it stopped early near the end of a line

	rapid.Check(t, func(t *rapid.T) {
		limit, n := rapid.IntRange(2, 200).Draw(t, "limit"), rapid.IntRange(1, 140).Draw(t, "n")
		src := memory[page-limit : page]
		copy(src, rapid.SliceOfN(rapid.Byte(), limit, limit).Draw(t, "src"))

		// The drawn part begins and ends up to two samples outside the line, and the axis is used a second time.
		var a axis

		for range 2 {
			length := rapid.Float64Range(0.1, min(float64(limit), littleReduced*float64(n))).Draw(t, "length")
			a.set(rapid.Float64Range(-2, float64(limit)-length+2).Draw(t, "from"), length, n, limit)
			require.Equal(t, 2, a.taps)
		}

		want := make([]byte, n)
		for i := range want {
			at := a.first[i]
			want[i] = byte((int(src[at])*int(a.share[2*i]) + int(src[at+1])*int(a.share[2*i+1]) + 128) / 256)
		}

		got := make([]byte, n+2*lanes)
		a.draw(got[:n], src)
		require.Equal(t, want, got[:n])
		require.Equal(t, make([]byte, 2*lanes), got[n:], "written past the end")

		tried = tried || len(a.pick) > 0
		cut = cut || len(a.pick)/2 < most(n)
	})

	require.Equal(t, wide, tried, "the assembly kernel did not run")
	require.Equal(t, wide, cut, "no case stopped near the end of a line")
}

// sample returns the value of a plane between its samples, by linear interpolation.
func sample(p Plane, x, y float64) float64 {
	at := func(x, y int) float64 {
		return float64(p.Row(max(0, min(p.Height-1, y)))[max(0, min(p.Width-1, x))])
	}
	fx, fy := math.Floor(x), math.Floor(y)
	dx, dy, i, j := x-fx, y-fy, int(fx), int(fy)

	return (at(i, j)*(1-dx)+at(i+1, j)*dx)*(1-dy) + (at(i, j+1)*(1-dx)+at(i+1, j+1)*dx)*dy
}

func TestScaleAgreesWithItsTwin(t *testing.T) {
	t.Parallel()

	src := noise(64, 48, 3)

	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.Float64Range(8, 60).Draw(t, "w"), rapid.Float64Range(8, 48).Draw(t, "h")
		from := box(rapid.Float64Range(0, 64-w).Draw(t, "x"), rapid.Float64Range(0, 48-h).Draw(t, "y"), w, h)
		dst := NewFrame(44, 256) // large enough for three threads with a band each
		s := scaler{threads: rapid.IntRange(0, 3).Draw(t, "threads")}
		s.draw(dst, src, from)

		for i, p := range dst.Planes {
			k := float64(1 + min(i, 1))

			for y := range p.Height {
				for x := range p.Width {
					want := sample(src.Planes[i],
						from.X/k+(float64(x)+0.5)*from.Width/k/float64(p.Width)-0.5,
						from.Y/k+(float64(y)+0.5)*from.Height/k/float64(p.Height)-0.5)
					if got := float64(p.Row(y)[x]); math.Abs(want-got) > 3 {
						require.Fail(t, "another sample", "plane %d at %d,%d: %v, want %v", i, x, y, got, want)
					}
				}
			}
		}
	})
}

// Reducing keeps the mean: every sample counts.
func TestScaleReduces(t *testing.T) {
	t.Parallel()

	src := NewFrame(240, 240)

	for y := range 240 {
		for x := range 240 {
			src.Planes[0].Row(y)[x] = byte(16 + 219*((x+y)%2)) // a pattern that sampling every sixth would miss
		}
	}

	dst := NewFrame(40, 40)

	var s scaler
	s.draw(dst, src, sized(240, 240))

	for _, v := range dst.Planes[0].Pix {
		require.InDelta(t, 125.5, v, 4, "a sample too many or too few would be off by 20")
	}
}

func TestScaleAsItIs(t *testing.T) {
	t.Parallel()

	src, dst := noise(64, 48, 5), NewFrame(32, 24)

	var s scaler
	s.draw(dst, src, box(8, 6, 32, 24))

	part := src.within(rect{8, 6, 40, 30})

	for i, p := range dst.Planes {
		for y := range p.Height {
			require.Equal(t, part.Planes[i].Row(y), p.Row(y))
		}
	}
}

// inside is the definition of a rounded box.
func inside(b plan.Rect, c plan.Corner, x, y float64) bool {
	if x < b.X || y < b.Y || x > b.X+b.Width || y > b.Y+b.Height {
		return false
	}

	dx := max(b.X+c.Radius-x, x-(b.X+b.Width-c.Radius), 0)
	dy := max(b.Y+c.Radius-y, y-(b.Y+b.Height-c.Radius), 0)

	n := 2.0
	if c.Squircle {
		n = 4
	}

	if dx == 0 || dy == 0 {
		return true
	}

	return math.Pow(dx, n)+math.Pow(dy, n) <= math.Pow(c.Radius, n)
}

func TestMaskAgreesWithItsTwin(t *testing.T) {
	t.Parallel()

	for _, b := range []plan.Rect{box(4, 6, 40, 28), box(3.3, 5.7, 21.4, 30.2), box(-7.5, -3.2, 30, 20), box(20, 20, 40, 40)} {
		for _, c := range []plan.Corner{{}, {Radius: 6}, {Radius: 9.5, Squircle: true}, {Radius: 10}} {
			for _, opacity := range []float64{1, 0.4} {
				var m mask

				m.set(b, c, opacity, rect{0, 0, 48, 40})
				compareMask(t, &m, b, bounded(c, b), opacity)
			}
		}
	}
}

func compareMask(t *testing.T, m *mask, b plan.Rect, c plan.Corner, opacity float64) {
	t.Helper()

	const fine = 10

	cover := func(x0, y0, size int) float64 {
		hits := 0

		for j := range fine * size {
			for i := range fine * size {
				if inside(b, c, float64(x0)+(float64(i)+0.5)/fine, float64(y0)+(float64(j)+0.5)/fine) {
					hits++
				}
			}
		}

		return 255 * opacity * float64(hits) / float64(fine*fine*size*size)
	}

	for i := range 2 {
		p, at := m.plane(i)
		k := i + 1

		for y := range 40 / k {
			for x := range 48 / k {
				got := 0
				if line := y - at.y0; line >= 0 && line < len(p.spans) && x >= at.x0 && x < at.x1 {
					got = p.spans[line].at(p.alpha[line*p.stride:], x-at.x0)
				}

				if want := cover(x*k, y*k, k); math.Abs(want-float64(got)) > 12 {
					require.Fail(t, "another coverage", "%v %v %v: plane %d at %d,%d: %v, want %v", b, c, opacity, i, x, y, got, want)
				}
			}
		}
	}
}

// Drawing a layer by spans equals drawing it pixel by pixel.
func TestBlitAgreesWithItsTwin(t *testing.T) {
	t.Parallel()

	src := noise(40, 30, 9)

	for _, c := range []plan.Corner{{}, {Radius: 8}, {Radius: 15, Squircle: true}} {
		for _, opacity := range []float64{1, 0.3} {
			got, want := noise(64, 48, 1), noise(64, 48, 1)

			var m mask

			m.set(box(10, 12, 40, 30), c, opacity, got.bounds())
			blit(got, src, 10, 12, &m)

			for i, p := range want.Planes {
				of, at := m.plane(i)

				for y := range at.height() {
					for x := range at.width() {
						a := of.spans[y].at(of.alpha[y*of.stride:], x)
						d := &p.Row(at.y0 + y)[at.x0+x]
						*d = mixed(*d, src.Planes[i].Row(y)[x], weight(byte(a)))
					}
				}
			}

			require.Equal(t, want.Planes, got.Planes)
		}
	}
}

// Three box blurs together make the bell curve of a shadow.
func TestShadowIsABellCurve(t *testing.T) {
	t.Parallel()

	const n, spread = 121, 7.3

	a, b := make([]float32, n), make([]float32, n)
	a[n/2] = 1

	for range 3 {
		average(b, a, n, 1, boxRadius(spread))
		a, b = b, a
	}

	for i, v := range a {
		d := float64(i - n/2)
		require.InDelta(t, math.Exp(-d*d/(2*spread*spread))/(spread*math.Sqrt(2*math.Pi)), v, 0.004, "at %v", d)
	}
}
