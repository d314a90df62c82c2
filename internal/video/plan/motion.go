package plan

import "math"

// springUs is how long a layout moves into its place.
const springUs = 600_000

// spring is how far a layout has come after a time: a critically damped spring, brought to rest at the
// end. 0 at the beginning, 1 from springUs on, rising.
func spring(us int64) float64 {
	const stiffness = 12 // 1/s

	if us >= springUs {
		return 1
	}

	at := func(s float64) float64 { return 1 - (1+stiffness*s)*math.Exp(-stiffness*s) }

	return at(float64(max(us, 0))/1e6) / at(springUs/1e6)
}

// rampUs is how long a zoom opens and closes; at most half of the zoom.
const rampUs = 600_000

// ease goes from 0 to 1 without a jolt at either end.
func ease(x float64) float64 {
	x = min(max(x, 0), 1)

	return x * x * x * (x*(6*x-15) + 10)
}

// follower is a point that goes after another like a critically damped spring: it never overshoots a
// target that stands still.
type follower struct{ at, speed float64 }

// followRate is how closely a tracking zoom follows the pointer, in 1/s: it has arrived within a second.
const followRate = 6

// step lets a time pass, in seconds, in which the target stands still. It is exact.
func (f *follower) step(target, seconds float64) {
	d := f.at - target
	a := f.speed + followRate*d
	e := math.Exp(-followRate * seconds)
	f.at = target + (d+a*seconds)*e
	f.speed = (f.speed - followRate*a*seconds) * e
}

// lerp is the value between two.
func lerp(a, b, share float64) float64 { return a + (b-a)*share }

func lerpRect(a, b Rect, share float64) Rect {
	return Rect{
		X: lerp(a.X, b.X, share), Y: lerp(a.Y, b.Y, share),
		Width: lerp(a.Width, b.Width, share), Height: lerp(a.Height, b.Height, share),
	}
}
