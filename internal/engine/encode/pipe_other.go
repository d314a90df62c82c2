//go:build !linux

package encode

import "os"

// bigPipe is a pipe to lend pictures by.
func bigPipe() (r, w *os.File, err error) { return os.Pipe() }

// pictureStream is what decoded pictures come through.
func pictureStream() (r, w *os.File, err error) { return os.Pipe() }

// lend writes memory into a pipe.
func lend(to *os.File, b []byte) error {
	_, err := to.Write(b)

	return err
}
