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

	samples := lengthMs * int64(rate) / 1000
	heard := &tally{Writer: to}

	err = listener{
		engine: e, source: s, fromUs: o.ZeroUs, rate: rate,
		filter: fmt.Sprintf("aformat=channel_layouts=mono,atrim=end_sample=%d", samples), format: "s16le",
	}.write(ctx, heard)
	if err != nil {
		return err
	}

	_, err = io.CopyN(to, silence{}, 2*samples-heard.bytes)

	return err
}

// tally counts what is written.
type tally struct {
	io.Writer

	bytes int64
}

func (t *tally) Write(b []byte) (int, error) {
	n, err := t.Writer.Write(b)
	t.bytes += int64(n)

	return n, err
}

// silence has no end.
type silence struct{}

// Read implements io.Reader.
func (silence) Read(b []byte) (int, error) {
	clear(b)

	return len(b), nil
}
