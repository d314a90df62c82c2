package upload

import (
	"context"
	"errors"
	"io"

	"github.com/reelgraph/reelgraph/ent"
)

// reserveStep is how many bytes are reserved at a time for an upload of unknown length.
const reserveStep = 8 << 20

// Within returns a reader for the body of an upload of unknown length. offset is the position of the body in the
// upload. The reader reserves storage of the workspace before it returns bytes, and fails if the workspace has no
// storage left.
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

// end distinguishes a body that ends exactly at the limit from a longer one.
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
