package middleware_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	f, _ := fault.As(err)
	http.Error(w, f.Message, http.StatusInternalServerError)
}

func TestIdentify(t *testing.T) {
	t.Parallel()

	var inside string

	h := middleware.Identify(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside = middleware.RequestID(r.Context())
	}))

	for given, kept := range map[string]bool{
		"abc.DEF_1-2": true, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "": false, "a b": false, "a\u00e4": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set(middleware.RequestIDHeader, given)

		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)

		id := w.Header().Get(middleware.RequestIDHeader)
		require.Equal(t, kept, id == given, given)
		require.Regexp(t, `^[A-Za-z0-9._-]{1,128}$`, id)
		require.Equal(t, id, inside)
	}
}

func TestGuardAnswersAPanic(t *testing.T) {
	t.Parallel()

	var log bytes.Buffer

	guard := middleware.Guard(slog.New(slog.NewTextHandler(&log, nil)), refuse)
	h := middleware.Identify(guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		middleware.BeforeHeader(w, func(h http.Header) { h.Set("X-Late", "yes") })
		w.Header().Set("X-Early", "yes")

		panic("the secret cause")
	})))

	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Equal(t, "yes", w.Header().Get("X-Late"))
	require.Equal(t, "yes", w.Header().Get("X-Early"))
	require.NotContains(t, w.Body.String(), "secret")
	require.Contains(t, log.String(), "the secret cause")
	require.Contains(t, log.String(), w.Header().Get(middleware.RequestIDHeader))
}

func TestGuardClosesConnectionOfBegunResponse(t *testing.T) {
	t.Parallel()

	guard := middleware.Guard(slog.New(slog.DiscardHandler), refuse)
	s := httptest.NewServer(guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()

		panic("midway")
	})))
	t.Cleanup(s.Close)

	resp, err := http.Get(s.URL)
	require.NoError(t, err)

	defer resp.Body.Close()

	_, err = io.ReadAll(resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestBeforeHeaderRunsForEveryResponse(t *testing.T) {
	t.Parallel()

	for name, answer := range map[string]http.HandlerFunc{
		"nothing written": func(http.ResponseWriter, *http.Request) {},
		"status":          func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"body":            func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") },
		"copy":            func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, strings.NewReader("x")) },
		"flush":           func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() },
		"after a hint": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusOK)
		},
	} {
		times := 0
		late := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			middleware.BeforeHeader(w, func(h http.Header) {
				times++

				h.Set("X-Late", "yes")
			})
			answer(w, r)
		})
		s := httptest.NewServer(middleware.Guard(slog.New(slog.DiscardHandler), refuse)(late))

		resp, err := http.Get(s.URL)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		s.Close()

		require.Equal(t, "yes", resp.Header.Get("X-Late"), name)
		require.Equal(t, 1, times, name)
	}
}

func TestWriterHijacks(t *testing.T) {
	t.Parallel()

	s := httptest.NewServer(middleware.Guard(slog.New(slog.DiscardHandler), refuse)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()

		_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\n\r\n")
		_ = rw.Flush()
	})))
	t.Cleanup(s.Close)

	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	require.NoError(t, err)

	defer conn.Close()

	_, err = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)

	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 101 Switching Protocols\r\n", line)
}

func TestPeers(t *testing.T) {
	t.Parallel()

	peers := middleware.Peers{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}

	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:5", "198.51.100.9", "192.0.2.1"},
		{"10.0.0.1:5", "198.51.100.9", "198.51.100.9"},
		{"10.0.0.1:5", "203.0.113.7, 198.51.100.9, 10.2.3.4", "198.51.100.9"},
		{"10.0.0.1:5", "198.51.100.9, nonsense, 10.2.3.4", "10.2.3.4"},
		{"10.0.0.1:5", "198.51.100.9:4711", "198.51.100.9"},
		{"10.0.0.1:5", "[2001:db8::1]:4711", "2001:db8::1"},
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"[fd00::1]:5", "2001:db8::1", "2001:db8::1"},
		{"[::ffff:10.0.0.1]:5", "198.51.100.9", "198.51.100.9"},
		{"[fe80::1%eth0]:5", "198.51.100.9", "fe80::1"},
		{"@", "198.51.100.9", "invalid IP"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		r.Header.Set("X-Forwarded-For", c.forwarded)
		require.Equal(t, c.want, peers.Of(r).String(), c)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()

	request := func(body string, change func(*http.Request)) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/v1/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")

		if change != nil {
			change(r)
		}

		return r
	}
	kind := func(values ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Content-Type"] = values }
	}
	chunked := func(r *http.Request) { r.ContentLength = -1 }
	full := strings.Repeat("x", middleware.MaxBody)

	for name, c := range map[string]struct {
		r      *http.Request
		bounds middleware.Bounds
		status int
	}{
		"plain":                 {request("{}", nil), middleware.Bounds{}, 0},
		"charset":               {request("{}", kind("Application/JSON; Charset=UTF-8")), middleware.Bounds{}, 0},
		"other charset":         {request("{}", kind("application/json; charset=latin1")), middleware.Bounds{}, 415},
		"no type":               {request("{}", kind()), middleware.Bounds{}, 415},
		"two types":             {request("{}", kind("application/json", "application/json")), middleware.Bounds{}, 415},
		"form":                  {request("{}", kind("application/x-www-form-urlencoded")), middleware.Bounds{}, 415},
		"broken type":           {request("{}", kind("application/json;;=")), middleware.Bounds{}, 415},
		"other accepted type":   {request("x", kind("text/vtt")), middleware.Bounds{Types: []string{"text/vtt"}}, 0},
		"compressed":            {request("{}", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }), middleware.Bounds{}, 415},
		"empty with any type":   {request("", kind("text/plain")), middleware.Bounds{}, 0},
		"empty without type":    {request("", kind()), middleware.Bounds{}, 0},
		"unread without type":   {request("x", kind()), middleware.Bounds{Unread: true}, 0},
		"full body":             {request(full, nil), middleware.Bounds{}, 0},
		"over it":               {request(full+"x", nil), middleware.Bounds{}, 413},
		"over it, chunked":      {request(full+"x", chunked), middleware.Bounds{}, 413},
		"full, chunked":         {request(full, chunked), middleware.Bounds{}, 0},
		"413 before 415":        {request(full+"x", kind("text/plain")), middleware.Bounds{}, 413},
		"own limit":             {request(full+"x", nil), middleware.Bounds{Body: 5 << 20}, 0},
		"unread over the limit": {request(full+"x", nil), middleware.Bounds{Unread: true}, 413},
		"longest target":        {request("", func(r *http.Request) { r.RequestURI = strings.Repeat("x", 8192) }), middleware.Bounds{}, 0},
		"over-long target":      {request("", func(r *http.Request) { r.RequestURI = strings.Repeat("x", 8193) }), middleware.Bounds{}, 414},
		"large headers":         {request("", func(r *http.Request) { r.Header.Set("X", strings.Repeat("x", 64<<10)) }), middleware.Bounds{}, 431},
		"many headers": {request("", func(r *http.Request) {
			for i := range 6000 {
				r.Header.Add(fmt.Sprintf("X-%d", i), "123456")
			}
		}), middleware.Bounds{}, 431},
	} {
		body, err := c.bounds.Read(c.r)
		if c.status == 0 {
			require.NoError(t, err, name)

			continue
		}

		var refusal *middleware.RefusalError

		require.ErrorAs(t, err, &refusal, name)
		require.Equal(t, c.status, refusal.Status, name)
		require.Equal(t, fault.BadRequestCode, refusal.Fault.Code)
		require.Nil(t, body)
	}

	_, err := middleware.Bounds{}.Read(request("", func(r *http.Request) {
		r.ContentLength, r.Body = 5, io.NopCloser(&broken{})
	}))
	require.True(t, fault.Is(err, fault.BadRequestCode))
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("gone") }

// A body is returned whole, with or without Content-Length. If its start is enough to refuse it, only the start is
// returned and the rest is read and discarded.
func TestBodiesAreReadToTheirEnd(t *testing.T) {
	t.Parallel()

	const beginning = 72 << 10

	for _, n := range []int{1, 4096, beginning - 1, beginning, beginning + 1, beginning + 512, middleware.MaxBody} {
		for _, length := range []int64{-1, int64(n)} {
			for _, enough := range []bool{false, true} {
				var (
					text  = strings.Repeat("0123456789", n/10+1)[:n]
					sent  = strings.NewReader(text)
					asked = 0
					r     = httptest.NewRequest(http.MethodPost, "/graphql", sent)
				)

				r.Header.Set("Content-Type", "application/json")
				r.ContentLength = length

				bounds := middleware.Bounds{Enough: func(b []byte) bool {
					asked++

					require.Equal(t, text[:beginning], string(b))

					return enough
				}}

				body, err := bounds.Read(r)
				require.NoError(t, err)
				require.Zero(t, sent.Len())

				want, asks := text, 0
				if length > beginning {
					asks = 1
				}

				if asks > 0 && enough {
					want = text[:beginning]
				}

				require.Equal(t, asks, asked)
				require.Equal(t, want, string(body), "%d %d %v", n, length, enough)

				r = httptest.NewRequest(http.MethodPost, "/graphql", nil)
				r.Header.Set("Content-Type", "application/json")
				r.ContentLength, r.Body = length, io.NopCloser(io.MultiReader(strings.NewReader(text[:n-1]), &broken{}))

				body, err = bounds.Read(r)
				require.Nil(t, body)
				require.ErrorContains(t, err, "could not be read to its end", "%d %d %v", n, length, enough)
			}
		}
	}
}
