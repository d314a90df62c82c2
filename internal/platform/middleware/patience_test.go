package middleware_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// slow is a connection that records its deadlines.
type slow struct {
	net.Conn

	reads, writes chan time.Time
}

func (s slow) SetReadDeadline(t time.Time) error {
	s.reads <- t

	return s.Conn.SetReadDeadline(t)
}

func (s slow) SetWriteDeadline(t time.Time) error {
	s.writes <- t

	return s.Conn.SetWriteDeadline(t)
}

type slowListener struct {
	net.Listener

	reads, writes chan time.Time
}

func (l slowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()

	return slow{c, l.reads, l.writes}, err
}

// A body that does not arrive is awaited for Patience at most, whether or not the handler reads it.
func TestABodyIsNotAwaitedForEver(t *testing.T) {
	t.Parallel()

	for name, handler := range map[string]http.HandlerFunc{
		"read":   func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) },
		"unread": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			reads, conn := serveSlowly(t, handler)

			_, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
			require.NoError(t, err)

			for at := range reads { // the server sets its own deadlines first
				if left := time.Until(at); left > middleware.Patience/2 && left <= middleware.Patience {
					break
				}
			}
		})
	}
}

// A long body gets a new deadline for each piece. If the handler sets a deadline, only that one applies.
func TestLongBodyHasDeadlinePerPiece(t *testing.T) {
	t.Parallel()

	const pieces = 5

	for name, row := range map[string]struct {
		own  time.Duration
		want int
	}{
		"the server's": {want: pieces},
		"its own":      {own: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			done := make(chan int)
			reads, conn := serveSlowly(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if row.own != 0 {
					_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(row.own))
				}

				n, _ := io.Copy(io.Discard, r.Body)
				done <- int(n)
			}))

			_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", pieces<<20)
			require.NoError(t, err)
			_, err = conn.Write(make([]byte, pieces<<20))
			require.NoError(t, err)
			require.Equal(t, pieces<<20, <-done)

			var bounded int

			for len(reads) > 0 {
				if left := time.Until(<-reads); left > 0 && left <= middleware.Patience {
					bounded++
				}
			}

			if row.want == 0 {
				require.Zero(t, bounded)
			} else {
				require.GreaterOrEqual(t, bounded, row.want)
			}
		})
	}
}

// A client that sends its whole body before it reads the response gets the response, although the body is unread.
func TestResponseAfterUnreadBody(t *testing.T) {
	t.Parallel()

	_, conn := serveSlowly(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	}))

	const size = 5 << 20

	for range 2 { // the connection is reused
		_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
		require.NoError(t, err)
		_, err = conn.Write(make([]byte, size))
		require.NoError(t, err)

		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
	}
}

// If a client announces a body and does not send it, the response is sent soon and the connection is closed. A client
// that waits for 100 Continue may go on with another request.
func TestARefusalDoesNotAwaitTheBody(t *testing.T) {
	t.Parallel()

	for name, head := range map[string]string{
		"of some length":    "Content-Length: 1000\r\n",
		"of great length":   "Content-Length: 100000000\r\n",
		"in chunks":         "Transfer-Encoding: chunked\r\n",
		"that is announced": "Content-Length: 1000\r\nExpect: 100-continue\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			_, conn := serveSlowly(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
			}))
			require.NoError(t, conn.SetDeadline(time.Now().Add(middleware.Patience/2)))

			_, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+head+"\r\n")
			require.NoError(t, err)

			from := bufio.NewReader(conn)
			answer, err := http.ReadResponse(from, nil)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, http.StatusUnauthorized, answer.StatusCode)

			if !strings.Contains(head, "Expect") {
				_, err = from.ReadByte()
				require.ErrorIs(t, err, io.EOF)
			}
		})
	}
}

func serveSlowly(t *testing.T, handler http.Handler) (reads chan time.Time, conn net.Conn) {
	t.Helper()

	reads = make(chan time.Time, 100)
	s := httptest.NewUnstartedServer(middleware.Guard(slog.New(slog.DiscardHandler), refuse)(handler))
	s.Listener = slowListener{s.Listener, reads, make(chan time.Time, 100)}
	s.Start()

	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, conn.Close())
		s.Close()
	})

	return reads, conn
}

// A long response gets a new deadline for each piece.
func TestALongAnswerIsGivenTimeForEachPiece(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "film")
	film := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	require.NoError(t, os.WriteFile(path, film, 0o600))

	writes := make(chan time.Time, 100)
	s := httptest.NewUnstartedServer(middleware.Guard(slog.New(slog.DiscardHandler), refuse)(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })))
	s.Listener = slowListener{s.Listener, make(chan time.Time, 100), writes}
	s.Start()
	t.Cleanup(s.Close)

	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })

	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=1-\r\n\r\n")
	require.NoError(t, err)

	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)

	got, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.True(t, bytes.Equal(film[1:], got))
	require.GreaterOrEqual(t, len(writes), 4)
}
