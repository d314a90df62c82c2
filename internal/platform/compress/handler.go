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

// Least is the size from which answers are compressed. A shorter one fits into the first packet anyway.
const Least = 1 << 10

const (
	// Levels of what is made for one answer: speed matters more than the last few percent.
	gzipLevel   = 1
	brotliLevel = 3

	// whole bounds what is compressed in memory, so that its length can be said before it is sent.
	whole = 1 << 20
)

// Handler compresses the text that next answers. It leaves alone: what has a coding already, ranges and what is served
// in ranges, streams of events, switched protocols, what is not text, and answers below Least. An entity tag stays as it
// is: it names the content before compression, and no ranges are served of it.
//
// What another site makes a browser ask for with our cookies is not compressed: who chooses a part of an answer and sees
// how long it is could guess the rest (BREACH).
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

// writer holds back the beginning of an answer until it is known whether that is compressed.
type writer struct {
	http.ResponseWriter

	coding  Coding // that the client accepts
	status  int
	said    bool // WriteHeader was called
	decided bool
	held    []byte // before it is decided
	encoder encoder
	sink    *sink
}

type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

var encoders = map[Coding]*sync.Pool{ //nolint:gochecknoglobals // their tables are large, and every answer may use some
	Gzip: {New: func() any {
		e, _ := gzip.NewWriterLevel(nil, gzipLevel) // a level there is

		return e
	}},
	Brotli: {New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }},
}

// sink is where an encoder writes: to memory as long as the header may wait, and then to the client.
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

	return s.to.Write(b) //nolint:wrapcheck // it stands in its place
}

// WriteHeader implements http.ResponseWriter. The header waits until it is known what is sent.
func (w *writer) WriteHeader(status int) {
	switch {
	case status < http.StatusOK && status != http.StatusSwitchingProtocols:
		w.ResponseWriter.WriteHeader(status) // one of several

		return
	case w.said:
		return
	}

	w.said, w.status = true, status

	if !w.suitable() {
		w.plain()
	}
}

// suitable reports whether the answer can be compressed, from its header alone. What can be has Vary, whether it is
// compressed or not.
func (w *writer) suitable() bool {
	h := w.Header()

	if w.status == http.StatusNotModified { // RFC 9110, 15.4.5: as the content would have it
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

// IsText reports whether content of a type is text of some length, and no stream of events.
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

// plain sends the answer as it is, and what was held of it.
func (w *writer) plain() {
	w.decided = true
	w.ResponseWriter.WriteHeader(w.status)

	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held) // who no longer reads needs no answer
		w.held = nil
	}
}

// compress sends the answer compressed. Its length is said if it is short enough to be compressed as a whole.
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
			w.Header().Set("Content-Type", http.DetectContentType(b)) // as the server would
		}

		w.WriteHeader(http.StatusOK)
	}

	switch {
	case w.encoder != nil:
		return w.encoder.Write(b) //nolint:wrapcheck // the client's connection
	case w.decided:
		return w.ResponseWriter.Write(b) //nolint:wrapcheck // it stands in its place
	}

	w.held = append(w.held, b...)
	if len(w.held) < Least {
		return len(b), nil
	}

	return len(b), w.compress()
}

// ReadFrom keeps the kernel's file-to-socket copy for what is not compressed.
func (w *writer) ReadFrom(r io.Reader) (int64, error) {
	if !w.said && w.Header().Get("Content-Type") != "" {
		w.WriteHeader(http.StatusOK)
	}

	if w.decided && w.encoder == nil {
		return io.Copy(w.ResponseWriter, r) //nolint:wrapcheck // it stands in its place
	}

	return io.Copy(struct{ io.Writer }{w}, r) //nolint:wrapcheck // as above
}

// Flush implements http.Flusher. An answer that is flushed before it is long enough is a stream, and sent as it is.
func (w *writer) Flush() {
	if !w.said {
		w.WriteHeader(http.StatusOK)
	}

	switch {
	case w.encoder != nil:
		w.release()

		_ = w.encoder.Flush() // who no longer reads needs no answer
	case !w.decided:
		w.plain()
	}

	_ = http.NewResponseController(w.ResponseWriter).Flush() // as above
}

// release has the header sent, and what is compressed so far.
func (w *writer) release() {
	if !w.sink.keep {
		return
	}

	w.sink.keep = false
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.sink.kept) // who no longer reads needs no answer
}

// end sends what is left. An answer that broke off in a panic is not ended as if it were whole.
func (w *writer) end(done bool) {
	if w.encoder != nil {
		defer func() {
			w.encoder.Reset(io.Discard)
			encoders[w.coding].Put(w.encoder)
		}()
	}

	switch {
	case !done:
		if w.sink != nil && w.sink.keep { // nothing was sent: whoever answers instead sends plain text
			w.Header().Del("Content-Encoding")
		}
	case w.encoder != nil:
		_ = w.encoder.Close() // who no longer reads needs no answer

		if w.sink.keep {
			w.Header().Set("Content-Length", strconv.Itoa(len(w.sink.kept)))
			w.release()
		}
	case w.said && !w.decided:
		w.plain()
	}
}

// Unwrap serves http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
