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

// RefusalError is a fault of the transport: the contract's table has no code of its own for it, so it is a
// bad_request under another status.
type RefusalError struct {
	Status int
	Fault  *fault.Error
}

// Error returns the public sentence.
func (r *RefusalError) Error() string { return r.Fault.Error() }

// Unwrap returns the fault.
func (r *RefusalError) Unwrap() error { return r.Fault }

// NewRefusal makes a RefusalError.
func NewRefusal(status int, message string) *RefusalError {
	return &RefusalError{Status: status, Fault: fault.BadRequest(message)}
}

// Bounds are the limits of one route. The zero value is a JSON body of MaxBody.
type Bounds struct {
	Body  int64    // 0 means MaxBody
	Types []string // accepted content types; nil means application/json
	// Unread is for methods whose body means nothing, such as GET: it is bounded and left alone.
	Unread bool
	// Enough reports whether the beginning of a body, which announces that it is longer, is enough to refuse it. If it is,
	// Read returns that; the rest is read as well and kept nowhere. Nil is never.
	Enough func(beginning []byte) bool
}

// Read takes the body of a request and holds the request against the limits, in the contract's order:
// body size (413), target (414), content type of a body that is not empty (415), headers (431).
// Whatever is wrong is a *RefusalError, or a fault when the body breaks off.
func (b Bounds) Read(r *http.Request) ([]byte, error) {
	body, err := b.body(r)
	if err != nil {
		return nil, err
	}

	if len(r.RequestURI) > MaxTarget {
		return nil, NewRefusal(http.StatusRequestURITooLong, fmt.Sprintf("The request target is longer than %d bytes.", MaxTarget))
	}

	if len(body) > 0 {
		if err := b.contentType(r.Header); err != nil {
			return nil, err
		}
	}

	if size := headerSize(r); size > MaxHeaders {
		return nil, NewRefusal(http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("The request headers are larger than %d bytes.", MaxHeaders))
	}

	return body, nil
}

func (b Bounds) body(r *http.Request) ([]byte, error) {
	limit := b.Body
	if limit == 0 {
		limit = MaxBody
	}

	tooLarge := func() error {
		return NewRefusal(http.StatusRequestEntityTooLarge, fmt.Sprintf("The request body is larger than %d bytes.", limit))
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

// What the header announces is believed up to a point: the rest is room for bytes that came. Once a beginning has come,
// for which one must have come through the gate, the header is believed: to grow by doubling costs a large body four
// times its size. A document that is longer than the graph takes is found in the beginning, unless much of it is escaped.
const (
	believed  = 4 << 10
	beginning = 72 << 10
)

// fill reads a body of a length that is announced; -1 is none.
func (b Bounds) fill(body *bytes.Buffer, from io.Reader, announced int64) error {
	body.Grow(int(min(max(announced, 0), believed)) + bytes.MinRead)

	if announced > beginning {
		if _, err := io.CopyN(body, from, beginning); err != nil {
			return err //nolint:wrapcheck // Read says what it means
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
		return nil // said without parameters, as nearly everybody does
	}

	kind, params, err := mime.ParseMediaType(given[0])
	if err != nil {
		return fmt.Errorf("content type: %w", err)
	}

	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("charset %s", charset)
	}

	if !slices.Contains(types, kind) {
		return fmt.Errorf("content type %s", kind)
	}

	return nil
}

// headerSize counts the headers as they travelled.
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
