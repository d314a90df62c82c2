package audio

import (
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// LevelRate is how many samples a second Levels takes.
	LevelRate = 16_000

	// frameMs is how finely silences are measured.
	frameMs      = 10
	frameSamples = LevelRate * frameMs / 1000

	// LeastSilenceMs is the shortest silence that is told: less is the gap between two syllables.
	LeastSilenceMs = 100
)

// Decibels of full scale.
const (
	// faintest is below what anybody hears beside speech, and what a filter rings at behind a sound; no threshold lies lower.
	faintest = -60.0
	// audible is the level below which the loudest parts are no speech either.
	audible = -50.0
	// loudestNoise is the level above which what is always there counts as noise only beside louder
	// sound that is heard often: a cry in steady talk makes no silence of the talk.
	loudestNoise = -30.0
	// overFloor is how much louder than the noise speech is at least.
	overFloor = 8.0
	// underSpeech is how much quieter than speech a silence is at least.
	underSpeech = 15.0
)

// sustainedFrames are as many as the shortest word has: what is over sooner is a click.
const sustainedFrames = 20

// Levels is how loud a recording is, moment by moment. The zero value is that of no sound.
type Levels struct {
	db   []float64 // of each frame
	sum  both
	open int
}

// fullScale is the power of the loudest sample.
const fullScale = 32768 * 32768

// Add takes the samples that follow, left and right by turns, at LevelRate. How loud a moment is says the louder of the
// middle and the side.
func (l *Levels) Add(samples []int16) {
	for i := 0; i+1 < len(samples); i += 2 {
		l.sum.add(samples[i], samples[i+1])

		if l.open++; l.open == frameSamples {
			l.db = append(l.db, 10*math.Log10(max(l.sum.middle, l.sum.side)/fullScale/frameSamples+1e-12))
			l.sum, l.open = both{}, 0
		}
	}
}

// Silences are the stretches of a recording of that length in which nobody speaks, in recording time,
// ascending. What is silent is measured: a little over the noise that is always there, and well under
// what is loud. A sound as loud all along has none, and one that nobody can hear is silent throughout.
// Where the recording is longer than its sound, it is silent.
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

// threshold is the level below which nobody speaks. Speech may be rare: how loud it is tells the loudest
// moment that lasts, as well as what is reached often.
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

// loudest is the highest level that half of the frames of a word's length reach.
func (l *Levels) loudest() float64 {
	top := math.Inf(-1)

	for from := 0; from == 0 || from+sustainedFrames <= len(l.db); from += sustainedFrames / 2 {
		word := slices.Sorted(slices.Values(l.db[from:min(from+sustainedFrames, len(l.db))]))
		top = max(top, word[len(word)/2])
	}

	return top
}
