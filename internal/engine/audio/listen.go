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

// sinceSeconds is the timestamp at which a listener's sound begins in what is between its two programs: that knows no
// negative ones, and a sound may begin before its picture.
const sinceSeconds = 24 * 3600

// listener decodes the sound of a source in the recording's time: gaps, and a sound that begins late, are filled with
// silence.
//
// It takes two programs. FFmpeg begins its filters anew where a sound changes its channels or its rate, as joined files
// do, and one that counts from a time would fill with silence from there again. So the first makes one kind of sound of
// it, whatever comes, and the second counts.
type listener struct {
	run    ffmpeg.Runner
	source probe.Source
	// fromUs is the timestamp in the file at which to begin.
	fromUs int64
	// seek are settings of the input.
	seek []string
	// rate is how many samples a second has, filter what else is done to them, and format what they are written as.
	rate           int
	filter, format string
}

// write writes the samples; none where there is less than a hundredth of a second to hear. A source without sound is an
// error.
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
	_ = out.Close() // what the first program still writes ends it

	stop()

	// One that did not come to its end was stopped, and how it took that is no matter.
	if first := <-decoded; sound.ended.Load() && first != nil {
		err = first
	}

	if err != nil {
		return fmt.Errorf("analyze the sound of %s: %w", l.source.Path, err)
	}

	return nil
}

// kind is the filter that makes one kind of sound of a track: two channels, or one of the two that are tracks of their own. A
// channel that is spread is heard in both.
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

// decoding are the arguments of the first program.
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

// headers is more than what stands before the first samples, and less than that with some of them. Behind the last
// sample of a source there are none, which a second program would take for a broken file.
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

// counting are the filters of the second program. Two tracks are put together once each is where it belongs.
func (l listener) counting() []string {
	count := fmt.Sprintf("aresample=async=1:first_pts=%d", l.rate*sinceSeconds)
	if l.source.Info.Audio.Right == nil {
		return []string{"-af", count + "," + l.filter}
	}

	count += fmt.Sprintf(",aformat=sample_fmts=flt:channel_layouts=mono:sample_rates=%d", l.rate)

	return []string{"-filter_complex", fmt.Sprintf(
		"[0:0]%[1]s[left];[0:1]%[1]s[right];[left][right]join=inputs=2:channel_layout=stereo:map=0.0-FL|1.0-FR,%[2]s", count, l.filter)}
}

// endedReader remembers whether the end was read.
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
