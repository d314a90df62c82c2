package sound_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	reckon "github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// The sounds in these recordings, 2 s each.
const (
	quiet  = "anullsrc=r=48000:cl=stereo:d=2"
	dither = "aevalsrc=0.0003*(random(0)-0.5)|0.0003*(random(1)-0.5):s=48000:d=2"
	low    = "sine=frequency=300:sample_rate=48000:duration=2"
	high   = "sine=frequency=2000:sample_rate=48000:duration=2"
	short  = "sine=frequency=2000:sample_rate=48000:duration=1.5"
)

// layered makes a recording with several sounds, with settings of the output.
func layered(t *testing.T, name, settings string, sounds ...string) string {
	t.Helper()

	args := []string{"-f", "lavfi", "-i", "color=black:s=64x36:r=30:d=2"}
	for _, s := range sounds {
		args = append(args, "-f", "lavfi", "-i", s)
	}

	args = append(args, "-map", "0")
	for i := range sounds {
		args = append(args, "-map", string(rune('1'+i)))
	}

	return rendering.Make(t, name, append(append(args, "-c:v", "libx264", "-preset", "ultrafast"), strings.Fields(settings)...)...)
}

// pitches measures the low and the high pitch in each channel of a film's sound, in its middle.
func pitches(t *testing.T, path string) (left, right [2]float64) {
	t.Helper()

	samples := stereo(t, path)

	for channel, into := range []*[2]float64{&left, &right} {
		for i, hz := range []float64{300, 2000} {
			var re, im float64

			const from, n = 24_000, 24_000
			for k := range n {
				v := float64(samples[2*(from+k)+channel])
				at := 2 * math.Pi * hz * float64(k) / 48_000
				re += v * math.Cos(at)
				im += v * math.Sin(at)
			}

			into[i] = 2 * math.Hypot(re, im) / n
		}
	}

	return left, right
}

// stereo returns a film's sound at 48 kHz, left and right interleaved.
func stereo(t *testing.T, path string) []float32 {
	t.Helper()

	var all floatSink

	require.NoError(t, reel.FFmpeg(t.Context(), nil, &all, "-v", "error", "-i", path, "-map", "0:a", "-ac", "2", "-ar", "48000", "-f", "f32le", "pipe:1"))

	return all.samples()
}

// floatSink collects 32-bit floats.
type floatSink struct{ raw []byte }

func (s *floatSink) Write(b []byte) (int, error) {
	s.raw = append(s.raw, b...)

	return len(b), nil
}

func (s *floatSink) samples() []float32 {
	all := make([]float32, len(s.raw)/4)
	for i := range all {
		b := s.raw[4*i:]
		all[i] = math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}

	return all
}

// The track marked default is heard, else the first. If it is completely silent, the next track that is not silent is
// heard. Two mono tracks of equal length are the left and right of one stereo sound, unless one is silent or exactly
// one is marked default.
func TestWhichSoundIsHeard(t *testing.T) {
	t.Parallel()

	const (
		lows, highs = "low", "high"
		none        = ""
	)

	for name, tc := range map[string]struct {
		file, settings string
		sounds         []string
		silent         []bool
		left, right    string
	}{
		"the first is silent":             {"a.mkv", "-c:a aac", []string{quiet, low}, []bool{true, false}, lows, lows},
		"the same with stereo speech":     {"a.mkv", "-c:a libopus -ac:a:1 2", []string{quiet, high}, []bool{true, false}, highs, highs},
		"the first only hisses":           {"a.mp4", "-c:a aac", []string{dither, low}, []bool{true, false}, lows, lows},
		"no default":                      {"a.mkv", "-c:a flac -ac 2 -disposition:a 0", []string{low, high}, []bool{false, false}, lows, lows},
		"the second is the default":       {"a.mkv", "-c:a flac -ac 2 -disposition:a:0 0 -disposition:a:1 default", []string{low, high}, []bool{false, false}, highs, highs},
		"a silent default, the next":      {"a.mka.mkv", "-c:a flac -ac 2 -disposition:a:0 0 -disposition:a:1 default", []string{low, quiet, high}, []bool{false, true, false}, highs, highs},
		"a silent default at the end":     {"a.mkv", "-c:a flac -ac 2 -disposition:a:0 0 -disposition:a:1 default", []string{low, quiet}, []bool{false, true}, lows, lows},
		"all are silent":                  {"a.mov", "-c:a pcm_s16le", []string{quiet, dither}, []bool{true, true}, none, none},
		"two sides":                       {"a.mkv", "-c:a flac -ac 1 -disposition:a 0", []string{low, high}, []bool{false, false}, lows, highs},
		"two sides, both default":         {"a.mov", "-c:a pcm_s16le -ac 1 -disposition:a default", []string{low, high}, []bool{false, false}, lows, highs},
		"two sides, of a transport":       {"a.ts", "-c:a mp2 -ac 1", []string{low, high}, []bool{false, false}, lows, highs},
		"two mono, one default":           {"a.mkv", "-c:a flac -ac 1 -disposition:a:0 0 -disposition:a:1 default", []string{low, high}, []bool{false, false}, highs, highs},
		"two mono, one is silent":         {"a.mkv", "-c:a flac -ac 1 -disposition:a 0", []string{quiet, high}, []bool{true, false}, highs, highs},
		"two mono, one is shorter":        {"a.mkv", "-c:a flac -ac 1 -disposition:a 0", []string{low, short}, []bool{false, false}, lows, lows},
		"one is mono and one is stereo":   {"a.mkv", "-c:a flac -ac:a:0 1 -ac:a:1 2 -disposition:a 0", []string{low, high}, []bool{false, false}, lows, lows},
		"three mono tracks are no stereo": {"a.mkv", "-c:a flac -ac 1 -disposition:a 0", []string{low, high, high}, []bool{false, false, false}, lows, lows},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			info := s.Add(t, "su_a", layered(t, tc.file, tc.settings, tc.sounds...))
			require.True(t, info.Audio.Measured)

			var silent []bool
			for _, track := range info.Audio.Tracks {
				silent = append(silent, *track.Silent)
			}

			require.Equal(t, tc.silent, silent)

			left, right := pitches(t, s.Render(t, rendering.Wide(), s.Clip("su_a")).Path)

			for side, heard := range map[string][2]float64{tc.left: left, tc.right: right} {
				for i, pitch := range []string{lows, highs} {
					if side == pitch {
						require.InDelta(t, 0.107, heard[i], 0.03, pitch) // FFmpeg makes mono 3 dB quieter when it becomes stereo
					} else {
						require.Less(t, heard[i], 0.01, pitch)
					}
				}
			}

			if tc.left != tc.right {
				require.Less(t, left[1]+right[0], 0.01, "each pitch on its own side")
			}
		})
	}
}

// The names of a file's sound tracks are stored.
func TestSoundsAreNamed(t *testing.T) {
	t.Parallel()

	for file, title := range map[string]string{"a.mkv": "Voice", "a.mov": ""} {
		info := rendering.Probe(t, layered(t, file, "-c:a aac -metadata:s:a:0 language=eng -metadata:s:a:0 title=Voice -ac:a:1 1", quiet, low), probe.KindVideo)
		require.Len(t, info.Audio.Tracks, 2)

		first, second := info.Audio.Tracks[0], info.Audio.Tracks[1]
		require.Equal(t, "eng", first.Language)
		require.Equal(t, title, first.Title)
		require.Equal(t, 2, first.Channels)
		require.Equal(t, 1, second.Channels)
		require.Empty(t, second.Language)
	}
}

// A longer recording is measured after its probe, with the same result.
func TestMeasuringIsDeferred(t *testing.T) {
	t.Parallel()

	path := rendering.Make(t, "a.mka", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=70", "-f", "lavfi", "-i", "sine=frequency=300:sample_rate=8000:duration=70",
		"-map", "0", "-map", "1", "-c:a", "flac")
	info := rendering.Probe(t, path, probe.KindAudio)
	require.False(t, info.Audio.Measured)
	require.Nil(t, info.Audio.Tracks[0].Silent)
	require.Zero(t, info.Audio.Stream, "until then")

	e := &encode.Engine{Tools: rendering.Tools(t)}

	measured, err := probe.MeasureSound(t.Context(), e.Runner(), probe.Source{Path: path, Info: info})
	require.NoError(t, err)
	require.True(t, measured.Audio.Measured)
	require.True(t, *measured.Audio.Tracks[0].Silent)
	require.False(t, *measured.Audio.Tracks[1].Silent)
	require.Equal(t, 1, measured.Audio.Stream)
	require.Nil(t, info.Audio.Tracks[0].Silent, "known values stay")

	// A source probed before tracks were stored.
	info.Audio.Tracks = nil

	again, err := probe.MeasureSound(t.Context(), e.Runner(), probe.Source{Path: path, Info: info})
	require.NoError(t, err)
	require.Equal(t, 1, again.Audio.Stream)
	require.Len(t, again.Audio.Tracks, 2)
}

// A microphone recorded in one channel is heard in both. Other sounds stay on their side.
func TestMicrophoneOnOneSide(t *testing.T) {
	t.Parallel()

	const (
		leftOnly  = "aevalsrc=0.125*sin(2*PI*300*t)|0:s=48000:d=2"
		rightOnly = "aevalsrc=0|0.125*sin(2*PI*300*t):s=48000:d=2"
		leftHiss  = "aevalsrc=0.125*sin(2*PI*300*t)|0.0005*(random(0)-0.5):s=48000:d=2"
		bothSides = "aevalsrc=0.125*sin(2*PI*300*t)|0.0125*sin(2*PI*300*t):s=48000:d=2"
	)

	for name, tc := range map[string]struct{ file, codec, sound, side string }{
		"left, AAC":        {"a.mp4", "-c:a aac -b:a 96k", leftOnly, "left"},
		"left, Opus":       {"a.webm.mkv", "-c:a libopus -b:a 48k", leftOnly, "left"},
		"right, Vorbis":    {"a.mkv", "-c:a libvorbis", rightOnly, "right"},
		"right, MP3":       {"a.mkv", "-c:a libmp3lame -b:a 96k", rightOnly, "right"},
		"left beside hiss": {"a.mov", "-c:a pcm_s16le", leftHiss, "left"},
		"quieter, no less": {"a.mov", "-c:a pcm_s16le", bothSides, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			info := s.Add(t, "su_a", layered(t, tc.file, tc.codec, tc.sound))
			require.Equal(t, tc.side, info.Audio.Side)

			plain := s.Render(t, rendering.Wide(), s.Clip("su_a"))
			before := [2]float64{}
			left, right := pitches(t, plain.Path)
			before[0], before[1] = left[0], right[0]

			microphone := info.AsMicrophone()
			file := s.Files["su_a"]
			file.Info = microphone
			s.Files["su_a"] = file
			content, title := s.Sources["su_a"].Content, s.Sources["su_a"].Name
			s.Sources["su_a"] = microphone.RenderSource(content, title)

			left, right = pitches(t, s.Render(t, rendering.Wide(), s.Clip("su_a")).Path)

			if tc.side == "" {
				require.InDelta(t, before[0], left[0], 0.002)
				require.InDelta(t, before[1], right[0], 0.002)

				return
			}

			require.Less(t, min(before[0], before[1]), 0.01, "the silent side of other sounds stays silent")
			require.InDelta(t, 0.125, left[0], 0.02)
			require.InDelta(t, 0.125, right[0], 0.02)
		})
	}
}

// Channels in opposite or other phase keep their loudness and are not treated as silence.
func TestOppositePhaseIsNoSilence(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct{ file, codec, sound string }{
		"opposite, PCM":           {"a.wav", "pcm_s16le", "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999)|-0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999):s=48000:d=4"},
		"opposite, FLAC":          {"a.flac", "flac", "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999)|-0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999):s=44100:d=4"},
		"opposite, then together": {"a.mka", "pcm_s16le", "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999)|0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999)*(1-2*lt(t\\,2)):s=48000:d=4"},
		"together":                {"a.wav", "pcm_s16le", "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999)|0.5*sin(2*PI*440*t)*between(t\\,1\\,2.99999):s=48000:d=4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := rendering.Make(t, tc.file, "-f", "lavfi", "-i", tc.sound, "-c:a", tc.codec)
			e := &encode.Engine{Tools: rendering.Tools(t)}
			source := probe.Source{Path: path, Info: rendering.Probe(t, path, probe.KindAudio)}

			recording, err := probe.Open(t.Context(), e.Tools, source)
			require.NoError(t, err)

			var (
				levels reckon.Levels
				shape  reckon.Waveform
				spoken floatSink
			)

			require.NoError(t, reckon.Samples(t.Context(), e.Runner(), recording, reckon.LevelRate, levels.Add))
			require.Equal(t, []values.Span{{EndMs: 1000}, {StartMs: 3000, EndMs: 4000}}, levels.Silences(4000))

			require.NoError(t, reckon.Samples(t.Context(), e.Runner(), recording, reckon.WaveformRate, shape.Add))

			for i, v := range shape.Data() {
				fromMs, toMs := i/2*32, i/2*32+32
				loud := [2]int8{-64, 63}[i%2]

				switch {
				case toMs <= 960 || fromMs >= 3040:
					require.InDelta(t, 0, v, 1, "%d ms", fromMs)
				case fromMs >= 1000 && toMs <= 3000:
					require.InDelta(t, loud, v, 2, "%d ms", fromMs)
				}
			}

			const rate = 16_000

			require.NoError(t, reckon.Speech(t.Context(), e.Runner(), source, rate, 4000, &spoken))
			require.Len(t, spoken.raw, 4*rate*2)

			for _, at := range []int{1200, 1700, 2300, 2900} { // in milliseconds
				peak := 0.0

				for k := range rate / 50 {
					b := spoken.raw[2*(at*rate/1000+k):]
					peak = max(peak, math.Abs(float64(int16(uint16(b[0])|uint16(b[1])<<8))))
				}

				require.InDelta(t, 16_384, peak, 500, "at %d ms", at)
			}
		})
	}
}
