package chain

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// Writer is the response writer below Guard: it knows whether an answer has begun, and lets headers
// be written at the last moment. One goroutine writes an answer.
type Writer struct {
	http.ResponseWriter

	begun    bool
	hijacked bool
	before   []func(http.Header)
}

// BeforeHeader has fn called just before the header of the answer is sent, however late and by
// whomever: for headers that say how things stand at that moment. Behind no Guard it is called now.
func BeforeHeader(w http.ResponseWriter, fn func(http.Header)) {
	if own := writerOf(w); own != nil {
		own.before = append(own.before, fn)

		return
	}

	fn(w.Header())
}

func writerOf(w http.ResponseWriter) *Writer {
	for {
		if own, ok := w.(*Writer); ok {
			return own
		}

		wrapped, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}

		w = wrapped.Unwrap()
	}
}

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.begin()
	}

	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (int, error) {
	w.begin()

	return w.ResponseWriter.Write(b)
}

// ReadFrom keeps the kernel's file-to-socket copy of the server's own writer.
func (w *Writer) ReadFrom(r io.Reader) (int64, error) {
	w.begin()

	return io.Copy(w.ResponseWriter, r)
}

// Flush implements http.Flusher for streamed answers.
func (w *Writer) Flush() {
	w.begin()

	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Hijack implements http.Hijacker for websockets.
func (w *Writer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	w.hijacked = err == nil

	return conn, rw, err
}

// Unwrap serves http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *Writer) begin() {
	if w.begun {
		return
	}

	w.begun = true

	for _, fn := range w.before {
		fn(w.Header())
	}
}
