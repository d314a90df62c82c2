package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A line is a proxy between the product and its database. It can be slow, silent or cut.
type line struct {
	DSN string // of the database through the line

	target   string // the socket of Postgres
	listener net.Listener
	ended    sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	cut   bool          // new connections are refused
	mute  bool          // nothing is passed on
	delay time.Duration // of each chunk, in both directions
}

// newLine starts a proxy to a Postgres that listens on a Unix socket.
func newLine(ctx context.Context, dsn string) (*line, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the DSN: %w", err)
	}

	q := u.Query()
	folder := q.Get("host")

	if !strings.HasPrefix(folder, "/") {
		return nil, errors.New("the DSN names no Unix socket")
	}

	l := &line{target: folder + "/.s.PGSQL." + portOf(q), conns: map[net.Conn]bool{}}
	if l.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}

	q.Del("host")
	q.Del("port")
	q.Set("sslmode", "disable")

	u.Host, u.RawQuery = l.listener.Addr().String(), q.Encode()
	l.DSN = u.String()

	l.ended.Go(func() { l.accept(ctx) })

	return l, nil
}

func portOf(q url.Values) string {
	if port := q.Get("port"); port != "" {
		return port
	}

	return "5432"
}

func (l *line) close() error {
	err := l.listener.Close()

	l.hangUp()
	l.ended.Wait()

	return err
}

func (l *line) accept(ctx context.Context) {
	for {
		from, err := l.listener.Accept()
		if err != nil {
			return
		}

		l.ended.Go(func() { l.carry(ctx, from) })
	}
}

// carry copies bytes between the product and Postgres in both directions.
func (l *line) carry(ctx context.Context, from net.Conn) {
	defer from.Close() //nolint:errcheck // the connection has ended

	if l.state().cut {
		return
	}

	to, err := (&net.Dialer{}).DialContext(ctx, "unix", l.target)
	if err != nil {
		return
	}
	defer to.Close() //nolint:errcheck // as above

	l.enter(from, to)

	defer l.leave(from, to)

	var both sync.WaitGroup

	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			l.pass(way[0], way[1])

			_ = from.Close()
			_ = to.Close()
		})
	}

	both.Wait()
}

func (l *line) pass(from io.Reader, to io.Writer) {
	buf := make([]byte, 32<<10)

	for {
		n, err := from.Read(buf)

		for l.state().mute {
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // simulates a silent network
		}

		if wait := l.state().delay; wait > 0 {
			time.Sleep(wait) //nolint:forbidigo // simulates a slow network
		}

		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}

		if err != nil {
			return
		}
	}
}

// condition is the state of the line.
type condition struct {
	cut, mute bool
	delay     time.Duration
}

func (l *line) state() condition {
	l.mu.Lock()
	defer l.mu.Unlock()

	return condition{l.cut, l.mute, l.delay}
}

// become sets the state of the line. Cutting it closes its connections.
func (l *line) become(c condition) {
	l.mu.Lock()
	l.cut, l.mute, l.delay = c.cut, c.mute, c.delay
	l.mu.Unlock()

	if c.cut {
		l.hangUp()
	}
}

func (l *line) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.mute = false

	for conn := range l.conns {
		_ = conn.Close()
	}
}

func (l *line) enter(conns ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()

	for _, c := range conns {
		l.conns[c] = true
	}
}

func (l *line) leave(conns ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()

	for _, c := range conns {
		delete(l.conns, c)
	}
}
