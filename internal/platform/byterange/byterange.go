// Package byterange parses the Range header and serves content in ranges, as RFC 9110, section 14, requires. It wraps
// http.ServeContent, which on its own refuses unknown units and malformed headers and cannot read numbers beyond 64
// bits.
package byterange

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRanges limits the ranges of one request. A request for more gets the whole content.
const maxRanges = 100

// Range is a part of some content: its first and last byte, counted from 0.
type Range struct{ First, Last int64 }

// Result is the kind of response that a Range header leads to.
type Result int

const (
	// Ignored means: send the whole content, as without a Range header.
	Ignored Result = iota
	// Satisfiable means: send the ranges.
	Satisfiable
	// Unsatisfiable means 416: no requested byte is within the content.
	Unsatisfiable
)

// Parse reads the value of a Range header for content of the given size in bytes. It ignores a header that is
// malformed, has a unit other than bytes, or asks for more than 100 ranges. It drops ranges that begin after the end
// of the content, and shortens ranges that end after it, however many digits the numbers have. Empty content has no
// ranges.
func Parse(header string, size int64) ([]Range, Result) {
	unit, set, found := strings.Cut(header, "=")
	if !found || !strings.EqualFold(unit, "bytes") || size <= 0 {
		return nil, Ignored
	}

	var (
		ranges []Range
		specs  int
	)

	// RFC 9110, 5.6.1: white space may surround the commas of a list, and empty elements are ignored.
	elements := strings.Split(set, ",")
	for i, spec := range elements {
		if i > 0 {
			spec = strings.TrimLeft(spec, " \t")
		}

		if i < len(elements)-1 {
			spec = strings.TrimRight(spec, " \t")
		}

		if spec == "" {
			continue
		}

		one, ok, valid := parseSpec(spec, size)
		if specs++; !valid || specs > maxRanges {
			return nil, Ignored
		}

		if ok {
			ranges = append(ranges, one)
		}
	}

	switch {
	case specs == 0:
		return nil, Ignored
	case len(ranges) == 0:
		return nil, Unsatisfiable
	default:
		return ranges, Satisfiable
	}
}

// parseSpec parses one range. It reports whether the range is within the content, and whether it is
// well-formed.
func parseSpec(spec string, size int64) (one Range, ok, valid bool) {
	first, last, found := strings.Cut(spec, "-")
	if !found {
		return Range{}, false, false
	}

	from, hasFrom := number(first)
	to, hasTo := number(last)

	switch {
	case first == "" && hasTo: // a suffix: the last bytes
		return Range{max(0, size-to), size - 1}, to > 0, true
	case !hasFrom || last != "" && !hasTo:
		return Range{}, false, false
	case last == "":
		return Range{from, size - 1}, from < size, true
	case less(last, first):
		return Range{}, false, false
	default:
		return Range{from, min(to, size-1)}, from < size, true
	}
}

// number parses digits. A number beyond 64 bits becomes the largest one, which is behind any content.
func number(digits string) (n int64, ok bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}

	n, _ = strconv.ParseInt(digits, 10, 64) // ParseUint returns the largest value when out of range

	return n, true
}

// less compares decimal numbers of any length.
func less(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")

	return len(a) < len(b) || len(a) == len(b) && a < b
}

// Serve answers a GET or HEAD request with content of the given size. It sends the whole content, the requested
// ranges, or a 304 or 412 response if the conditions of the request require one. The caller must set the headers that
// describe the content before the call. Serve returns true if the requested ranges are outside the content. The
// header Content-Range then gives the length, and the caller must write the 416 response.
func Serve(w http.ResponseWriter, r *http.Request, modified time.Time, size int64, content io.ReadSeeker) (refused bool) {
	answer := &answer{ResponseWriter: w}
	http.ServeContent(answer, Plain(r, size), "", modified, content)

	return answer.refused
}

// Plain returns the request with a Range header that http.ServeContent handles as RFC 9110 requires, or without a
// Range header if the header must be ignored.
func Plain(r *http.Request, size int64) *http.Request {
	lines := r.Header.Values("Range")
	if len(lines) == 0 {
		return r
	}

	plain := *r
	plain.Header = r.Header.Clone()
	plain.Header.Del("Range")

	if r.Method != http.MethodGet || len(lines) > 1 { // ranges are defined only for GET, and for a single header
		return &plain
	}

	switch ranges, result := Parse(lines[0], size); result {
	case Satisfiable:
		specs := make([]string, len(ranges))
		for i, one := range ranges {
			specs[i] = strconv.FormatInt(one.First, 10) + "-" + strconv.FormatInt(one.Last, 10)
		}

		plain.Header.Set("Range", "bytes="+strings.Join(specs, ","))
	case Unsatisfiable: // http.ServeContent evaluates If-Range
		plain.Header.Set("Range", "bytes="+strconv.FormatInt(size, 10)+"-")
	case Ignored:
	}

	return &plain
}

// answer is the writer of http.ServeContent. It drops the plain-text refusal of a range, which the caller
// writes.
type answer struct {
	http.ResponseWriter

	refused bool
}

// WriteHeader sends the status, except 416, which the caller of Serve sends.
func (a *answer) WriteHeader(status int) {
	if a.refused = status == http.StatusRequestedRangeNotSatisfiable; !a.refused {
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write sends a part of the content. It drops the plain-text body of a 416 response.
func (a *answer) Write(part []byte) (int, error) {
	if a.refused {
		return len(part), nil
	}

	return a.ResponseWriter.Write(part) //nolint:wrapcheck // passes on the error of the writer below
}

// ReadFrom lets the underlying writer copy from a file to the socket inside the kernel.
func (a *answer) ReadFrom(content io.Reader) (int64, error) {
	return io.Copy(a.ResponseWriter, content) //nolint:wrapcheck // passes on the error of the writer below
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
