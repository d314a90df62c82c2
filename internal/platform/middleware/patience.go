package middleware

import (
	"errors"
	"io"
	"math"
	"net/http"
	"time"
)

// Patience is the time that a client has to send each piece of a request body, and to read each piece of a response.
// A slower client is disconnected. Uploads and streams have their own limits.
const Patience = 30 * time.Second

// patientBody is a body with a deadline for each piece. The deadline is set only while a piece is awaited. While a
// response is computed, the server listens for the end of the connection, and a deadline would look like this end.
type patientBody struct {
	io.ReadCloser

	control *http.ResponseController
	left    int // bytes received of the current piece; 0 before the next one starts
	ended   bool
	// asks means that the client sends nothing before it gets 100 Continue.
	asks bool
}

// How many bytes of an unwanted body are read, and for how long. Many clients send the whole body before they read the
// response. If the body were not read, they would see a broken connection instead of the response.
const (
	drained  = 8 << 20
	draining = time.Second
)

// drain reads the rest of a body before an error response.
func (b *patientBody) drain() {
	if b.asks || b.ended {
		return
	}

	b.left = math.MaxInt // uses its own deadline
	_ = b.control.SetReadDeadline(time.Now().Add(draining))
	_, _ = io.CopyN(io.Discard, b, drained)
}

// bound starts the deadlines of the body.
func (b *patientBody) bound() {
	_ = b.control.SetReadDeadline(time.Now().Add(Patience)) // not every server supports deadlines
}

// Read implements io.Reader.
func (b *patientBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.left = piece
		b.bound()
	}

	b.asks = false // 100 Continue was sent

	n, err := b.ReadCloser.Read(p)
	b.left -= n

	if err != nil {
		b.ended = true
	}

	// A deadline that has passed stays: what the server still tries to read of the body then fails at once.
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}

	return n, err
}
