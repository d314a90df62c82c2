package demo

import (
	"math"
	"slices"
)

// ease is how far something has come that begins and ends gently, of 0 to 1.
func ease(share float64) float64 {
	share = min(max(share, 0), 1)

	return share * share * (3 - 2*share)
}

// A stop is where something is at a time, until the next stop is approached.
type stop struct {
	ms    int // when it has arrived
	value float64
}

// along is the value at a time. Something takes up to moveMs to come from one stop to the next.
func along(stops []stop, ms int, moveMs int) float64 {
	at := stops[0].value

	for i, s := range stops[1:] {
		begin := max(s.ms-moveMs, stops[i].ms)
		if ms <= begin {
			break
		}

		at += (s.value - at) * ease(float64(ms-begin)/float64(s.ms-begin))
	}

	return at
}

// A Point is where the pointer is, in pixels of the screen, and whether it clicks there.
type Point struct {
	TimeMs int
	X, Y   float64
	Click  bool
}

// stepMs is how often the way of the pointer is recorded.
const stepMs = 40

// way is what a pointer does that goes gently from one point to the next.
func way(points []Point) []Point {
	var all []Point

	const moveMs = 700

	last := points[0]
	for i, p := range points {
		if i > 0 {
			begin := max(p.TimeMs-moveMs, last.TimeMs+stepMs)

			for ms := begin; ms < p.TimeMs; ms += stepMs {
				share := ease(float64(ms-begin) / float64(p.TimeMs-begin))
				bend := 14 * math.Sin(math.Pi*share) // hands do not draw straight lines
				all = append(all, Point{TimeMs: ms, X: last.X + (p.X-last.X)*share + bend, Y: last.Y + (p.Y-last.Y)*share - bend})
			}
		}

		all = append(all, p)
		last = p
	}

	return slices.Clip(all)
}

// typed is as much of a text as was typed at a time, and whether there is more to come.
func typed(text string, beginMs, ms, charMs int) (string, bool) {
	if ms < beginMs {
		return "", false
	}

	runes := []rune(text)
	n := min((ms-beginMs)/charMs, len(runes))

	return string(runes[:n]), n < len(runes)
}
