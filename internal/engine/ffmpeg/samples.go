package ffmpeg

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Recording is a source of which is known where its time begins.
type Recording struct {
	Source

	Origin Origin
}

// OpenRecording opens a source. It starts a program only where its probe did not note the origin.
func OpenRecording(ctx context.Context, t Tools, s Source) (Recording, error) {
	o, err := lookUpOrigin(ctx, t, s)
	if err != nil {
		return Recording{}, err
	}

	return Recording{Source: s, Origin: o}, nil
}

// samplesTogether is how many samples are handed on at once: to hand on those of each of a decoder's frames
// takes a third of the time.
const samplesTogether = 8192

// Samples decodes all of the sound to two channels at a rate, left and right by turns. Where there is none it is silent. Each
// piece is only valid until sink returns, and begins with a left one. A source without sound has no samples.
func Samples(ctx context.Context, run Runner, r Recording, rate int, sink func([]int16)) error {
	if r.Info.Audio == nil {
		return nil
	}

	return listener{
		run: run, source: r.Source, fromUs: r.Origin.ZeroUs, rate: rate,
		filter: fmt.Sprintf("aformat=sample_fmts=s16:channel_layouts=stereo,asetnsamples=n=%d:p=0", samplesTogether), format: "s16le",
	}.write(ctx, &sampleWriter{sink: sink})
}

// stereoBytes is how many bytes a sample of each of two channels has.
const stereoBytes = 4

// sampleWriter turns little-endian bytes into pairs of samples.
type sampleWriter struct {
	sink func([]int16)
	odd  []byte // the first bytes of a pair whose others are yet to come
	out  []int16
}

// Write implements io.Writer.
func (w *sampleWriter) Write(b []byte) (int, error) {
	n := len(b)
	if len(w.odd) > 0 {
		b = append(w.odd, b...)
	}

	whole := len(b) - len(b)%stereoBytes

	w.out = w.out[:0]
	for i := 0; i < whole; i += 2 {
		w.out = append(w.out, int16(binary.LittleEndian.Uint16(b[i:])))
	}

	w.odd = append([]byte(nil), b[whole:]...)
	w.sink(w.out)

	return n, nil
}

var _ io.Writer = (*sampleWriter)(nil)

// Film writes moments of the picture as raw frames, YUV 4:2:0 in BT.709 of limited range. Past the end
// the last frame is shown.
func Film(ctx context.Context, run Runner, r Recording, of plan.Sample, to io.Writer) error {
	args := drawInput(of.Draw(r.Info.RenderSource("", "")), r.Source, r.Origin, 0, "-threads", "2")

	return drawFrames(ctx, run, r, append(args, "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"), of.Frames, to)
}

// Stills writes one frame of each sample, as Film does, in their order. All are of one size and rate.
func Stills(ctx context.Context, run Runner, r Recording, of []plan.Sample, to io.Writer) error {
	for some := range slices.Chunk(of, together(r)) {
		if err := drawFrames(ctx, run, r, stillsArgs(some, r.Source, r.Origin), int64(len(some)), to); err != nil {
			return err
		}
	}

	return nil
}

const (
	// stillsTogether is how many places of a file one program opens: to start it costs as much as a picture.
	stillsTogether = 10
	// stillsPixels is how many pixels their pictures may have together: each place has a decoder of its own.
	stillsPixels = 24_000_000
)

// together is how many stills one program makes.
func together(r Recording) int {
	if v := r.Info.Video; v != nil {
		return min(max(stillsPixels/max(v.CodedWidth*v.CodedHeight, 1), 1), stillsTogether)
	}

	return 1
}

// stillsArgs open the file once for each sample, where its frame is, and show one after the other.
func stillsArgs(of []plan.Sample, s Source, o Origin) []string {
	var (
		known  = s.Info.RenderSource("", "")
		args   = []string{copyTimestamps}
		chains []string
		pads   strings.Builder
	)

	for i, one := range of {
		d := one.Draw(known)
		before := slices.Concat([]string{"-threads", "1"}, oneGraph(d.Decoded), drawSeek(d, s, o))
		args = append(args, s.Info.pictures(s.Path, before...)...)
		chains = append(chains, fmt.Sprintf("[%d:%d]%s,trim=end_frame=1[s%d]", i, s.Info.videoStream(), d.Filter(o.ZeroUs, false), i))
		fmt.Fprintf(&pads, "[s%d]", i)
	}

	chains = append(chains, fmt.Sprintf("%sconcat=n=%d,setpts=N", pads.String(), len(of)))

	return append(args, "-filter_complex", strings.Join(chains, ";"), "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")
}

func drawFrames(ctx context.Context, run Runner, r Recording, args []string, frames int64, to io.Writer) error {
	if err := run.Run(ctx, Command{Args: args, Stdout: to}); err != nil {
		return fmt.Errorf("draw %d frames of %s: %w", frames, r.Path, err)
	}

	return nil
}

// FrameBytes is how many bytes a raw frame has.
func FrameBytes(s plan.Size) int { return s.Width * s.Height * 3 / 2 }
