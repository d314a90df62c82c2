package compress

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// Least is the minimum size, in bytes, of a response that is compressed. A shorter response fits into the first packet
// anyway.
const Least = 1 << 10

const (
	// These are the levels for a single response: speed matters more than the last few percent.
	gzipLevel   = 1
	brotliLevel = 3

	// whole is the maximum size that is compressed in memory, so that its Content-Length is known before it
	// is sent.
	whole = 1 << 20
)

// Handler compresses the text responses of next. It does not compress responses that already have a coding, partial
// responses, content that next serves in ranges, event streams, switched protocols, content that is not text, and
// responses shorter than Least. The entity tag stays the same: it identifies the uncompressed content, and compressed
// content is never served in ranges.
//
// Handler does not compress a response to a request that another site made the browser send with our cookies.
// Otherwise an attacker who controls a part of the response and sees its length could guess the rest (BREACH).
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)

			return
		}

		own := &writer{ResponseWriter: w, status: http.StatusOK}
		if !guessable(r) {
			own.coding = Negotiate(r.Header, Gzip, Brotli)
		}

		done := false

		defer func() { own.end(done) }()

		next.ServeHTTP(own, r)

		done = true
	})
}

// guessable reports whether another site sent the request with our cookies.
func guessable(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")

	return r.Header.Get("Cookie") != "" && (site == "cross-site" || site == "same-site")
}

// writer holds back the start of a response until it is known whether to compress it.
type writer struct {
	http.ResponseWriter

	coding  Coding // the codings that the client accepts
	status  int
	said    bool // WriteHeader was called
	decided bool
	held    []byte // what was written before that was decided
	encoder encoder
	sink    *sink
}

type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

var encoders = map[Coding]*sync.Pool{ //nolint:gochecknoglobals // their tables are large, and any response may use them
	Gzip: {New: func() any {
		e, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is valid

		return e
	}},
	Brotli: {New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }},
}

// sink is where an encoder writes: to memory while the header is held back, then to the client.
type sink struct {
	to   http.ResponseWriter
	keep bool
	kept []byte
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	if s.keep {
		s.kept = append(s.kept, b...)

		return len(b), nil
	}

	return s.to.Write(b) //nolint:wrapcheck // passes on the error of the writer below
}

// WriteHeader implements http.ResponseWriter. The header is held back until the coding is decided.
func (w *writer) WriteHeader(status int) {
	switch {
	case status < http.StatusOK && status != http.StatusSwitchingProtocols:
		w.ResponseWriter.WriteHeader(status) // an informational status

		return
	case w.said:
		return
	}

	w.said, w.status = true, status

	if !w.suitable() {
		w.plain()
	}
}

// suitable reports from its header whether the response can be compressed. If so it sets Vary, whether or not
// the response is compressed in the end.
func (w *writer) suitable() bool {
	h := w.Header()

	if w.status == http.StatusNotModified { // RFC 9110, 15.4.5: a 304 has the headers that the content would have
		vary(h)
	}

	if w.status < http.StatusOK || w.status == http.StatusNoContent || w.status == http.StatusPartialContent ||
		w.status == http.StatusNotModified || h.Get("Content-Encoding") != "" || h.Get("Content-Range") != "" ||
		h.Get("Accept-Ranges") != "" || strings.Contains(h.Get("Cache-Control"), "no-transform") || !IsText(h.Get("Content-Type")) {
		return false
	}

	if length, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64); err == nil && length < Least {
		return false
	}

	vary(h)

	return w.coding != Identity
}

func vary(h http.Header) {
	if !slices.ContainsFunc(h.Values("Vary"), func(v string) bool { return strings.Contains(v, "Accept-Encoding") }) {
		h.Add("Vary", "Accept-Encoding")
	}
}

// IsText reports whether content of this type is text that has an end. It returns false for an event stream, because
// a stream has no end.
func IsText(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))

	switch kind {
	case "text/event-stream":
		return false
	case "application/json", "application/yaml", "application/javascript", "application/xml", "application/x-ndjson",
		"application/vnd.apple.mpegurl", "application/x-subrip", "image/svg+xml":
		return true
	}

	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}

// plain sends the response uncompressed, with what was held back.
func (w *writer) plain() {
	w.decided = true
	w.ResponseWriter.WriteHeader(w.status)

	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held) // the client is gone
		w.held = nil
	}
}

// compress sends the response compressed. Content-Length is sent if the response is short enough to compress
// as a whole.
func (w *writer) compress() error {
	w.decided = true

	h := w.Header()
	length, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)

	h.Del("Content-Length")
	h.Set("Content-Encoding", string(w.coding))

	w.sink = &sink{to: w.ResponseWriter, keep: err == nil && length <= whole}
	w.encoder, _ = encoders[w.coding].Get().(encoder)
	w.encoder.Reset(w.sink)

	if !w.sink.keep {
		w.ResponseWriter.WriteHeader(w.status)
	}

	held := w.held
	w.held = nil
	_, err = w.encoder.Write(held)

	return err //nolint:wrapcheck // the client's connection
}

// Write implements http.ResponseWriter.
func (w *writer) Write(b []byte) (int, error) {
	if !w.said {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", http.DetectContentType(b)) // as net/http does
		}

		w.WriteHeader(http.StatusOK)
	}

	switch {
	case w.encoder != nil:
		return w.encoder.Write(b) //nolint:wrapcheck // the client's connection
	case w.decided:
		return w.ResponseWriter.Write(b) //nolint:wrapcheck // passes on the error of the writer below
	}

	w.held = append(w.held, b...)
	if len(w.held) < Least {
		return len(b), nil
	}

	return len(b), w.compress()
}

// ReadFrom lets the underlying writer copy an uncompressed response from a file to the socket inside the kernel.
func (w *writer) ReadFrom(r io.Reader) (int64, error) {
	if !w.said && w.Header().Get("Content-Type") != "" {
		w.WriteHeader(http.StatusOK)
	}

	if w.decided && w.encoder == nil {
		return io.Copy(w.ResponseWriter, r) //nolint:wrapcheck // passes on the error of the writer below
	}

	return io.Copy(struct{ io.Writer }{w}, r) //nolint:wrapcheck // as above
}

// Flush implements http.Flusher. A response that is flushed before it reaches Least is a stream and stays
// uncompressed.
func (w *writer) Flush() {
	if !w.said {
		w.WriteHeader(http.StatusOK)
	}

	switch {
	case w.encoder != nil:
		w.release()

		_ = w.encoder.Flush() // the client is gone
	case !w.decided:
		w.plain()
	}

	_ = http.NewResponseController(w.ResponseWriter).Flush() // the client is gone
}

// release sends the header and what is compressed so far.
func (w *writer) release() {
	if !w.sink.keep {
		return
	}

	w.sink.keep = false
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.sink.kept) // the client is gone
}

// end sends what is left. It does not end a response that a panic cut off, so that it cannot look complete.
func (w *writer) end(done bool) {
	if w.encoder != nil {
		defer func() {
			w.encoder.Reset(io.Discard)
			encoders[w.coding].Put(w.encoder)
		}()
	}

	switch {
	case !done:
		if w.sink != nil && w.sink.keep { // nothing was sent yet, so the caller can still send a plain-text response
			w.Header().Del("Content-Encoding")
		}
	case w.encoder != nil:
		_ = w.encoder.Close() // the client is gone

		if w.sink.keep {
			w.Header().Set("Content-Length", strconv.Itoa(len(w.sink.kept)))
			w.release()
		}
	case w.said && !w.decided:
		w.plain()
	}
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
