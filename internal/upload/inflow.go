package upload

import (
	"context"
	"errors"
	"io"

	"github.com/reelgraph/reelgraph/ent"
)

// reserveStep is how much room is kept at a time for an upload that does not say how long it is.
const reserveStep = 8 << 20

// Within is the body of an upload of a source, from an offset on, that does not say how long it is: it is read as far as the
// workspace has room, which is kept before it is used. Beyond that it fails.
func (d Desk) Within(ctx context.Context, src *ent.Source, offset int64, body io.Reader) io.Reader {
	if d.Limits.Workspace == 0 {
		return body
	}

	return &within{desk: d, ctx: ctx, src: src, at: offset, granted: offset, body: body}
}

type within struct {
	desk        Desk
	ctx         context.Context //nolint:containedctx // it lives for one body
	src         *ent.Source
	at, granted int64
	body        io.Reader
}

// Read implements io.Reader.
func (w *within) Read(b []byte) (int, error) {
	if w.at == w.granted {
		granted, err := w.desk.Reserve(w.ctx, w.src, w.at+reserveStep)
		if err != nil {
			return 0, err
		}

		if w.granted = max(granted, w.at); w.granted == w.at {
			return 0, w.end()
		}
	}

	n, err := w.body.Read(b[:min(int64(len(b)), w.granted-w.at)])
	w.at += int64(n)

	return n, err //nolint:wrapcheck // a reader's own
}

// end tells a body that ends where the room does from one that goes on.
func (w *within) end() error {
	var one [1]byte

	n, err := io.ReadFull(w.body, one[:])

	switch {
	case n > 0:
		return w.desk.full(w.granted)
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return err //nolint:wrapcheck // a reader's own
	}
}
