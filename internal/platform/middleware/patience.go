package middleware

import (
	"errors"
	"io"
	"math"
	"net/http"
	"time"
)

// Patience is how long a client may take over each piece of the body of its request, and of an answer.
// Whoever takes longer loses the connection. Uploads and streams have a patience of their own.
const Patience = 30 * time.Second

// patientBody is a body that must come in time. The deadline stands only while it is awaited: the server
// listens for the end of the connection while an answer is made, and must not take silence for it.
type patientBody struct {
	io.ReadCloser

	control *http.ResponseController
	left    int // bytes of the piece that is awaited; 0 is before the next one
	ended   bool
	// asks says that the client sends nothing before it is told to (Expect: 100-continue).
	asks bool
}

// How much is read of a body that nobody wants, and for how long: many clients send all of it before they look at the
// answer, and would find a broken connection instead.
const (
	drained  = 8 << 20
	draining = time.Second
)

// drain reads on to the end of a body, before an answer that says no.
func (b *patientBody) drain() {
	if b.asks || b.ended {
		return
	}

	b.left = math.MaxInt // its deadline is this one
	_ = b.control.SetReadDeadline(time.Now().Add(draining))
	_, _ = io.CopyN(io.Discard, b, drained)
}

// bound says that the body must come in time from now on.
func (b *patientBody) bound() {
	_ = b.control.SetReadDeadline(time.Now().Add(Patience)) // not every server has one
}

// Read implements io.Reader.
func (b *patientBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.left = piece
		b.bound()
	}

	b.asks = false // it was told

	n, err := b.ReadCloser.Read(p)
	b.left -= n

	if err != nil {
		b.ended = true
	}

	// A deadline that has passed stands: what the server still wants to read of the body then fails at once.
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}

	return n, err
}
