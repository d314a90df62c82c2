package chain

import (
	"io"
	"net/http"
	"time"
)

// Patience is how long a client may take over the body of its request, and over each piece of an answer.
// Whoever takes longer loses the connection. Uploads and streams have a patience of their own.
const Patience = 30 * time.Second

// patientBody is a body that must come in time. The deadline stands only while it is awaited: the server
// listens for the end of the connection while an answer is made, and must not take silence for it.
type patientBody struct {
	io.ReadCloser

	control *http.ResponseController
	begun   bool
	ended   bool
}

// bound says that the body must come in time from now on.
func (b *patientBody) bound() {
	_ = b.control.SetReadDeadline(time.Now().Add(Patience)) // not every server has one
}

// Read implements io.Reader.
func (b *patientBody) Read(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.bound()
	}

	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.ended = true
		_ = b.control.SetReadDeadline(time.Time{})
	}

	return n, err
}
