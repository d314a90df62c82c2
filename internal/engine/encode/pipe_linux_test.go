package encode

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Lent memory is not copied: a late reader gets its later content.
func TestPipesLend(t *testing.T) {
	t.Parallel()

	from, to, err := bigPipe()
	require.NoError(t, err)

	lent := bytes.Repeat([]byte{1}, pipeBytes/2)
	require.NoError(t, lend(to, lent))
	copy(lent, bytes.Repeat([]byte{2}, len(lent)))

	got := make([]byte, len(lent))

	for at := 0; at < len(got); {
		n, err := from.Read(got[at:])
		require.NoError(t, err)

		at += n
	}

	require.Equal(t, lent, got)
	require.NoError(t, from.Close())

	// A program that another test is starting may hold that end, too, until it has started. Then the pipe gets full and
	// lend waits.
	for err = nil; err == nil; {
		err = lend(to, lent)
	}

	require.ErrorIs(t, err, syscall.EPIPE)
	require.NoError(t, to.Close())
}

// A stream of pictures works like a pipe: a reader gets everything and then the end after the writer has closed it, a
// writer does not wait for a closed reader, and programs inherit only the ends they are given.
func TestPictureStream(t *testing.T) {
	t.Parallel()

	from, to, err := pictureStream()
	require.NoError(t, err)

	require.NoError(t, from.SetReadDeadline(time.Now()))
	_, err = from.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, from.SetReadDeadline(time.Time{}))

	require.NoError(t, (&exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "printf one"}, Stdout: to}).Run())
	require.NoError(t, (&exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "printf two"}, Stdout: to}).Run())
	require.NoError(t, to.Close())

	got, err := io.ReadAll(from)
	require.NoError(t, err)
	require.Equal(t, "onetwo", string(got))
	require.NoError(t, from.Close())

	from, to, err = pictureStream()
	require.NoError(t, err)

	written := make(chan error, 1)

	go func() {
		var fault error
		for fault == nil {
			_, fault = to.Write(make([]byte, pipeBytes))
		}

		written <- fault
	}()

	_, err = io.ReadFull(from, make([]byte, pipeBytes))
	require.NoError(t, err)
	require.NoError(t, from.Close())

	fault := <-written
	require.True(t, errors.Is(fault, syscall.EPIPE) || errors.Is(fault, syscall.ECONNRESET), fault)
	require.NoError(t, to.Close())

	from, to, err = pictureStream()
	require.NoError(t, err)

	for _, end := range []*os.File{from, to} {
		raw, err := end.SyscallConn()
		require.NoError(t, err)
		require.NoError(t, raw.Control(func(fd uintptr) {
			flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0)
			require.NoError(t, err)
			require.Equal(t, unix.FD_CLOEXEC, flags&unix.FD_CLOEXEC)
		}))
		require.NoError(t, end.Close())
	}
}
