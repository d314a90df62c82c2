package blob

import (
	"errors"
	"fmt"
	"io"
)

// windowSize is how much of a remote blob is asked for at once: whoever seeks away throws away less.
const windowSize = 4 << 20

// windows reads a remote blob window by window. The zero value is an empty one.
type windows struct {
	size  int64
	fetch func(at int64) (io.ReadCloser, error) // from at to the end of a window, at least one byte
	open  io.ReadCloser                         // the window that is being read; nil for none
	from  int64                                 // where open goes on
	at    int64                                 // where the reader is
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

// Seek implements io.Seeker. It asks for nothing.
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
		_ = w.open.Close() // it was only read
		w.open = nil
	}
}
