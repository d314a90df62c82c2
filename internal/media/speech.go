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
	o, err := e.Tools.origin(ctx, s)
	if err != nil {
		return err
	}

	return listener{
		engine: e, source: s, fromUs: o.ZeroUs, rate: rate, format: "s16le",
		filter: fmt.Sprintf("aformat=channel_layouts=mono,apad=whole_len=%d,atrim=end_sample=%[1]d", lengthMs*int64(rate)/1000),
	}.write(ctx, to)
}
