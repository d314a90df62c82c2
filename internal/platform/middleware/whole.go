package middleware

import (
	"context"
	"io"
	"net"
	"strconv"
	"sync"
)

// Bodies of these lengths go with their header in one piece, when they are written at once. A shorter one mostly fits into
// the server's own buffer with it, and to copy a longer one costs more than to send a second piece.
const (
	wholeFrom = 2 << 10
	wholeTo   = 64 << 10
)

// Listener is a socket whose connections let answers be sent whole. The server must have ConnContext too.
func Listener(socket net.Listener) net.Listener { return listener{socket} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if sender, is := c.(sender); is {
		c = &conn{sender: sender}
	}

	return c, err //nolint:wrapcheck // the server knows its listener's errors
}

// sender is a connection with all that the server looks for in one, and must find in conn: it sends files without reading
// them, and can end its own side first, so that a client still reads why its body was refused.
type sender interface {
	net.Conn
	io.ReaderFrom
	CloseWrite() error
}

// conn is a connection that one goroutine at a time writes to.
type conn struct {
	sender

	held *[]byte // what is sent with the next piece; nil sends at once
}

type connKey struct{}

// ConnContext lets an answer find the connection that it is written to.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	if c.held != nil {
		*c.held = append(*c.held, b...)

		return len(b), nil
	}

	return c.sender.Write(b) //nolint:wrapcheck // the server knows its connection's errors
}

var buffers = sync.Pool{New: func() any { return new([]byte) }} //nolint:gochecknoglobals // whoever answers may have one

func (c *conn) hold() { c.held, _ = buffers.Get().(*[]byte) }

// release sends what was held. The server takes it for sent: if it was not, the connection is closed, so that no other answer
// follows.
func (c *conn) release() error {
	held := c.held
	c.held = nil

	_, err := c.sender.Write(*held)
	if err != nil {
		_ = c.Close()
	}

	*held = (*held)[:0]
	buffers.Put(held)

	return err //nolint:wrapcheck // as in Write
}

// write writes a piece of the body. If it is all of it, the server would send the header with its beginning, and then the
// rest: a system call more, and a client that is woken twice.
func (w *Writer) write(b []byte) (n int, err error) {
	if w.conn == nil || len(b) < wholeFrom || len(b) > wholeTo || w.Header().Get("Content-Length") != strconv.Itoa(len(b)) {
		return w.ResponseWriter.Write(b) //nolint:wrapcheck // the server's own
	}

	w.conn.hold()

	n, err = w.ResponseWriter.Write(b)
	if err == nil {
		err = w.control.Flush()
	}

	if failed := w.conn.release(); err == nil {
		err = failed
	}

	return n, err //nolint:wrapcheck // as above
}
