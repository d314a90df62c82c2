package media

import (
	"context"
	"fmt"
	"io"
)

// Speech writes the sound of a source as speech recognition wants it: one channel of 16-bit little-endian
// samples at a rate, without a header, exactly lengthMs long. It is aligned to the recording's time: gaps,
// and a sound that begins late, are filled with silence.
func (e *Engine) Speech(ctx context.Context, s Source, rate int, lengthMs int64, to io.Writer) error {
	if s.Info.Audio == nil {
		return fmt.Errorf("listen to %s: it has no sound", s.Path)
	}

	o, err := e.Tools.origin(ctx, s)
	if err != nil {
		return err
	}

	samples := lengthMs * int64(rate) / 1000
	args := append([]string{"-copyts"}, s.Info.Format.Input(s.Path)...)
	args = append(args,
		"-map", fmt.Sprintf("0:%d", s.Info.Audio.Stream), "-ac", "1",
		"-af", fmt.Sprintf("aresample=%d:async=1:first_pts=%d,apad=whole_len=%d,atrim=end_sample=%[3]d",
			rate, o.ZeroUs*int64(rate)/1_000_000, samples),
		"-f", "s16le", "pipe:1")

	if err := e.Tools.Run(ctx, Command{Args: args, Stdout: to, Limits: e.Limits}); err != nil {
		return fmt.Errorf("listen to %s: %w", s.Path, err)
	}

	return nil
}
