package middleware_test

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// counted is a connection that records the lengths of the pieces written to it, and can fail.
type counted struct {
	*net.TCPConn

	fails bool

	mu     sync.Mutex
	pieces []int
	closed chan struct{}
}

func (c *counted) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.pieces = append(c.pieces, len(b))
	c.mu.Unlock()

	if c.fails {
		return 0, net.ErrClosed
	}

	return c.TCPConn.Write(b)
}

func (c *counted) Close() error {
	err := c.TCPConn.Close()

	c.mu.Lock()
	defer c.mu.Unlock()

	select {
	case <-c.closed:
	default:
		close(c.closed)
	}

	return err
}

func (c *counted) sent() []int {
	c.mu.Lock()
	defer c.mu.Unlock()

	sent := c.pieces
	c.pieces = nil

	return sent
}

type countedListener struct {
	net.Listener

	fails    bool
	accepted chan *counted
}

func (l countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}

	made := &counted{TCPConn: c.(*net.TCPConn), fails: l.fails, closed: make(chan struct{})}
	l.accepted <- made

	return made, nil
}

// serveCounted serves bodies of the length in the path, in as many writes as the query says, over one connection.
func serveCounted(t *testing.T, fails bool) (client net.Conn, server *counted) {
	t.Helper()

	accepted := make(chan *counted, 1)
	handler := middleware.Guard(slog.New(slog.DiscardHandler), func(http.ResponseWriter, *http.Request, error) {})(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			length, _ := strconv.Atoi(r.URL.Path[1:])
			times, _ := strconv.Atoi(r.URL.RawQuery)

			w.Header().Set("Content-Length", strconv.Itoa(length*times))

			for i := range times {
				_, _ = io.WriteString(w, strings.Repeat(strconv.Itoa(i%10), length))
			}
		}))

	s := httptest.NewUnstartedServer(handler)
	s.Config.ConnContext = middleware.ConnContext
	s.Listener = middleware.Listener(countedListener{s.Listener, fails, accepted})
	s.Start()
	t.Cleanup(s.Close)

	client, err := net.Dial("tcp", s.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })

	return client, <-accepted
}

func TestResponseIsSentInOnePiece(t *testing.T) {
	t.Parallel()

	client, server := serveCounted(t, false)
	reader := bufio.NewReader(client)

	for _, c := range []struct {
		method        string
		length, times int
		pieces        int
	}{
		{http.MethodGet, 10, 1, 1},
		{http.MethodGet, 2 << 10, 1, 1},
		{http.MethodGet, 12_000, 1, 1},
		{http.MethodHead, 12_000, 1, 1},
		{http.MethodGet, 64 << 10, 1, 1},
		{http.MethodGet, 64<<10 + 1, 1, 2}, // the header with the start of the body, then the rest
		{http.MethodGet, 12_000, 2, 3},     // in pieces, as they are written
		{http.MethodGet, 3000, 1, 1},
	} {
		_, err := io.WriteString(client, c.method+" /"+strconv.Itoa(c.length)+"?"+strconv.Itoa(c.times)+" HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)

		r, err := http.ReadResponse(reader, &http.Request{Method: c.method})
		require.NoError(t, err)

		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, int64(c.length*c.times), r.ContentLength)

		want := strings.Repeat("0", c.length) + strings.Repeat("1", c.length*(c.times-1))
		if c.method == http.MethodHead {
			want = ""
		}

		require.Equal(t, want, string(body))
		require.Len(t, server.sent(), c.pieces, "%+v", c)
	}
}

// The server considers held-back bytes sent. If sending them fails, nothing else may be sent on the connection.
func TestFailedWriteClosesConnection(t *testing.T) {
	t.Parallel()

	client, server := serveCounted(t, true)

	_, err := io.WriteString(client, "GET /12000?1 HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)

	select {
	case <-server.closed:
	case <-time.After(10 * time.Second):
		require.Fail(t, "the connection is still open")
	}

	sent := server.sent()
	require.Len(t, sent, 1)
	require.Greater(t, sent[0], 12_000, "header and body")
}

// A client whose body was refused unread can read the whole response before the connection closes.
func TestRefusalIsReadableBeforeClose(t *testing.T) {
	t.Parallel()

	client, _ := serveCounted(t, false)

	_, err := io.WriteString(client, "POST /10?1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n"+strings.Repeat("x", 1<<20))
	require.NoError(t, err)

	answer, err := io.ReadAll(client)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(answer), "0000000000"), string(answer))
}
