// Package byterange reads the Range header of RFC 9110, section 14, and serves content in ranges. It stands in front of
// http.ServeContent, which refuses unknown units and malformed headers and does not read numbers beyond 64 bits.
package byterange

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRanges bounds what one request may ask for. A request for more gets the whole content.
const maxRanges = 100

// Range is a part of some content: its first and its last byte, counted from 0.
type Range struct{ First, Last int64 }

// Result says what to answer to a Range header.
type Result int

const (
	// Ignored has the whole content answered, as without a Range header.
	Ignored Result = iota
	// Satisfiable has the ranges answered.
	Satisfiable
	// Unsatisfiable is 416: no byte that was asked for is in the content.
	Unsatisfiable
)

// Parse reads the value of a Range header for content of that many bytes. A header that is malformed, has another unit
// than bytes, or asks for more than 100 ranges is ignored. Ranges behind the content are left out; a range that ends
// behind it ends at its last byte, however many digits the number has. Empty content has no ranges.
func Parse(header string, size int64) ([]Range, Result) {
	unit, set, found := strings.Cut(header, "=")
	if !found || !strings.EqualFold(unit, "bytes") || size <= 0 {
		return nil, Ignored
	}

	var (
		ranges []Range
		specs  int
	)

	// RFC 9110, 5.6.1: white space may surround the commas of a list, and its empty elements mean nothing.
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

// parseSpec reads one range. It reports whether that lies in the content, and whether it is well-formed at all.
func parseSpec(spec string, size int64) (one Range, ok, valid bool) {
	first, last, found := strings.Cut(spec, "-")
	if !found {
		return Range{}, false, false
	}

	from, hasFrom := number(first)
	to, hasTo := number(last)

	switch {
	case first == "" && hasTo: // the last bytes
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

// number reads digits. A number beyond 64 bits is the largest of these, which is behind any content.
func number(digits string) (n int64, ok bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}

	n, _ = strconv.ParseInt(digits, 10, 64) // what is out of range is the largest that is in range

	return n, true
}

// less compares numbers of any length.
func less(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")

	return len(a) < len(b) || len(a) == len(b) && a < b
}

// Serve answers a GET or HEAD with the content of that size, whole or in ranges, or with 304 or 412 as the conditions of
// the request say; the headers that describe the content are set. It reports whether the ranges are outside the content:
// then Content-Range says how long that is, and the caller writes the answer, 416.
func Serve(w http.ResponseWriter, r *http.Request, modified time.Time, size int64, content io.ReadSeeker) (refused bool) {
	answer := &answer{ResponseWriter: w}
	http.ServeContent(answer, Plain(r, size), "", modified, content)

	return answer.refused
}

// Plain is a request whose Range header, if any is left, is one that http.ServeContent understands as RFC 9110 has it.
func Plain(r *http.Request, size int64) *http.Request {
	lines := r.Header.Values("Range")
	if len(lines) == 0 {
		return r
	}

	plain := *r
	plain.Header = r.Header.Clone()
	plain.Header.Del("Range")

	if r.Method != http.MethodGet || len(lines) > 1 { // ranges are defined for GET only, and given once
		return &plain
	}

	switch ranges, result := Parse(lines[0], size); result {
	case Satisfiable:
		specs := make([]string, len(ranges))
		for i, one := range ranges {
			specs[i] = strconv.FormatInt(one.First, 10) + "-" + strconv.FormatInt(one.Last, 10)
		}

		plain.Header.Set("Range", "bytes="+strings.Join(specs, ","))
	case Unsatisfiable: // http.ServeContent decides whether If-Range lets it count
		plain.Header.Set("Range", "bytes="+strconv.FormatInt(size, 10)+"-")
	case Ignored:
	}

	return &plain
}

// answer is that of http.ServeContent, whose refusal of a range is left to the caller: it would be plain text.
type answer struct {
	http.ResponseWriter

	refused bool
}

// WriteHeader sends the status, unless a range is refused.
func (a *answer) WriteHeader(status int) {
	if a.refused = status == http.StatusRequestedRangeNotSatisfiable; !a.refused {
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write sends a part of the content, and nothing of the text of a refusal.
func (a *answer) Write(part []byte) (int, error) {
	if a.refused {
		return len(part), nil
	}

	return a.ResponseWriter.Write(part) //nolint:wrapcheck // it stands in its place
}

// ReadFrom keeps the kernel's file-to-socket copy of the writer below.
func (a *answer) ReadFrom(content io.Reader) (int64, error) {
	return io.Copy(a.ResponseWriter, content) //nolint:wrapcheck // it stands in its place
}

// Unwrap serves http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
