package media

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/render"
)

// oneSound makes every sound two channels of floats. One channel is as loud on both sides, which FFmpeg alone would
// make 3 dB quieter; more than two are mixed as FFmpeg mixes them.
const oneSound = "aformat=sample_fmts=flt:channel_layouts=mono|stereo,pan=stereo|FL=FL+FC|FR=FR+FC"

// sinceUs is the timestamp at which a listener's sound begins in what is between its two programs: that knows no
// negative ones, and a sound may begin before its picture.
const sinceUs = 24 * 3600 * 1_000_000

// errHeard ends the first program when the second needs no more.
var errHeard = errors.New("enough was heard")

// listener decodes the sound of a source in the recording's time: gaps, and a sound that begins late, are filled with
// silence.
//
// It takes two programs. FFmpeg begins its filters anew where a sound changes its channels or its rate, as joined files
// do, and one that counts from a time would fill with silence from there again. So the first makes one kind of sound of
// it, whatever comes, and the second counts.
type listener struct {
	engine *Engine
	source Source
	// fromUs is the timestamp in the file at which to begin.
	fromUs int64
	// seek are settings of the input.
	seek []string
	// rate is how many samples a second has, filter what else is done to them, and format what they are written as.
	rate           int
	filter, format string
}

// write writes the samples. A source without sound is an error.
func (l listener) write(ctx context.Context, to io.Writer) error {
	sound := l.source.Info.Audio
	if sound == nil {
		return fmt.Errorf("listen to %s: it has no sound", l.source.Path)
	}

	own := cmp.Or(sound.SampleRate, render.SampleRate)

	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("listen to %s: %w", l.source.Path, err)
	}

	first := append([]string{"-vn", "-sn", "-dn", copyTimestamps}, l.source.Info.Format.Input(l.source.Path, l.seek...)...)
	first = append(first, "-map", fmt.Sprintf("0:%d", sound.Stream), "-map_metadata", "-1",
		"-af", oneSound, "-c:a", "pcm_f32le", "-ar", strconv.Itoa(own),
		"-output_ts_offset", render.Seconds(sinceUs-l.fromUs), "-f", "nut", "pipe:1")

	second := []string{
		copyTimestamps, "-f", "nut", "-protocol_whitelist", "pipe", "-i", "pipe:0",
		// first_pts is in samples of what comes in, and not of what goes out.
		"-af", fmt.Sprintf("aresample=%d:async=1:first_pts=%d,%s", l.rate, int64(own)*(sinceUs/1_000_000), l.filter),
		"-f", l.format, "pipe:1",
	}

	group, ctx := errgroup.WithContext(ctx)
	decoding, enough := context.WithCancelCause(ctx)

	group.Go(func() error {
		err := l.engine.Tools.Run(decoding, Command{Args: first, Stdout: in, Limits: l.engine.Limits})
		_ = in.Close()

		if errors.Is(err, errHeard) {
			return nil
		}

		return err
	})
	group.Go(func() error {
		defer enough(errHeard)

		return l.engine.Tools.Run(ctx, Command{Args: second, Stdin: out, Stdout: to, Limits: l.engine.Limits})
	})

	err = group.Wait()
	_ = out.Close() // not before: the first program would fail for having no reader

	if err != nil {
		return fmt.Errorf("listen to %s: %w", l.source.Path, err)
	}

	return nil
}
