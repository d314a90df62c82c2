package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a target may send nothing.
const patience = 10 * time.Second

// Run sends the load to the server t. It returns an error if the server sends a response with a status other than 200,
// or with a body that contains t.Wrong. Otherwise it returns the number of responses.
//
// One thread serves all connections and makes as few system calls as possible. The load generator shares the
// processors with the measured server, so the processor time that it uses slows down the server.
func (l Load) Run(ctx context.Context, t Target) (a Answers, err error) {
	runtime.LockOSThread()

	defer runtime.UnlockOSThread()

	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return Answers{}, os.NewSyscallError("epoll_create1", err)
	}

	clients := make(map[int32]*client, l.Connections)
	defer func() {
		for fd := range clients {
			err = errors.Join(err, unix.Close(int(fd)))
		}

		err = errors.Join(err, unix.Close(poll))
	}()

	began := time.Now()

	if err := l.open(t, poll, clients); err != nil {
		return Answers{}, err
	}

	if err := serve(ctx, poll, clients, began.Add(l.Duration)); err != nil {
		return Answers{}, err
	}

	a.Took = time.Since(began)
	for _, c := range clients {
		a.Count += c.answers
	}

	return a, nil
}

// open lets every connection send its first request.
func (l Load) open(t Target, poll int, clients map[int32]*client) error {
	for i := range l.Connections {
		fd, err := dial(t.Addr)
		if err != nil {
			return err
		}

		c := &client{fd: fd, target: t, next: i * len(t.Requests) / l.Connections}
		clients[int32(fd)] = c

		if err := unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}); err != nil {
			return os.NewSyscallError("epoll_ctl", err)
		}

		if err := c.ask(); err != nil {
			return err
		}
	}

	return nil
}

// serve sends the next request on every answered connection until the deadline, and then waits for the last answers.
func serve(ctx context.Context, poll int, clients map[int32]*client, deadline time.Time) error {
	waiting := len(clients)
	events := make([]unix.EpollEvent, len(clients))
	buffer := make([]byte, 256<<10)

	for waiting > 0 {
		n, err := unix.EpollWait(poll, events, int(patience.Milliseconds()))

		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return os.NewSyscallError("epoll_wait", err)
		case n == 0:
			return fmt.Errorf("no answer within %s", patience)
		}

		over := !time.Now().Before(deadline)

		for _, e := range events[:n] {
			c := clients[e.Fd]

			answered, err := c.read(buffer)
			if err != nil {
				return err
			}

			switch {
			case !answered:
			case over:
				waiting--
			default:
				err = c.ask()
			}

			if err != nil {
				return err
			}
		}
	}

	return nil
}

// client is one connection.
type client struct {
	fd      int
	target  Target
	sent    []byte // start of an incomplete answer
	next    int
	answers int
}

// dial connects to a host:port and makes the socket non-blocking.
func dial(addr string) (int, error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil || !to.Addr().Is4() {
		return 0, fmt.Errorf("%q is not an IPv4 address with a port", addr)
	}

	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}

	err = errors.Join(unix.Connect(fd, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}),
		unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), unix.SetNonblock(fd, true))
	if err != nil {
		return 0, errors.Join(fmt.Errorf("connect to %s: %w", addr, err), unix.Close(fd))
	}

	return fd, nil
}

func (c *client) ask() error {
	request := c.target.Requests[c.next%len(c.target.Requests)]
	c.next++

	n, err := unix.Write(c.fd, request)
	if err == nil && n < len(request) {
		err = io.ErrShortWrite
	}

	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}

	return nil
}

// read receives data and reports whether it completed an answer.
func (c *client) read(buffer []byte) (answered bool, err error) {
	n, err := unix.Read(c.fd, buffer)

	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read an answer: %w", err)
	case n == 0:
		return false, fmt.Errorf("the target closed the connection after %.500q", c.sent)
	}

	sent := buffer[:n]
	if len(c.sent) > 0 {
		c.sent = append(c.sent, sent...)
		sent = c.sent
	}

	status, body, size, err := answer(sent)

	switch {
	case err != nil:
		return false, fmt.Errorf("read an answer: %w", err)
	case size == 0:
		if len(c.sent) == 0 {
			c.sent = append(c.sent, sent...)
		}

		return false, nil
	case status != 200 || c.target.Wrong != "" && bytes.Contains(body, []byte(c.target.Wrong)):
		return false, fmt.Errorf("bad answer: status %d: %.500s", status, body)
	case size < len(sent):
		return false, fmt.Errorf("unexpected data after the answer: %.500q", sent[size:])
	}

	c.sent = c.sent[:0]
	c.answers++

	return true, nil
}
