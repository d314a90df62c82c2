package audio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// sinceSeconds is the timestamp at which the sound starts in the stream between the listener's two programs. That stream
// cannot hold negative timestamps, and a sound may begin before its picture.
const sinceSeconds = 24 * 3600

// listener decodes the sound of a source in the recording's time: gaps, and a sound that begins late, are filled with
// silence.
//
// It runs two programs. FFmpeg restarts its filters where a sound changes its channels or its rate, as joined files do;
// a filter that fills gaps from a start time would fill from there again. So the first program converts everything to
// one kind of sound, and the second fills the gaps.
type listener struct {
	run    ffmpeg.Runner
	source probe.Source
	// fromUs is the timestamp in the file at which to start.
	fromUs int64
	// seek holds options of the input.
	seek []string
	// rate is the samples per second, filter the other filters to apply, and format the output format.
	rate           int
	filter, format string
}

// write writes the samples. It writes nothing if less than a hundredth of a second can be heard. A source without sound
// is an error.
func (l listener) write(ctx context.Context, to io.Writer) error {
	if l.source.Info.Audio == nil {
		return fmt.Errorf("analyze the sound of %s: the file has no sound", l.source.Path)
	}

	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("analyze the sound of %s: %w", l.source.Path, err)
	}

	ctx, stop := context.WithCancel(ctx)
	decoded := make(chan error, 1)

	go func() {
		err := l.run.Run(ctx, ffmpeg.Command{Args: l.decoding(), Stdout: in})
		_ = in.Close()

		decoded <- err
	}()

	sound := &endedReader{Reader: out}
	err = l.count(ctx, sound, to)
	_ = out.Close() // the first program ends when it writes to the closed pipe

	stop()

	// If the sound was not read to its end, the first program was stopped and its error does not matter.
	if first := <-decoded; sound.ended.Load() && first != nil {
		err = first
	}

	if err != nil {
		return fmt.Errorf("analyze the sound of %s: %w", l.source.Path, err)
	}

	return nil
}

// kind returns the filter that converts a track to one kind of sound: two channels, or one where left and right are
// separate tracks. A spread channel is heard on both sides.
func kind(a *probe.AudioInfo) string {
	switch {
	case a.Right != nil:
		return "aformat=sample_fmts=flt:channel_layouts=mono"
	case a.Spread == probe.LeftSide:
		return probe.StereoFilter + ",pan=stereo|FL=FL|FR=FL"
	case a.Spread == probe.RightSide:
		return probe.StereoFilter + ",pan=stereo|FL=FR|FR=FR"
	default:
		return probe.StereoFilter
	}
}

// decoding returns the arguments of the first program.
func (l listener) decoding() []string {
	a := l.source.Info.Audio

	args := append([]string{"-vn", "-sn", "-dn", probe.CopyTimestamps}, l.source.Info.Format.Input(l.source.Path, l.seek...)...)

	args = append(args, "-map", fmt.Sprintf("0:%d", a.Stream))
	if a.Right != nil {
		args = append(args, "-map", fmt.Sprintf("0:%d", *a.Right))
	}

	return append(args, "-map_metadata", "-1",
		"-af", kind(a), "-c:a", "pcm_f32le", "-ar", strconv.Itoa(l.rate),
		"-output_ts_offset", plan.Seconds(sinceSeconds*1_000_000-l.fromUs), "-f", "nut", "pipe:1")
}

// headers is larger than the stream's header alone, and smaller than the header with its first samples. A stream that
// ends before that has no samples, and the second program would call it a broken file.
const headers = 4 << 10

// count runs the second program.
func (l listener) count(ctx context.Context, sound io.Reader, to io.Writer) error {
	var head [headers]byte

	_, err := io.ReadFull(sound, head[:])

	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return err
	}

	return l.run.Run(ctx, ffmpeg.Command{
		Args: append(append([]string{
			probe.CopyTimestamps, "-f", "nut", "-protocol_whitelist", "pipe", "-i", "pipe:0",
		}, l.counting()...), "-f", l.format, "pipe:1"),
		Stdin: io.MultiReader(bytes.NewReader(head[:]), sound), Stdout: to,
	})
}

// counting returns the filters of the second program. Two separate tracks are joined after each is aligned.
func (l listener) counting() []string {
	count := fmt.Sprintf("aresample=async=1:first_pts=%d", l.rate*sinceSeconds)
	if l.source.Info.Audio.Right == nil {
		return []string{"-af", count + "," + l.filter}
	}

	count += fmt.Sprintf(",aformat=sample_fmts=flt:channel_layouts=mono:sample_rates=%d", l.rate)

	return []string{"-filter_complex", fmt.Sprintf(
		"[0:0]%[1]s[left];[0:1]%[1]s[right];[left][right]join=inputs=2:channel_layout=stereo:map=0.0-FL|1.0-FR,%[2]s", count, l.filter)}
}

// endedReader remembers whether the end was reached.
type endedReader struct {
	io.Reader

	ended atomic.Bool
}

func (r *endedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		r.ended.Store(true)
	}

	return n, err
}
