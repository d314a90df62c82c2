package plan

import "math"

// springUs is how long a layout takes to move into its place.
const springUs = 600_000

// spring is the share of its way that a layout has moved after a time: a critically damped spring that rises from 0 to 1
// and stops at springUs.
func spring(us int64) float64 {
	const stiffness = 12 // 1/s

	if us >= springUs {
		return 1
	}

	at := func(s float64) float64 { return 1 - (1+stiffness*s)*math.Exp(-stiffness*s) }

	return at(float64(max(us, 0))/1e6) / at(springUs/1e6)
}

// rampUs is how long a zoom takes to open and to close; at most half of the zoom each.
const rampUs = 600_000

// ease goes from 0 to 1 smoothly at both ends.
func ease(x float64) float64 {
	x = min(max(x, 0), 1)

	return x * x * x * (x*(6*x-15) + 10)
}

// follower is a point that follows another like a critically damped spring: it never overshoots a target that stands still.
type follower struct{ at, speed float64 }

// followRate is how closely a tracking zoom follows the pointer, in 1/s: it arrives within a second.
const followRate = 6

// step advances the follower by a time in seconds during which the target stands still. It is exact.
func (f *follower) step(target, seconds float64) {
	d := f.at - target
	a := f.speed + followRate*d
	e := math.Exp(-followRate * seconds)
	f.at = target + (d+a*seconds)*e
	f.speed = (f.speed - followRate*a*seconds) * e
}

// lerp interpolates linearly between a and b.
func lerp(a, b, share float64) float64 { return a + (b-a)*share }

func lerpRect(a, b Rect, share float64) Rect {
	return Rect{
		X: lerp(a.X, b.X, share), Y: lerp(a.Y, b.Y, share),
		Width: lerp(a.Width, b.Width, share), Height: lerp(a.Height, b.Height, share),
	}
}
