package audio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

const msOf = samplesPerMs

// recordings plays tones as the sources of a mix, by id.
type recordings map[string]tone

func (r recordings) open(v plan.Voice, span sampleSpan) player {
	t := r[v.Source]
	t.at = span.from

	return &t
}

// mixed returns one side of the sound of a mix.
func (r recordings) mixed(t *testing.T, m plan.Mix) []float64 {
	t.Helper()

	if m.Speed.Num == 0 {
		m.Speed.Num, m.Speed.Den = 1, 1
	}

	sound, end := newMix(m, r.open)
	defer end()

	return hear(t, sound)
}

// level returns the root mean square of a part, in dB of full scale.
func level(of []float64, fromMs, toMs int) float64 {
	sum := 0.0
	for _, s := range of[fromMs*msOf : toMs*msOf] {
		sum += s * s
	}

	return 10 * math.Log10(sum/float64((toMs-fromMs)*msOf)+1e-12)
}

// jump returns the greatest step from one sample to the next.
func jump(of []float64) float64 {
	step := 0.0
	for i := 1; i < len(of); i++ {
		step = max(step, math.Abs(of[i]-of[i-1]))
	}

	return step
}

func constant(v float64) func(int64) float64 { return func(int64) float64 { return v } }

// Music is 12 dB lower from the first word to the last, also in the pauses between. It loops, and it is silent at the
// end.
func TestMusicDucks(t *testing.T) {
	t.Parallel()

	talks := func(at int64) float64 {
		ms := at / msOf
		if ms >= 3000 && ms < 4000 || ms >= 4500 && ms < 5000 {
			return sine(300, 0.1)(at)
		}

		return 0
	}
	voice := plan.Voice{Source: "voice", Volume: 1, Speech: true}
	m := plan.Mix{
		Pieces: []plan.Piece{{LengthMs: 10_000, Voices: []plan.Voice{voice}}},
		Music:  &plan.Voice{Source: "music", Volume: 0.5},
	}
	all := recordings{
		"voice": {length: 1 << 40, value: talks},
		"music": {length: 700 * msOf, value: sine(1000, 0.2)}, // whole periods: the seam is inaudible
	}
	with := all.mixed(t, m)
	require.Len(t, with, 10_000*msOf)

	music := make([]float64, len(with))
	for i := range with {
		music[i] = with[i] - talks(int64(i))
	}

	loud := 20 * math.Log10(0.1/math.Sqrt2)
	require.InDelta(t, loud, level(music, 100, 2700), 0.1, "before anybody speaks")
	require.InDelta(t, loud-12, level(music, 3000, 5500), 0.2, "while somebody speaks, and between")
	require.InDelta(t, loud, level(music, 6600, 7900), 0.1, "again")
	require.Less(t, level(music, 9950, 10_000), loud-40, "the end")
	require.Less(t, jump(music), 1.1*0.1*2*math.Pi*1000/plan.SampleRate, "no jumps")

	// Sound that is not speech does not lower the music.
	m.Pieces[0].Voices[0].Speech = false
	still := all.mixed(t, m)

	for i := range still {
		still[i] -= talks(int64(i))
	}

	require.InDelta(t, loud, level(still, 3000, 5500), 0.1)
}

// A loop whose end does not meet its beginning has no step there, and repeats exactly after the seam, from memory or
// decoded again.
func TestLoopHasNoSeam(t *testing.T) {
	t.Parallel()

	opened := 0
	all := recordings{"music": {length: 1000*msOf + 12, value: sine(210.3, 0.5)}}
	l := newLooped(func() tape {
		opened++

		return all.open(plan.Voice{Source: "music"}, sampleSpan{})
	})

	out := hear(t, &fitted{in: whole{l}, left: 2 * 3500 * msOf})
	require.Equal(t, 1, opened)
	require.Less(t, jump(out), 0.5*2*math.Pi*210.3/plan.SampleRate+0.5*math.Pi/loopSeam)

	period := 1000*msOf + 12
	for i := loopSeam; i < 1000*msOf; i++ {
		require.InDelta(t, out[i], out[i+2*period], 1e-6)
	}

	require.Empty(t, hear(t, newLooped(func() tape { return &tone{} })), "a sound without samples is silent")
}

// whole reads whole blocks.
type whole struct{ in pcm }

func (w whole) read(b []float32) (int, error) {
	_, err := fill(w.in, b)

	return len(b), err
}

// A cue begins on its sample, plays from its start at its volume, and is cut off without a click.
func TestCues(t *testing.T) {
	t.Parallel()

	m := plan.Mix{
		Pieces: []plan.Piece{{LengthMs: 1000}, {Clip: 1, LengthMs: 1000}},
		Cues: []plan.Cue{
			{Voice: plan.Voice{Source: "one", Volume: 0.5}, AtMs: 0, LengthMs: 300},
			{Voice: plan.Voice{Source: "rising", Volume: 2}, AtMs: 250, LengthMs: 5000},
			{Voice: plan.Voice{Source: "one", Volume: 1}, AtMs: 900, LengthMs: 200},
			{Voice: plan.Voice{Source: "one", Volume: 1}, AtMs: 1990, LengthMs: 500},
		},
	}
	out := recordings{
		"one":    {length: 1 << 40, value: constant(1)},
		"rising": {length: 400 * msOf, value: func(at int64) float64 { return float64(at) / (400 * msOf) }},
	}.mixed(t, m)
	require.Len(t, out, 2000*msOf)

	at := func(ms float64) float64 { return out[int(ms*msOf)] }
	for ms, want := range map[float64]float64{
		0: 0.5, 200: 0.5, 249: 0.5, 250: 0.5, 280: 0.5 + 2*30.0/400, 300: 2 * 50.0 / 400, 600: 2 * 350.0 / 400,
		650: 0, 899: 0, 900: 1, 1050: 1, 1100: 0, 1989: 0, 1990: 1, 1999: 1,
	} {
		require.InDelta(t, want, at(ms), 1e-4, "%v ms", ms)
	}

	require.Less(t, jump(out[295*msOf:305*msOf]), 1.0/fadeSamples, "cut off")
	require.InDelta(t, 1, out[900*msOf]-out[900*msOf-1], 1e-6, "begins on its sample")
}

// Around a smooth transition the old sound fades out and the new one fades in; outside it both have full strength.
func TestSmoothTransitionFades(t *testing.T) {
	t.Parallel()

	one := []plan.Voice{{Source: "one", Volume: 1}}
	m := plan.Mix{
		// The transition is between pieces that follow each other closely.
		Pieces: []plan.Piece{
			{LengthMs: 900, Voices: one},
			{RecordMs: 900, LengthMs: 100, Voices: one},
			{Clip: 1, LengthMs: 150, Voices: one},
			{Clip: 1, RecordMs: 150, LengthMs: 850, Voices: one},
		},
		Fades: []plan.Fade{{AtMs: 1000, FallMs: 200, RiseMs: 400}},
	}
	out := recordings{"one": {length: 1 << 40, value: constant(1)}}.mixed(t, m)

	for ms, want := range map[float64]float64{
		700: 1, 799: 1, 850: math.Sin(math.Pi / 2 * 0.75), 1100: math.Sin(math.Pi / 2 * 0.25),
		1200: math.Sin(math.Pi / 2 * 0.5), 1300: math.Sin(math.Pi / 2 * 0.75), 1400: 1, 1900: 1,
	} {
		require.InDelta(t, want, out[int(ms*msOf)], 1e-3, "%v ms", ms)
	}

	require.InDelta(t, 0, out[1000*msOf], 1e-3)
}
