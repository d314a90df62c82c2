package encode

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// bigPipe returns a pipe for lending pictures. If the system does not allow one of that size, it has the usual size.
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

// pictureStream returns the stream for decoded pictures, a socket. It takes half of the kernel time of a pipe, which
// allocates and frees pages of 4 KiB one by one. Its buffer is as large as the system allows, up to pipeBytes. Without
// sockets it is a pipe.
func pictureStream() (r, w *os.File, err error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return bigPipe()
	}

	_ = unix.SetsockoptInt(ends[1], unix.SOL_SOCKET, unix.SO_SNDBUF, pipeBytes)

	if err := unix.SetNonblock(ends[0], true); err != nil { // for deadlines; the programs write to a blocking end
		return nil, nil, errors.Join(os.NewSyscallError("fcntl", err), unix.Close(ends[0]), unix.Close(ends[1]))
	}

	return os.NewFile(uintptr(ends[0]), "pictures"), os.NewFile(uintptr(ends[1]), "pictures"), nil
}

// lend puts memory into a pipe without copying: the reader takes it from there. The memory must stay unchanged and
// reachable until all places of the pipe were filled again after it, or the reader has ended. If the system does not
// support that, lend writes a copy.
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
				return false // until there is space
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

	_, err = to.Write(b) // empty if everything was lent

	return err
}
