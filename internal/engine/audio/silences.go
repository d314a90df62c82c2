package audio

import (
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// LevelRate is the sample rate that Levels expects.
	LevelRate = 16_000

	// frameMs is the resolution of silences.
	frameMs      = 10
	frameSamples = LevelRate * frameMs / 1000

	// LeastSilenceMs is the shortest silence that is reported: shorter ones are gaps between syllables.
	LeastSilenceMs = 100
)

// Decibels of full scale.
const (
	// faintest is below what anyone hears next to speech, and below the ringing of a filter after a sound; no threshold is
	// lower.
	faintest = -60.0
	// audible is the level below which even the loudest parts are not speech.
	audible = -50.0
	// loudestNoise is the loudest noise. A constant sound above this level counts as noise only if louder sound is
	// frequent, so a cry in steady talk does not turn the talk into silence.
	loudestNoise = -30.0
	// overFloor is the least distance of speech above the noise.
	overFloor = 8.0
	// underSpeech is the least distance of silence below speech.
	underSpeech = 15.0
)

// sustainedFrames is the length of the shortest word; anything shorter is a click.
const sustainedFrames = 20

// Levels holds the loudness of a recording at each moment. The zero value has no sound.
type Levels struct {
	db   []float64 // of each frame
	sum  both
	open int
}

// fullScale is the power of the loudest sample.
const fullScale = 32768 * 32768

// Add adds the next samples, left and right alternating, at LevelRate. At each moment either the middle (half the sum
// of the channels) or the side (half their difference) counts, whichever is louder.
func (l *Levels) Add(samples []int16) {
	for i := 0; i+1 < len(samples); i += 2 {
		l.sum.add(samples[i], samples[i+1])

		if l.open++; l.open == frameSamples {
			l.db = append(l.db, 10*math.Log10(max(l.sum.middle, l.sum.side)/fullScale/frameSamples+1e-12))
			l.sum, l.open = both{}, 0
		}
	}
}

// Silences returns the spans without speech in a recording of the given length, in recording time, in ascending
// order. The threshold depends on the recording: it is a little above the constant noise and well below the loud
// parts. A sound of constant level has no silences, and an inaudible sound is one silence. Time after the end of the
// sound is silent.
func (l *Levels) Silences(lengthMs int64) []values.Span {
	var (
		all       []values.Span
		threshold = l.threshold()
		frames    = int(lengthMs / frameMs)
		from      = -1
	)

	for i := 0; i <= frames; i++ {
		silent := i < frames && (i >= len(l.db) || l.db[i] < threshold)

		switch {
		case silent && from < 0:
			from = i
		case !silent && from >= 0:
			span := values.Span{StartMs: int64(from) * frameMs, EndMs: int64(i) * frameMs}
			if i == frames {
				span.EndMs = lengthMs
			}

			if span.LengthMs() >= LeastSilenceMs {
				all = append(all, span)
			}

			from = -1
		}
	}

	return all
}

// threshold returns the level below which nobody speaks. Speech may be rare, so the threshold depends both on the
// loudest sustained moment and on the level that the recording often reaches.
func (l *Levels) threshold() float64 {
	if len(l.db) == 0 {
		return faintest
	}

	loudest := l.loudest()
	if loudest < audible {
		return math.Inf(1)
	}

	sorted := slices.Sorted(slices.Values(l.db))
	at := func(percent int) float64 { return sorted[min(len(sorted)*percent/100, len(sorted)-1)] }

	over := at(5) + overFloor
	often, rarely := min(over, at(95)-underSpeech), min(over, loudest-underSpeech, loudestNoise)

	return max(often, rarely, faintest)
}

// loudest returns the highest level that is reached by half of the frames in a span as long as a short word.
func (l *Levels) loudest() float64 {
	top := math.Inf(-1)

	for from := 0; from == 0 || from+sustainedFrames <= len(l.db); from += sustainedFrames / 2 {
		word := slices.Sorted(slices.Values(l.db[from:min(from+sustainedFrames, len(l.db))]))
		top = max(top, word[len(word)/2])
	}

	return top
}
