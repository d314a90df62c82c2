package still

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Film writes the frames that a sample selects from a recording. They are raw frames: YUV 4:2:0, BT.709, limited
// range. After the end of the recording Film repeats the last frame.
func Film(ctx context.Context, run ffmpeg.Runner, r probe.Recording, of plan.Sample, to io.Writer) error {
	args := probe.FrameArgs(of.Draw(r.Info.RenderSource("", "")), r.Source, r.Origin, 0, "-threads", "2")

	return drawFrames(ctx, run, r, append(args, "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"), of.Frames, to)
}

// Stills writes one raw frame for each sample, in the order of the samples and in the format of Film. All samples must
// have the same size and rate.
func Stills(ctx context.Context, run ffmpeg.Runner, r probe.Recording, of []plan.Sample, to io.Writer) error {
	for some := range slices.Chunk(of, together(r)) {
		if err := drawFrames(ctx, run, r, stillsArgs(some, r.Source, r.Origin), int64(len(some)), to); err != nil {
			return err
		}
	}

	return nil
}

const (
	// stillsTogether is how many places of a file one program opens: starting a program costs as much as a picture.
	stillsTogether = 10
	// stillsPixels is how many pixels these pictures may have together: each place has its own decoder.
	stillsPixels = 24_000_000
)

// together returns how many stills one program makes.
func together(r probe.Recording) int {
	if v := r.Info.Video; v != nil {
		return min(max(stillsPixels/max(v.CodedWidth*v.CodedHeight, 1), 1), stillsTogether)
	}

	return 1
}

// stillsArgs returns the arguments that open the file once for each sample, at its frame, and output the frames in
// order.
func stillsArgs(of []plan.Sample, s probe.Source, o probe.Origin) []string {
	var (
		known  = s.Info.RenderSource("", "")
		args   = []string{probe.CopyTimestamps}
		chains []string
		pads   strings.Builder
	)

	for i, one := range of {
		d := one.Draw(known)
		before := slices.Concat([]string{"-threads", "1"}, probe.KeepFilters(d.Decoded), probe.DrawSeek(d, s, o))
		args = append(args, s.Info.PictureInput(s.Path, before...)...)
		chains = append(chains, fmt.Sprintf("[%d:%d]%s,trim=end_frame=1[s%d]", i, s.Info.VideoStream(), d.Filter(o.ZeroUs, false), i))
		fmt.Fprintf(&pads, "[s%d]", i)
	}

	chains = append(chains, fmt.Sprintf("%sconcat=n=%d,setpts=N", pads.String(), len(of)))

	return append(args, "-filter_complex", strings.Join(chains, ";"), "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")
}

func drawFrames(ctx context.Context, run ffmpeg.Runner, r probe.Recording, args []string, frames int64, to io.Writer) error {
	if err := run.Run(ctx, ffmpeg.Command{Args: args, Stdout: to}); err != nil {
		return fmt.Errorf("draw %d stills of %s: %w", frames, r.Path, err)
	}

	return nil
}

// FrameBytes returns the size of a raw frame in bytes.
func FrameBytes(s plan.Size) int { return s.Width * s.Height * 3 / 2 }
