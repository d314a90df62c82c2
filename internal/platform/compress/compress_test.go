package compress_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/compress"
)

func TestNegotiate(t *testing.T) {
	t.Parallel()

	for header, want := range map[string]compress.Coding{
		"": "", "gzip": "gzip", "br": "br", "gzip, br": "gzip", "br, gzip": "gzip", "GZIP": "gzip", "x-gzip": "gzip",
		"gzip;q=0": "", "gzip;q=0.5, br;q=0.8": "br", "gzip; q=1.0": "gzip", "gzip;q=0.2,br": "br", "*": "gzip", "*;q=0": "",
		"gzip;q=0, *": "br", "br;q=0,*;q=0.1": "gzip", "identity": "", "identity, gzip;q=0.5": "", "identity;q=0.1, br;q=0.5": "br",
		"deflate, zstd": "", "gzip;q=x": "", "gzip;level=9": "", "gzip;q=2": "", ", ,gzip": "gzip", "brx": "", "gzipped": "",
	} {
		h := http.Header{}
		if header != "" {
			h.Set("Accept-Encoding", header)
		}

		require.Equal(t, want, compress.Negotiate(h, compress.Gzip, compress.Brotli), header)
	}
}

// unpack returns the body of a response, decompressed.
func unpack(t *testing.T, coding string, body []byte) string {
	t.Helper()

	var r io.Reader = bytes.NewReader(body)

	switch coding {
	case "gzip":
		z, err := gzip.NewReader(r)
		require.NoError(t, err)

		r = z
	case "br":
		r = brotli.NewReader(r)
	default:
		require.Empty(t, coding)
	}

	plain, err := io.ReadAll(r)
	require.NoError(t, err)

	return string(plain)
}

func TestHandler(t *testing.T) {
	t.Parallel()

	long := strings.Repeat(`{"name":"a video"},`, 200)

	for _, c := range []struct {
		name     string
		asked    map[string]string
		answer   map[string]string
		status   int
		body     string
		stays    bool // uncompressed
		unvaried bool
	}{
		{name: "JSON", answer: map[string]string{"Content-Type": "application/json"}, body: long},
		{name: "JSON of the graph", answer: map[string]string{"Content-Type": "application/graphql-response+json; charset=utf-8"}, body: long},
		{name: "HTML that fails", answer: map[string]string{"Content-Type": "text/html"}, status: 404, body: long},
		{name: "a playlist", answer: map[string]string{"Content-Type": "application/vnd.apple.mpegurl"}, body: long},
		{name: "no type", body: "<!doctype html>" + long},
		{name: "with a length", answer: map[string]string{"Content-Type": "text/vtt", "Content-Length": strconv.Itoa(len(long))}, body: long},
		{name: "with an entity tag", answer: map[string]string{"Content-Type": "application/json", "ETag": `"7-abc"`}, body: long},
		{name: "our own page", asked: map[string]string{"Cookie": "session=x", "Sec-Fetch-Site": "same-origin"}, answer: map[string]string{"Content-Type": "text/html"}, body: long},
		{name: "another site without cookies", asked: map[string]string{"Sec-Fetch-Site": "cross-site"}, answer: map[string]string{"Content-Type": "text/html"}, body: long},

		{name: "short", answer: map[string]string{"Content-Type": "application/json"}, body: "{}", stays: true},
		{name: "a byte too short", answer: map[string]string{"Content-Type": "application/json"}, body: long[:1023], stays: true},
		{name: "short, with a length", answer: map[string]string{"Content-Type": "application/json", "Content-Length": "2"}, body: "{}", stays: true, unvaried: true},
		{name: "a film", answer: map[string]string{"Content-Type": "video/mp4"}, body: long, stays: true, unvaried: true},
		{name: "events", answer: map[string]string{"Content-Type": "text/event-stream"}, body: long, stays: true, unvaried: true},
		{name: "parts", answer: map[string]string{"Content-Type": "multipart/mixed; boundary=x"}, body: long, stays: true, unvaried: true},
		{name: "compressed already", answer: map[string]string{"Content-Type": "text/css", "Content-Encoding": "zstd"}, body: long, stays: true, unvaried: true},
		{name: "a range", answer: map[string]string{"Content-Type": "text/vtt", "Content-Range": "bytes 0-9/20"}, status: 206, body: long, stays: true, unvaried: true},
		{name: "what has ranges", answer: map[string]string{"Content-Type": "text/vtt", "Accept-Ranges": "bytes"}, body: long, stays: true, unvaried: true},
		{name: "not to be changed", answer: map[string]string{"Content-Type": "text/css", "Cache-Control": "public, no-transform"}, body: long, stays: true, unvaried: true},
		{name: "not changed", answer: map[string]string{"ETag": `"7-abc"`}, status: 304, stays: true},
		{name: "no content", status: 204, stays: true, unvaried: true},
		{name: "another site", asked: map[string]string{"Cookie": "session=x", "Sec-Fetch-Site": "cross-site"}, answer: map[string]string{"Content-Type": "text/html"}, body: long, stays: true},
		{name: "a neighbour", asked: map[string]string{"Cookie": "session=x", "Sec-Fetch-Site": "same-site"}, answer: map[string]string{"Content-Type": "text/html"}, body: long, stays: true},
	} {
		for _, accepted := range []string{"gzip", "br", "gzip;q=0.5, br", ""} {
			for _, pieces := range []int{1, 7, 5000} {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.Header.Set("Accept-Encoding", accepted)

				for name, value := range c.asked {
					r.Header.Set(name, value)
				}

				w := httptest.NewRecorder()

				compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					for name, value := range c.answer {
						w.Header().Set(name, value)
					}

					if c.status != 0 {
						w.WriteHeader(c.status)
					}

					for rest := c.body; rest != ""; {
						n := min(len(rest), len(c.body)/pieces+1)
						_, err := io.WriteString(w, rest[:n])
						assert.NoError(t, err)

						rest = rest[n:]
					}
				})).ServeHTTP(w, r)

				want := map[string]string{"gzip": "gzip", "br": "br", "gzip;q=0.5, br": "br"}[accepted]
				if c.stays {
					want = c.answer["Content-Encoding"]
				}

				answer := w.Result()
				require.Equal(t, max(200, c.status), answer.StatusCode, c.name)
				require.Equal(t, want, answer.Header.Get("Content-Encoding"), "%s %q", c.name, accepted)
				require.Equal(t, c.answer["ETag"], answer.Header.Get("ETag"), c.name)
				require.Equal(t, !c.unvaried, answer.Header.Get("Vary") == "Accept-Encoding", c.name)

				if length := answer.Header.Get("Content-Length"); length != "" {
					require.Equal(t, strconv.Itoa(w.Body.Len()), length, c.name)
				}

				if c.stays {
					require.Equal(t, c.body, w.Body.String(), c.name)
				} else {
					require.Equal(t, c.body, unpack(t, want, w.Body.Bytes()), c.name)
				}

				if want != "" && !c.stays {
					require.Less(t, w.Body.Len(), len(c.body)/4, c.name)
				}
			}
		}
	}
}

// A stream reaches the client as it is written: uncompressed if it is flushed early, otherwise compressed.
func TestHandlerStreams(t *testing.T) {
	t.Parallel()

	for _, first := range []int{10, 2000} {
		next := make(chan struct{})
		server := httptest.NewServer(compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, strings.Repeat("a", first))
			assertFlush(w)
			<-next

			_, _ = io.WriteString(w, "the end")
		})))
		t.Cleanup(server.Close)

		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		require.NoError(t, err)

		answer, err := http.DefaultClient.Do(request) // it accepts gzip and decompresses it
		require.NoError(t, err)
		require.Equal(t, first > 1000, answer.Uncompressed)

		begun := make([]byte, first)
		_, err = io.ReadFull(answer.Body, begun)
		require.NoError(t, err, "before the rest is written")
		close(next)

		rest, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, "the end", string(rest))
		require.NoError(t, answer.Body.Close())
	}
}

func assertFlush(w http.ResponseWriter) {
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(err)
	}
}

// A response that a panic cuts off never looks complete. If nothing was sent yet, the caller can still send another
// response.
func TestHandlerOfPanics(t *testing.T) {
	t.Parallel()

	for _, length := range []string{"5000", ""} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")

		w := httptest.NewRecorder()

		require.Panics(t, func() {
			compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/plain")

				if length != "" {
					w.Header().Set("Content-Length", length)
				}

				_, _ = io.WriteString(w, strings.Repeat("a", 2000))

				panic("kaboom")
			})).ServeHTTP(w, r)
		})

		if length != "" { // nothing has been sent
			require.Empty(t, w.Body.String())
			require.Empty(t, w.Header().Get("Content-Encoding"))

			continue
		}

		z, err := gzip.NewReader(w.Body)
		if err == nil {
			_, err = io.ReadAll(z)
		}

		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
}
