package media

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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

// lend puts memory into a pipe without copying it: whoever reads the pipe takes it from there. It must stay as it is,
// and reachable, until all places of the pipe were filled behind it, or the reader has ended. Where the system does
// not do that, it is written.
func lend(to *os.File, b []byte) error {
	raw, err := to.SyscallConn()
	if err != nil {
		return err
	}

	var fault error

	err = raw.Write(func(fd uintptr) bool {
		for len(b) > 0 {
			v := unix.Iovec{Base: &b[0]}
			v.SetLen(len(b))

			n, err := unix.Vmsplice(int(fd), []unix.Iovec{v}, unix.SPLICE_F_NONBLOCK)

			switch {
			case errors.Is(err, unix.EAGAIN):
				return false // until there is room
			case errors.Is(err, unix.EINTR):
				continue
			case err != nil:
				fault = os.NewSyscallError("vmsplice", err)

				return true
			}

			b = b[n:]
		}

		return true
	})
	if errors.Is(fault, unix.EPIPE) || err != nil {
		return errors.Join(err, fault)
	}

	_, err = to.Write(b) // nothing is left where it was lent

	return err
}
