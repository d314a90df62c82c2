package middleware

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// The limits of the contract.
const (
	MaxTarget  = 8 << 10
	MaxHeaders = 64 << 10
	MaxBody    = 1 << 20
)

// RefusalError is an error of HTTP itself. The API contract has no error code for it, so the code is bad_request with
// another HTTP status.
type RefusalError struct {
	Status int
	Fault  *fault.Error
}

// Error returns the public message.
func (r *RefusalError) Error() string { return r.Fault.Error() }

// Unwrap returns the fault.
func (r *RefusalError) Unwrap() error { return r.Fault }

// NewRefusal returns a RefusalError.
func NewRefusal(status int, message string) *RefusalError {
	return &RefusalError{Status: status, Fault: fault.BadRequest(message)}
}

// Bounds are the limits of one route. The zero value allows a JSON body of up to MaxBody.
type Bounds struct {
	Body  int64    // 0 means MaxBody
	Types []string // accepted content types; nil means application/json
	// Unread is for methods whose body has no meaning, such as GET: its size is limited and it is not read.
	Unread bool
	// Enough reports whether the start of a body that is announced as longer is enough to refuse it. Then
	// Read returns that start and discards the rest. Nil means never.
	Enough func(beginning []byte) bool
}

// Read reads the body of a request and checks the limits in the order of the API contract: body size (413), target
// (414), content type unless the body is empty (415), headers (431). It returns a *RefusalError, or a fault if it
// cannot read the whole body.
func (b Bounds) Read(r *http.Request) ([]byte, error) {
	body, err := b.body(r)
	if err != nil {
		return nil, err
	}

	if len(r.RequestURI) > MaxTarget {
		return nil, NewRefusal(http.StatusRequestURITooLong,
			fmt.Sprintf("The request target is too long; at most %d bytes are allowed.", MaxTarget))
	}

	if len(body) > 0 {
		if err := b.contentType(r.Header); err != nil {
			return nil, err
		}
	}

	if size := headerSize(r); size > MaxHeaders {
		return nil, NewRefusal(http.StatusRequestHeaderFieldsTooLarge,
			fmt.Sprintf("The request headers are too large; at most %d bytes are allowed.", MaxHeaders))
	}

	return body, nil
}

func (b Bounds) body(r *http.Request) ([]byte, error) {
	limit := b.Body
	if limit == 0 {
		limit = MaxBody
	}

	tooLarge := func() error {
		return NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf("The request body is too large; at most %d bytes are allowed.", limit))
	}

	switch {
	case r.ContentLength > limit:
		return nil, tooLarge()
	case b.Unread || r.Body == nil || r.ContentLength == 0:
		return nil, nil
	}

	var (
		body bytes.Buffer
		rest = &io.LimitedReader{R: r.Body, N: limit + 1}
		err  = b.fill(&body, rest, r.ContentLength)
	)

	switch {
	case err != nil:
		return nil, fault.BadRequest("The request body could not be read to its end.").Because(err)
	case rest.N == 0:
		return nil, tooLarge()
	default:
		return body.Bytes(), nil
	}
}

// The announced Content-Length is trusted only up to a limit; beyond it, memory grows with the bytes that
// arrive. Once this much has arrived, which takes a valid key, the header is trusted, because growing by
// doubling would cost a large body four times its size. A document that is too long for the graph is detected
// in that start, unless much of it is escaped.
const (
	believed  = 4 << 10
	beginning = 72 << 10
)

// fill reads a body whose length is announced; -1 means unknown.
func (b Bounds) fill(body *bytes.Buffer, from io.Reader, announced int64) error {
	body.Grow(int(min(max(announced, 0), believed)) + bytes.MinRead)

	if announced > beginning {
		if _, err := io.CopyN(body, from, beginning); err != nil {
			return err //nolint:wrapcheck // Read turns it into a fault
		}

		if b.Enough != nil && b.Enough(body.Bytes()) {
			_, err := io.Copy(io.Discard, from)

			return err //nolint:wrapcheck // as above
		}

		body.Grow(int(announced-beginning) + bytes.MinRead)
	}

	_, err := body.ReadFrom(from)

	return err //nolint:wrapcheck // as above
}

var errCoding = errors.New("content coding")

func (b Bounds) contentType(h http.Header) error {
	types := b.Types
	if types == nil {
		types = []string{"application/json"}
	}

	err := errCoding

	if coding := h.Get("Content-Encoding"); coding == "" || strings.EqualFold(coding, "identity") {
		err = acceptable(h.Values("Content-Type"), types)
	}

	if err != nil {
		return NewRefusal(http.StatusUnsupportedMediaType,
			"The request body must be sent as "+strings.Join(types, " or ")+", without a content encoding.")
	}

	return nil
}

func acceptable(given, types []string) error {
	switch {
	case len(given) != 1:
		return fmt.Errorf("%d content types", len(given))
	case slices.Contains(types, given[0]):
		return nil // without parameters, the usual case
	}

	kind, params, err := mime.ParseMediaType(given[0])
	if err != nil {
		return fmt.Errorf("content type: %w", err)
	}

	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("charset %s is not accepted", charset)
	}

	if !slices.Contains(types, kind) {
		return fmt.Errorf("content type %s is not accepted", kind)
	}

	return nil
}

// headerSize returns the size of the headers on the wire.
func headerSize(r *http.Request) int {
	const colonAndBreak = len(": \r\n")

	size := len("Host") + len(r.Host) + colonAndBreak

	for name, values := range r.Header {
		for _, v := range values {
			size += len(name) + len(v) + colonAndBreak
		}
	}

	return size
}
