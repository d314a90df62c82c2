//go:build !linux

package encode

import "os"

// bigPipe returns a pipe for pictures.
func bigPipe() (r, w *os.File, err error) { return os.Pipe() }

// pictureStream returns the stream for decoded pictures.
func pictureStream() (r, w *os.File, err error) { return os.Pipe() }

// lend writes memory to a pipe.
func lend(to *os.File, b []byte) error {
	_, err := to.Write(b)

	return err
}
