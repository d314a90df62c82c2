package blob

import (
	"errors"
	"fmt"
	"io"
)

// windowSize is how much of a remote blob is fetched at once. A reader that seeks away discards at most this
// much.
const windowSize = 4 << 20

// windows reads a remote blob in windows. The zero value is an empty blob.
type windows struct {
	size  int64
	fetch func(at int64) (io.ReadCloser, error) // fetches from at to the end of a window, at least one byte
	open  io.ReadCloser                         // the window being read; nil for none
	from  int64                                 // the offset at which open continues
	at    int64                                 // the reader's offset
}

// Read implements io.Reader.
func (w *windows) Read(b []byte) (int, error) {
	if w.at >= w.size {
		return 0, io.EOF
	}

	if len(b) == 0 {
		return 0, nil
	}

	for empty := false; ; {
		if w.open != nil && w.from != w.at {
			w.drop()
		}

		if w.open == nil {
			body, err := w.fetch(w.at)
			if err != nil {
				return 0, err
			}

			w.open, w.from = body, w.at
		}

		n, err := w.open.Read(b)
		w.from += int64(n)

		w.at = w.from
		if errors.Is(err, io.EOF) {
			w.drop()

			err = nil
		}

		if n > 0 || err != nil {
			return n, err
		}

		if w.open == nil {
			if empty {
				return 0, fmt.Errorf("%w: %w", ErrUnavailable, io.ErrUnexpectedEOF)
			}

			empty = true
		}
	}
}

// Seek implements io.Seeker. It sends no request.
func (w *windows) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += w.at
	case io.SeekEnd:
		offset += w.size
	}

	if offset < 0 {
		return 0, errors.New("seek before the beginning of a blob")
	}

	w.at = offset

	return offset, nil
}

// Close implements io.Closer.
func (w *windows) Close() error {
	w.drop()

	return nil
}

func (w *windows) drop() {
	if w.open != nil {
		_ = w.open.Close() // a read-only body: an error of Close does not matter
		w.open = nil
	}
}
