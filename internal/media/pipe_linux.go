package media

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeBytes is how much a pipe between programs holds: a third of a picture of 1080p instead of a
// fiftieth saves most of the waking up.
const pipeBytes = 1 << 20

// bigPipe is a pipe for pictures. A system that does not allow one so large gives its usual one.
func bigPipe() (r, w *os.File, err error) {
	r, w, err = os.Pipe()
	if err != nil {
		return nil, nil, err
	}

	if raw, err := w.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
	}

	return r, w, nil
}
