package media

import (
	"errors"
	"io"
	"os"
	"unsafe"

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

	b, fault, err := move(raw.Write, b, func(fd uintptr, b []byte) (uintptr, unix.Errno) {
		v := unix.Iovec{Base: &b[0]}
		v.SetLen(len(b))

		//nolint:gosec // as unix.Vmsplice does
		n, _, errno := unix.RawSyscall6(unix.SYS_VMSPLICE, fd, uintptr(unsafe.Pointer(&v)), 1, unix.SPLICE_F_NONBLOCK, 0, 0)

		return n, errno
	})
	if errors.Is(fault, unix.EPIPE) || err != nil {
		return errors.Join(err, fault)
	}

	_, err = to.Write(b) // nothing is left where it was lent

	return err
}

// take reads a pipe until b is full. It fails with os.ErrDeadlineExceeded at the deadline of the pipe, and with
// io.ErrUnexpectedEOF at its end.
func take(from *os.File, b []byte) error {
	raw, err := from.SyscallConn()
	if err != nil {
		return err
	}

	left, fault, err := move(raw.Read, b, func(fd uintptr, b []byte) (uintptr, unix.Errno) {
		n, _, errno := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))) //nolint:gosec // as unix.Read does

		return n, errno
	})
	if err == nil && fault == nil && len(left) > 0 {
		fault = io.ErrUnexpectedEOF
	}

	return errors.Join(err, fault)
}

// move moves bytes between memory and a pipe, and waits whenever that is full or empty; it returns what is left at the
// pipe's end, or where call failed. Call does not wait, so that the runtime is not told of it: it would wake up a thread
// of its own, for a millisecond, for each part of each picture.
func move(wait func(func(fd uintptr) bool) error, b []byte, call func(fd uintptr, b []byte) (uintptr, unix.Errno)) ([]byte, error, error) {
	var fault error

	err := wait(func(fd uintptr) bool {
		for len(b) > 0 {
			n, errno := call(fd, b)

			switch {
			case errno == unix.EAGAIN:
				return false
			case errno == unix.EINTR:
				continue
			case errno != 0:
				fault = errno
			}

			if errno != 0 || n == 0 {
				return true
			}

			b = b[n:]
		}

		return true
	})

	return b, fault, err
}
