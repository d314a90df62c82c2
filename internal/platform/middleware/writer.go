package middleware

import (
	"bufio"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

// Writer is the response writer that Guard installs. It records whether a response has begun, allows headers to be
// set just before they are sent, and disconnects clients that take longer than Patience to receive a piece. Only one
// goroutine may write a response.
type Writer struct {
	http.ResponseWriter

	control  *http.ResponseController
	conn     *conn        // nil sends header and body as the server does
	body     *patientBody // the body of the request; nil for none
	begun    bool
	hijacked bool
	before   []func(http.Header)
}

// BeforeHeader registers fn to be called just before the header of the response is sent. It is meant for headers that
// describe the state at that moment. Without Guard, fn is called immediately.
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

// WriteHeader implements http.ResponseWriter. Before an error response it reads the rest of the body, which
// cancels the request's context if the client is too slow; the response must not depend on the context any
// more.
func (w *Writer) WriteHeader(status int) {
	if status >= http.StatusBadRequest && !w.begun && !w.hijacked && w.body != nil {
		w.body.drain()
	}

	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.begin()
	}

	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (int, error) {
	w.begin()
	w.wait()

	return w.write(b)
}

// piece is the amount that a client must send or receive within Patience: about 35 kB/s.
const piece = 1 << 20

// ReadFrom lets the underlying writer copy from a file to the socket inside the kernel.
func (w *Writer) ReadFrom(r io.Reader) (total int64, err error) {
	w.begin()

	all, bounded := r.(*io.LimitedReader)
	if !bounded {
		all = &io.LimitedReader{R: r, N: math.MaxInt64}
	}

	for {
		w.wait()

		want := min(all.N, piece)
		n, err := io.Copy(w.ResponseWriter, &io.LimitedReader{R: all.R, N: want})
		total += n
		all.N -= n

		if err != nil || n < want || all.N == 0 {
			return total, err
		}
	}
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

// SetReadDeadline sets the deadline for http.ResponseController. After this call, Guard no longer limits how long the
// client takes to send the body.
func (w *Writer) SetReadDeadline(deadline time.Time) error {
	if w.body != nil {
		w.body.left = math.MaxInt
	}

	return w.control.SetReadDeadline(deadline)
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// wait sets the deadline for the client to receive the next piece.
func (w *Writer) wait() {
	if !w.hijacked {
		_ = w.control.SetWriteDeadline(time.Now().Add(Patience)) // not every server supports deadlines
	}
}

func (w *Writer) begin() {
	if w.begun {
		return
	}

	w.begun = true
	w.wait()

	if w.body != nil && !w.body.ended {
		w.body.bound() // the server reads what is left of the body before it responds
	}

	for _, fn := range w.before {
		fn(w.Header())
	}
}
