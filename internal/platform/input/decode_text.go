package input

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads a string with a backslash, which is at d.at. start is its first byte.
func (d *decoder) escaped(start int) ([]byte, string) {
	s := append(make([]byte, 0, d.at-start+32), d.in[start:d.at]...)
	rule := ""

	for {
		c := d.peek()

		switch {
		case c == '"':
			d.at++

			if rule == "" && !utf8.Valid(s) {
				rule = "must be valid UTF-8"
			}

			return s, rule
		case c == '\\':
			r, broken := d.escape()
			if broken != "" {
				rule = broken
			}

			s = utf8.AppendRune(s, r)
		case c < ' ':
			d.broke("a control character stands in a string")
		default:
			s = append(s, c)
			d.at++
		}

		if d.broken {
			return nil, ""
		}
	}
}

var escapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads one escape sequence. A surrogate pair counts as one.
func (d *decoder) escape() (rune, string) {
	d.at++

	c := d.peek()
	if c != 'u' {
		r, ok := escapes[c]
		if !ok {
			d.broke("unknown escape sequence")

			return 0, ""
		}

		d.at++

		return r, ""
	}

	r, ok := d.hex4(d.at + 1)
	if !ok {
		d.broke("\\u needs four hex digits")

		return 0, ""
	}

	d.at += 5

	if !utf16.IsSurrogate(r) {
		return r, ""
	}

	if bytes.HasPrefix(d.in[d.at:], []byte(`\u`)) {
		if low, ok := d.hex4(d.at + 2); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				d.at += 6

				return pair, ""
			}
		}
	}

	return utf8.RuneError, "must not contain half a surrogate pair"
}

func (d *decoder) hex4(at int) (rune, bool) {
	if at+4 > len(d.in) {
		return 0, false
	}

	var r rune

	for _, c := range d.in[at : at+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}

	return r, true
}

// integer parses a number token as an integer: 5.0 and 1e3 are integers, 1.5 is not. It works on the digits,
// so an exponent of any size costs nothing.
func integer(token []byte) (int64, string) {
	negative := token[0] == '-'
	mantissa, exponent := token, int64(0)

	if e := bytes.IndexAny(token, "eE"); e >= 0 {
		mantissa, exponent = token[:e], clampedInt(token[e+1:])
	}

	whole, fraction, _ := bytes.Cut(bytes.TrimPrefix(mantissa, []byte("-")), []byte("."))
	digits := append(bytes.Clone(whole), fraction...)
	exponent -= int64(len(fraction))

	significant := bytes.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(significant))
	significant = bytes.TrimLeft(significant, "0")

	const mostDigits = 16 // the digits of 9007199254740991

	switch {
	case len(significant) == 0:
		return 0, ""
	case exponent < 0:
		return 0, Integer.WrongType()
	case int64(len(significant))+exponent > mostDigits:
		return 0, SafeRule
	}

	var n int64

	for _, c := range significant {
		n = n*10 + int64(c-'0')
	}

	for range exponent {
		n *= 10
	}

	if n > MaxSafeInteger {
		return 0, SafeRule
	}

	if negative {
		n = -n
	}

	return n, ""
}

// clampedInt parses an exponent. One that does not fit an int64 becomes larger than any body is long.
func clampedInt(digits []byte) int64 {
	const beyond = 1 << 40

	n, err := strconv.ParseInt(string(digits), 10, 64)

	switch {
	case err != nil && digits[0] == '-', n < -beyond:
		return -beyond
	case err != nil, n > beyond:
		return beyond
	default:
		return n
	}
}

func float(token []byte) (float64, string) {
	n, err := strconv.ParseFloat(string(token), 64)

	switch {
	case err != nil, math.Abs(n) > MaxSafeInteger:
		return 0, SafeRule
	case n == 0:
		return 0, "" // -0 would be printed with its sign
	default:
		return n, ""
	}
}
