package middleware

import (
	"bufio"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

// Writer is the response writer below Guard: it knows whether an answer has begun, lets headers be
// written at the last moment, and gives a client Patience for each piece of the answer. One goroutine
// writes an answer.
type Writer struct {
	http.ResponseWriter

	control  *http.ResponseController
	conn     *conn        // nil sends header and body as the server does
	body     *patientBody // of the request; nil for none
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

// WriteHeader implements http.ResponseWriter. Before it says no it reads on in the body, which ends the request's context
// if that does not come: whatever the answer needs is done by then.
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

// piece is what a client must be able to send or to take within Patience: some 35 kB/s.
const piece = 1 << 20

// ReadFrom keeps the kernel's file-to-socket copy of the server's own writer.
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

// SetReadDeadline serves http.ResponseController. Whoever calls it minds the body from then on.
func (w *Writer) SetReadDeadline(deadline time.Time) error {
	if w.body != nil {
		w.body.left = math.MaxInt
	}

	return w.control.SetReadDeadline(deadline)
}

// Unwrap serves http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// wait bounds the time until the client has taken what is written next.
func (w *Writer) wait() {
	if !w.hijacked {
		_ = w.control.SetWriteDeadline(time.Now().Add(Patience)) // not every server has one
	}
}

func (w *Writer) begin() {
	if w.begun {
		return
	}

	w.begun = true
	w.wait()

	if w.body != nil && !w.body.ended {
		w.body.bound() // the server reads what nobody has read before it answers
	}

	for _, fn := range w.before {
		fn(w.Header())
	}
}
