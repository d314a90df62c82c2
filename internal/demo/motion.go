package demo

import (
	"math"
	"slices"
)

// ease returns the progress, 0 to 1, of a movement that begins and ends gently.
func ease(share float64) float64 {
	share = min(max(share, 0), 1)

	return share * share * (3 - 2*share)
}

// A stop is a position at a time, kept until the movement to the next stop begins.
type stop struct {
	ms    int // the time of arrival
	value float64
}

// along returns the position at a time. A movement from one stop to the next takes up to moveMs.
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

// A Point is a position of the pointer, in pixels of the screen. It also says whether the pointer clicks there.
type Point struct {
	TimeMs int
	X, Y   float64
	Click  bool
}

// stepMs is the interval at which the pointer is recorded.
const stepMs = 40

// way returns the pointer events of a smooth movement from point to point.
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

// typed returns the part of a text that was typed by a given time, and whether more follows.
func typed(text string, beginMs, ms, charMs int) (string, bool) {
	if ms < beginMs {
		return "", false
	}

	runes := []rune(text)
	n := min((ms-beginMs)/charMs, len(runes))

	return string(runes[:n]), n < len(runes)
}
