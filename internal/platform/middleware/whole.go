package middleware

import (
	"context"
	"io"
	"net"
	"strconv"
	"sync"
)

// Bodies of these sizes are sent together with their header if they are written at once. A shorter one mostly
// fits into the server's own buffer, and copying a longer one costs more than a second write.
const (
	wholeFrom = 2 << 10
	wholeTo   = 64 << 10
)

// Listener returns a listener whose connections can send the header and body of a response together. The server must
// also use ConnContext.
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

// sender lists everything that net/http looks for in a connection, and must find in conn: sending files
// without reading them, and closing one side first, so that a client can still read why its body was refused.
type sender interface {
	net.Conn
	io.ReaderFrom
	CloseWrite() error
}

// conn is a connection that only one goroutine at a time writes to.
type conn struct {
	sender

	held *[]byte // sent together with the next piece; nil means that pieces are sent at once
}

type connKey struct{}

// ConnContext stores the connection in the context, for the responses that are written to it.
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

var buffers = sync.Pool{New: func() any { return new([]byte) }} //nolint:gochecknoglobals // any response may use one

func (c *conn) hold() { c.held, _ = buffers.Get().(*[]byte) }

// release sends what was held back. The server considers it sent; if sending fails, the connection is closed,
// so that no other response follows.
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

// write writes a piece of the body. If the piece is the whole body, write sends it together with the header. net/http
// would send the header with the start of the body first, and then the rest, which costs one more system call and wakes
// the client twice.
func (w *Writer) write(b []byte) (n int, err error) {
	if w.conn == nil || len(b) < wholeFrom || len(b) > wholeTo || w.Header().Get("Content-Length") != strconv.Itoa(len(b)) {
		return w.ResponseWriter.Write(b) //nolint:wrapcheck // passes on the server's error
	}

	w.conn.hold()

	n, err = w.ResponseWriter.Write(b)
	if err == nil {
		err = w.control.Flush()
	}

	if failed := w.conn.release(); err == nil {
		err = failed
	}

	return n, err //nolint:wrapcheck // passes on the server's error
}
