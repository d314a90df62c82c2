package demo

import (
	"fmt"
	"math"
)

// SoundRate is the number of samples per second of every sound.
const SoundRate = 48_000

// A Line is a text and the time at which it starts to be spoken.
type Line struct {
	AtMs int
	Text string
}

// A Speech holds the spoken sound and the end time of each line.
type Speech struct {
	Sound  []int16
	EndsMs []int
}

// NewSpeech joins the sounds of lines so that each line starts at its time. It returns an error if a line starts
// before the previous line has ended.
func NewSpeech(lines []Line, sounds [][]int16) (Speech, error) {
	var speech Speech

	for i, said := range sounds {
		begin := lines[i].AtMs * SoundRate / 1000
		if begin < len(speech.Sound) {
			return Speech{}, fmt.Errorf("line %q cannot start at %d ms: the previous line lasts until %d ms",
				lines[i].Text, lines[i].AtMs, speech.EndsMs[i-1])
		}

		speech.Sound = append(append(speech.Sound, make([]int16, begin-len(speech.Sound))...), said...)
		speech.EndsMs = append(speech.EndsMs, len(speech.Sound)*1000/SoundRate)
	}

	return speech, nil
}

// loudness returns the loudness of the speech at a time, 0 to 1.
func (s Speech) loudness(ms int) float64 {
	const wide, loud = SoundRate / 25, 7000

	at := ms * SoundRate / 1000
	from, to := max(at-wide/2, 0), min(at+wide/2, len(s.Sound))

	if from >= to {
		return 0
	}

	var sum float64
	for _, v := range s.Sound[from:to] {
		sum += float64(v) * float64(v)
	}

	return min(math.Sqrt(sum/float64(to-from))/loud, 1)
}
