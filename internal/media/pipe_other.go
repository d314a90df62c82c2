//go:build !linux

package media

import "os"

// bigPipe is a pipe for pictures.
func bigPipe() (r, w *os.File, err error) { return os.Pipe() }
