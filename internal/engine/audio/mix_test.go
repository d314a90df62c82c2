package audio

import (
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// tone is a stream computed sample by sample, equal on both sides.
type tone struct {
	length, at int64
	value      func(at int64) float64
}

func (s *tone) read(b []float32) (int, error) {
	n := min(int64(len(b)/2), s.length-s.at)
	if n == 0 {
		return 0, io.EOF
	}

	for i := range n {
		v := float32(s.value(s.at + i))
		b[2*i], b[2*i+1] = v, v
	}

	s.at += n

	return int(2 * n), nil
}

// fill makes a tone usable as the sound of a recording.
func (s *tone) fill(b []float32, at int64) error {
	for i := range int64(len(b) / 2) {
		v := float32(0)
		if at+i < s.length {
			v = float32(s.value(at + i))
		}

		b[2*i], b[2*i+1] = v, v
	}

	return nil
}

func (s *tone) close() {}

func sine(hz, amplitude float64) func(int64) float64 {
	return func(at int64) float64 {
		return amplitude * math.Sin(2*math.Pi*hz*float64(at)/plan.SampleRate)
	}
}

// hear reads a stream to its end, in reads of odd lengths, and returns one side.
func hear(t require.TestingT, in pcm) []float64 {
	var all []float64

	for n := 2; ; n = n%3000 + 38 {
		b := make([]float32, n)
		got, err := in.read(b)

		for i := 0; i < got; i += 2 {
			all = append(all, float64(b[i]))
		}

		if errors.Is(err, io.EOF) {
			return all
		}

		require.NoError(t, err)
	}
}

func speeds() [][2]int64 {
	return [][2]int64{{1, 2}, {3, 4}, {5, 4}, {3, 2}, {7, 4}, {2, 1}}
}

// Clicks stay whole, none is lost or doubled, and each is heard on time.
func TestTempoKeepsClicksInTime(t *testing.T) {
	t.Parallel()

	const period, length = 0.73 * plan.SampleRate, 10 * plan.SampleRate

	noise := func(at int64) float64 { return float64((at*7919)%1009)/1009 - 0.5 }
	for name, background := range map[string]func(int64) float64{
		"silence": func(int64) float64 { return 0 },
		"hum":     func(at int64) float64 { return sine(220, 0.08)(at) + 0.02*noise(at) },
	} {
		for _, speed := range speeds() {
			t.Run(fmt.Sprintf("%s/%d:%d", name, speed[0], speed[1]), func(t *testing.T) {
				t.Parallel()

				in := &tone{length: length, value: func(at int64) float64 {
					v := background(at)
					if since := math.Mod(float64(at), period); since < 3*samplesPerMs {
						v += 0.8 * math.Cos(2*math.Pi*3000*since/plan.SampleRate)
					}

					return v
				}}
				out := hear(t, newTempo(in, speed[0], speed[1]))

				var clicks []float64

				quiet := plan.SampleRate

				for i, s := range out {
					if math.Abs(s) < 0.4 {
						quiet++

						continue
					}

					if quiet > 20*samplesPerMs {
						clicks = append(clicks, float64(i)/samplesPerMs)
					}

					quiet = 0
				}

				require.Len(t, clicks, 14)

				for i, at := range clicks {
					require.InDelta(t, float64(i)*730*float64(speed[1])/float64(speed[0]), at, 1, "milliseconds")
				}
			})
		}
	}
}

// A steady tone keeps its pitch and its level, and never clicks.
func TestTempoKeepsPitch(t *testing.T) {
	t.Parallel()

	for _, hz := range []float64{110, 440, 1500} {
		for _, speed := range speeds() {
			in := &tone{length: 4 * plan.SampleRate, value: sine(hz, 0.5)}
			out := hear(t, newTempo(in, speed[0], speed[1]))

			want := 4 * plan.SampleRate * speed[1] / speed[0]
			require.InDelta(t, want, len(out), 2*tempoHop)

			middle := out[plan.SampleRate/4 : len(out)-plan.SampleRate/4]
			rises, power, step := 0, 0.0, 0.0

			for i := 1; i < len(middle); i++ {
				if middle[i-1] < 0 && middle[i] >= 0 {
					rises++
				}

				power += middle[i] * middle[i]
				step = max(step, math.Abs(middle[i]-middle[i-1]))
			}

			seconds := float64(len(middle)) / plan.SampleRate
			require.InDelta(t, hz, float64(rises)/seconds, 0.02*hz, "%v Hz at %v", hz, speed)
			require.InDelta(t, 0.5/math.Sqrt2, math.Sqrt(power/float64(len(middle))), 0.02, "%v Hz at %v", hz, speed)
			require.Less(t, step, 1.2*2*math.Pi*hz/plan.SampleRate*0.5, "%v Hz at %v clicks", hz, speed)
		}
	}
}

func TestLimiterBounds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		volume := rapid.Float64Range(0, 4).Draw(t, "volume")
		hz := rapid.Float64Range(20, 4000).Draw(t, "hz")
		burst := rapid.Int64Range(0, 9000).Draw(t, "burst")
		value := func(at int64) float64 {
			if at < burst {
				return sine(hz, 0.3)(at)
			}

			return sine(hz, volume)(at)
		}
		out := hear(t, newLimiter(&tone{length: 12_000, value: value}))

		require.Len(t, out, 12_000)

		var over, up, changed float64

		for i, s := range out {
			in := value(int64(i))
			over = max(over, math.Abs(s)-limitPeak)
			up = max(up, math.Abs(s)-math.Abs(in))
			changed = max(changed, math.Abs(s-in))
		}

		require.LessOrEqual(t, over, 1e-6)
		require.LessOrEqual(t, up, 1e-6, "it never turns up")

		if volume <= limitPeak {
			require.LessOrEqual(t, changed, 1e-6, "sound below the limit is unchanged")
		}
	})
}

// The shortcut for quiet sound gives the same bits as limiting every sample.
func TestLimiterShortcutIsExact(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		loud := rapid.Int64Range(0, 1000).Draw(t, "loud from")
		value := func(at int64) float64 {
			if at >= loud && at < loud+500 {
				return sine(997, 1.4)(at)
			}

			return sine(997, 0.6)(at)
		}
		peak := rapid.SampledFrom([]func([]float32, int) float64{samplePeak, truePeak}).Draw(t, "peak")
		length := rapid.Int64Range(1, 1500).Draw(t, "length")
		block := make([]float32, 2*rapid.IntRange(1, 700).Draw(t, "frames at once"))

		var each []float32

		for l := newLimiterTo(&tone{length: length, value: value}, limitPeak, peak); ; l.base++ {
			require.NoError(t, l.look(1+limitAhead+peakReach))

			if len(l.queue) == 0 {
				break
			}

			g := float32(l.step(l.base))
			each = append(each, g*l.queue[0], g*l.queue[1])
			l.queue = l.queue[2:]
		}

		var all []float32

		for l := newLimiterTo(&tone{length: length, value: value}, limitPeak, peak); ; {
			n, err := l.read(block)
			all = append(all, block[:n]...)

			if errors.Is(err, io.EOF) {
				break
			}

			require.NoError(t, err)
		}

		require.Equal(t, each, all)
	})
}

// A sound can be louder between samples than at any of them. The true peak limiter bounds that too.
func TestLimiterBoundsTheTruePeak(t *testing.T) {
	t.Parallel()

	// A quarter of the sample rate, sampled on either side of its peaks.
	value := func(at int64) float64 { return math.Sin(math.Pi/2*float64(at) + math.Pi/4) }
	out := hear(t, newLimiterTo(&tone{length: 12_000, value: value}, 0.5, truePeak))

	for i, s := range out[100 : len(out)-100] {
		require.InDelta(t, 0.5*value(int64(i+100)), s, 0.01)
	}
}

// Every millisecond of a mix is the sum of its voices at that millisecond of the recording.
func TestMixerPlaysThePieces(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) plan.Piece {
			p := plan.Piece{
				Clip:     rapid.IntRange(0, 2).Draw(t, "clip"),
				RecordMs: rapid.Int64Range(0, 90_000).Draw(t, "recordMs"),
				LengthMs: rapid.Int64Range(1, 60).Draw(t, "lengthMs"),
			}
			for _, source := range []string{"a", "b"}[:p.Clip] {
				p.Voices = append(p.Voices, plan.Voice{Source: source, Volume: float64(p.Clip) / 2})
			}

			return p
		}), 1, 12).Draw(t, "pieces")

		// A sample's value is its place in the recording.
		value := map[string]func(int64) float64{
			"a": func(at int64) float64 { return float64(at) },
			"b": func(at int64) float64 { return float64(at) / 4 },
		}
		opened := map[pcmSource]bool{}
		m := newMixer(plan.Mix{Pieces: pieces}, func(voice plan.Voice, span sampleSpan) pcmSource {
			v := &rising{tone: tone{length: 1 << 40, value: value[voice.Source]}, at: span.from, to: span.to, open: opened}
			opened[v] = true

			return v
		})

		var want []float64

		for i, p := range pieces {
			for s := range p.LengthMs * samplesPerMs {
				sum := 0.0
				for _, v := range p.Voices {
					sum += v.Volume * value[v.Source](p.RecordMs*samplesPerMs+s)
				}

				edge := p.LengthMs*samplesPerMs - 1 - s
				if i > 0 || p.RecordMs > 0 {
					edge = min(edge, s)
				}

				if edge < fadeSamples {
					sum *= 0.5 - 0.5*math.Cos(math.Pi*(float64(edge)+0.5)/fadeSamples)
				}

				want = append(want, sum)
			}
		}

		require.InDeltaSlice(t, want, hear(t, m), 1)
		require.Empty(t, opened, "all are closed")
	})
}

// rising is a recording that can only be read forwards and within its span.
type rising struct {
	tone
	at, to int64
	open   map[pcmSource]bool
}

func (r *rising) fill(b []float32, at int64) error {
	if at < r.at || at+int64(len(b)/2) > r.to {
		return errors.New("read outside the span")
	}

	r.at = at + int64(len(b)/2)

	return r.tone.fill(b, at)
}

func (r *rising) close() { delete(r.open, r) }

func TestFittedLength(t *testing.T) {
	t.Parallel()

	for _, length := range []int64{0, 1, 4999, 5000, 5001, 9000} {
		in := &tone{length: length, value: func(int64) float64 { return 1 }}
		out := hear(t, &fitted{in: in, left: 2 * 5000})
		require.Len(t, out, 5000)

		for i, s := range out {
			require.InDelta(t, map[bool]float64{true: 1}[int64(i) < length], s, 0)
		}
	}
}
