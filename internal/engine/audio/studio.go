package audio

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

const (
	// studioLUFS is the loudness of studio sound.
	studioLUFS = -16.0
	// studioPeakDB is its greatest true peak: half a decibel below the documented one, because the export's encoder adds
	// to it.
	studioPeakDB = -2.0
	// studioGainDB bounds the gain: anything that needs more is not speech.
	studioGainDB = 40.0
	// studioLevel is the loudness at which the compressor expects speech.
	studioLevel = -20.0
	// studioExact is how far off, in LU, the result may be before it is made once more.
	studioExact = 0.2
)

// The FFmpeg filters of studio sound. First they remove rumble and noise; then, at a known level, they reduce the
// difference between loud and quiet and soften hissing sibilants.
const (
	studioClean    = "highpass=f=80:p=2,afftdn=nr=14:nf=-50:tn=1"
	studioDynamics = "acompressor=threshold=0.1:ratio=2.5:attack=8:release=160:knee=4,deesser=i=0.35:m=0.5:f=0.5"
)

// studio makes studio sound. Both files are lossless stereo sound in an MP4.
type studio struct {
	run   ffmpeg.Runner
	clean string // without noise, at its original loudness
	out   string
}

// MakeStudio writes the studio sound of a recording to path. It also writes a second file, whose name is path with
// .clean appended: the sound without noise at its original loudness.
func MakeStudio(ctx context.Context, run ffmpeg.Runner, r probe.Recording, path string) error {
	return studio{run: run, clean: path + ".clean", out: path}.make(ctx, r.Source, r.Origin)
}

func (s studio) make(ctx context.Context, source probe.Source, o probe.Origin) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	if err := s.denoise(ctx, source, o); err != nil {
		return err
	}

	came, err := s.loudness(ctx, "anull")
	if err != nil {
		return err
	}

	if came < silent {
		return s.encode(ctx, "anull", 0, nil)
	}

	dynamics := fmt.Sprintf("volume=%.3fdB,%s", studioLevel-came, studioDynamics)

	level, err := s.loudness(ctx, dynamics)
	if err != nil {
		return err
	}

	// Limiting reduces the loudness a little; one more pass makes up for it.
	gain := studioLUFS - level
	for range 2 {
		gain = min(gain, studioGainDB+came-studioLevel)
		meter := newLoudness()

		if err := s.encode(ctx, dynamics, gain, meter); err != nil {
			return err
		}

		off := studioLUFS - meter.integrated()
		if math.Abs(off) < studioExact {
			break
		}

		gain += off
	}

	return nil
}

// denoise decodes a source once, aligned, and cleans it.
func (s studio) denoise(ctx context.Context, source probe.Source, o probe.Origin) error {
	late, err := delay(ctx, s.run, studioClean)
	if err != nil {
		return err
	}

	// The padding pushes out what the filters hold back; the trim drops what they put before the sound.
	in := decode(ctx, s.run, source, o, sampleSpan{0, endless})
	defer in.close()

	chain := fmt.Sprintf("apad=pad_len=%d,%s,atrim=start_sample=%d", late, studioClean, late)

	return encode(ctx, s.run, in, lossless(chain, "s32p"), s.clean)
}

// lossless returns the arguments of the lossless encoder after a chain of filters.
func lossless(chain, samples string) []string {
	return []string{"-af", chain + ",asetpts=N/SR/TB,aformat=sample_fmts=" + samples, "-c:a", "alac"}
}

// played decodes the cleaned sound through a chain of filters.
func (s studio) played(ctx context.Context, chain string) *pcmDecoder {
	return newPCMDecoder(ctx, output(s.run,
		"-f", "mov", "-protocol_whitelist", "file", "-i", "file:"+s.clean, "-map", "0:a",
		"-af", "aformat=sample_fmts=flt:channel_layouts=stereo,"+chain, "-f", floatFormat, "pipe:1",
	))
}

func (s studio) loudness(ctx context.Context, chain string) (float64, error) {
	in := s.played(ctx, chain)
	defer in.close()

	return measure(in)
}

// encode writes the result, amplified by gain decibels and limited. If meter is not nil, it measures the result.
func (s studio) encode(ctx context.Context, chain string, gain float64, meter *loudness) error {
	in := s.played(ctx, chain)
	defer in.close()

	most := math.Pow(10, studioPeakDB/20)

	var sound pcm = newLimiterTo(amplified{in, float32(math.Pow(10, gain/20))}, most, truePeak)
	if meter != nil {
		sound = measured{sound, meter}
	}

	return encode(ctx, s.run, sound, lossless("anull", "s16p"), s.out)
}

// delay returns by how many samples a chain of filters delays the sound. This differs between FFmpeg versions, so it is
// measured with a click.
func delay(ctx context.Context, run ffmpeg.Runner, chain string) (int, error) {
	const clickAt = plan.SampleRate / 2

	in := newPCMDecoder(ctx, output(run,
		"-f", "lavfi", "-i", "aevalsrc=exprs=0.8*eq(n\\,"+strconv.Itoa(clickAt)+"):s="+strconv.Itoa(plan.SampleRate)+":d=1",
		"-af", "aformat=sample_fmts=flt:channel_layouts=stereo,"+chain, "-f", floatFormat, "pipe:1",
	))
	defer in.close()

	heard := make([]float32, 2*plan.SampleRate)
	if _, err := fill(in, heard); err != nil {
		return 0, err
	}

	loudest := 0
	for i, s := range heard {
		if math.Abs(float64(s)) > math.Abs(float64(heard[loudest])) {
			loudest = i
		}
	}

	return max(0, loudest/2-clickAt), nil
}

// StudioSource describes the studio sound file at path as a source that a plan.Voice can play.
func StudioSource(path string) probe.Source {
	return probe.Source{Path: path, Info: probe.Info{Format: ffmpeg.FormatMP4, Audio: &probe.AudioInfo{Channels: 2}}}
}
