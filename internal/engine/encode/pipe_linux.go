package encode

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// bigPipe is a pipe to lend pictures by. A system that does not allow one so large gives its usual one.
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

// pictureStream is what decoded pictures come through. A socket takes half of the kernel's time that a pipe does, which
// keeps what is written in pages of 4 KiB that are taken and given back one by one. Where the system allows no buffer so
// large it is as large as may be, and where it allows no socket it is a pipe.
func pictureStream() (r, w *os.File, err error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return bigPipe()
	}

	_ = unix.SetsockoptInt(ends[1], unix.SOL_SOCKET, unix.SO_SNDBUF, pipeBytes)

	if err := unix.SetNonblock(ends[0], true); err != nil { // for deadlines; programs write without
		return nil, nil, errors.Join(os.NewSyscallError("fcntl", err), unix.Close(ends[0]), unix.Close(ends[1]))
	}

	return os.NewFile(uintptr(ends[0]), "pictures"), os.NewFile(uintptr(ends[1]), "pictures"), nil
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
