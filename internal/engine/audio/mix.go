package audio

import (
	"io"
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

const samplesPerMs = plan.SampleRate / 1000

// fadeSamples is the length of the fade at the edges of a piece: long enough that a join does not click, short enough
// that nothing audible is lost.
const fadeSamples = 3 * samplesPerMs

// decodeGapMs is the longest cut that is decoded and dropped; after a longer one a new decoder starts.
const decodeGapMs = 30_000

// sampleSpan is a range of a recording in samples.
type sampleSpan struct{ from, to int64 }

// pcmSource is the sound of one recording. fill reads the samples that start at index at, which must not fall from
// call to call. Outside the recording there is silence.
type pcmSource interface {
	fill(b []float32, at int64) error
	close()
}

// mixer plays the pieces of a mix one after another.
type mixer struct {
	pieces []plan.Piece
	fades  []plan.Fade
	open   opener

	played int64 // samples so far
	// speech holds the power of the speech in each sample of the last read.
	speech []float32

	next    int // index of the piece after the current one
	piece   plan.Piece
	at, end int64 // place within the current piece, and its length, in samples
	voices  []pcmSource
	scratch []float32
}

// opener opens the sound of a voice for a span of its source.
type opener func(v plan.Voice, span sampleSpan) pcmSource

func newMixer(m plan.Mix, open opener) *mixer {
	return &mixer{pieces: m.Pieces, fades: m.Fades, open: open}
}

func (m *mixer) close() {
	for _, v := range m.voices {
		v.close()
	}

	m.voices = nil
}

func (m *mixer) read(b []float32) (int, error) {
	for m.at == m.end {
		if m.next == len(m.pieces) {
			m.close()

			return 0, io.EOF
		}

		m.begin()
	}

	n := min(int64(len(b)/2), m.end-m.at)
	b = b[:2*n]

	if err := m.sum(b); err != nil {
		return 0, err
	}

	m.fade(b)
	m.blend(b)
	m.at += n
	m.played += n

	return len(b), nil
}

// sum adds up the voices and measures the power of the speech.
func (m *mixer) sum(b []float32) error {
	clear(b)

	n := len(b) / 2
	if len(m.scratch) < len(b) {
		m.scratch, m.speech = make([]float32, len(b)), make([]float32, n)
	}

	speech := m.speech[:n]
	m.speech = speech
	clear(speech)

	for i, v := range m.voices {
		one := m.scratch[:len(b)]

		voice := m.piece.Voices[i]
		if err := fillFrom(v, one, (m.piece.RecordMs-voice.OffsetMs)*samplesPerMs+m.at); err != nil {
			return err
		}

		volume := float32(voice.Volume)

		for j, s := range one {
			s *= volume
			one[j] = s
			b[j] += s
		}

		if voice.Speech {
			for j := range speech {
				left, right := one[2*j], one[2*j+1]
				speech[j] += (left*left + right*right) / 2
			}
		}
	}

	return nil
}

// fillFrom is fill for a sound that starts later: before that there is silence.
func fillFrom(v pcmSource, b []float32, at int64) error {
	if at < 0 {
		silent := min(-at, int64(len(b)/2))
		clear(b[:2*silent])

		if b, at = b[2*silent:], 0; len(b) == 0 {
			return nil
		}
	}

	return v.fill(b, at)
}

// begin moves on to the next piece. The decoders continue if it follows in the same clip nearby.
func (m *mixer) begin() {
	p := m.pieces[m.next]
	if m.next == 0 || !continues(m.piece, p) {
		m.close()

		last := m.next
		for last+1 < len(m.pieces) && continues(m.pieces[last], m.pieces[last+1]) {
			last++
		}

		to := (m.pieces[last].RecordMs + m.pieces[last].LengthMs) * samplesPerMs
		for _, v := range p.Voices {
			late := v.OffsetMs * samplesPerMs
			m.voices = append(m.voices, m.open(v, sampleSpan{max(0, p.RecordMs*samplesPerMs-late), max(0, to-late)}))
		}
	}

	m.piece, m.at, m.end = p, 0, p.LengthMs*samplesPerMs
	m.next++
}

func continues(a, b plan.Piece) bool {
	end := a.RecordMs + a.LengthMs

	return a.Clip == b.Clip && b.RecordMs >= end && b.RecordMs-end <= decodeGapMs
}

// fade fades the edges of the piece, except at the natural start of its recording.
func (m *mixer) fade(b []float32) {
	cut := slices.ContainsFunc(m.piece.Voices, func(v plan.Voice) bool { return v.OffsetMs < 0 })
	begins := m.next == 1 && m.piece.RecordMs == 0 && !cut
	to := m.at + int64(len(b)/2)

	for at := m.at; at < to; at++ {
		edge := m.end - 1 - at
		if !begins {
			edge = min(edge, at)
		}

		if edge >= fadeSamples { // skip to the fade at the end
			at = m.end - fadeSamples - 1

			continue
		}

		g := float32(0.5 - 0.5*math.Cos(math.Pi*(float64(edge)+0.5)/fadeSamples))
		i := 2 * (at - m.at)
		b[i] *= g
		b[i+1] *= g
	}
}

// blend fades the sound out before a smooth transition and in after it, along a quarter of a sine, so that both sounds
// together have constant power.
func (m *mixer) blend(b []float32) {
	for len(m.fades) > 0 && m.played >= (m.fades[0].AtMs+m.fades[0].RiseMs)*samplesPerMs {
		m.fades = m.fades[1:]
	}

	for _, f := range m.fades {
		at, fall, rise := f.AtMs*samplesPerMs, f.FallMs*samplesPerMs, f.RiseMs*samplesPerMs
		first := max(m.played, at-fall)

		for s := first; s < min(m.played+int64(len(b)/2), at+rise); s++ {
			along := float64(s-at) + 0.5
			if along < 0 {
				along /= -float64(fall)
			} else {
				along /= float64(rise)
			}

			g, i := float32(math.Sin(math.Pi/2*along)), 2*(s-m.played)
			b[i] *= g
			b[i+1] *= g
		}
	}
}
