package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os/exec"
	"strings"
)

// SoundRate is the number of samples a second of every sound.
const SoundRate = 48_000

// A Line is what is said from a time on.
type Line struct {
	AtMs int
	Text string
}

// Speaks reports whether an FFmpeg has a voice.
func Speaks(ctx context.Context, ffmpeg string) bool {
	return exec.CommandContext(ctx, ffmpeg, "-v", "quiet", "-f", "lavfi", "-i", "flite=voice=slt:text=a", "-f", "null", "-").Run() == nil
}

// A Speech is what was said: the sound, and when each line ends.
type Speech struct {
	Sound  []int16
	EndsMs []int
}

// Say has FFmpeg's voice say lines. Each has to be over before the next begins.
func Say(ctx context.Context, ffmpeg string, lines []Line) (Speech, error) {
	var speech Speech

	for i, l := range lines {
		cmd := exec.CommandContext(ctx, ffmpeg, "-nostdin", "-v", "error", "-f", "lavfi",
			"-i", "flite=voice=slt:text='"+strings.ReplaceAll(l.Text, "'", "’")+"'", "-ar", fmt.Sprint(SoundRate), "-ac", "1", "-f", "s16le", "-")

		var faults bytes.Buffer

		cmd.Stderr = &faults

		raw, err := cmd.Output()
		if err != nil {
			return Speech{}, fmt.Errorf("say %q: %w: %s", l.Text, err, &faults)
		}

		said := make([]int16, len(raw)/2)
		for j := range said {
			said[j] = int16(binary.LittleEndian.Uint16(raw[2*j:]))
		}

		begin := l.AtMs * SoundRate / 1000
		end := begin + len(said)

		if i+1 < len(lines) && end > lines[i+1].AtMs*SoundRate/1000 {
			return Speech{}, fmt.Errorf("say %q: it lasts %d ms, into the next line", l.Text, len(said)*1000/SoundRate)
		}

		speech.Sound = append(append(speech.Sound, make([]int16, begin-len(speech.Sound))...), said...)
		speech.EndsMs = append(speech.EndsMs, end*1000/SoundRate)
	}

	return speech, nil
}

// loudness is how loud the speech is at a time, of 0 to 1.
func (s Speech) loudness(ms int) float64 {
	const wide = SoundRate / 25

	at := ms * SoundRate / 1000
	from, to := max(at-wide/2, 0), min(at+wide/2, len(s.Sound))

	if from >= to {
		return 0
	}

	var sum float64
	for _, v := range s.Sound[from:to] {
		sum += float64(v) * float64(v)
	}

	return min(math.Sqrt(sum/float64(to-from))/7000, 1)
}
