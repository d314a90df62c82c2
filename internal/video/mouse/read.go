// Package mouse reads, filters and writes the mouse events of a recording as JSON lines. It does not open files.
package mouse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a file of events.
const (
	maxEvents = 200_000
	maxLine   = 4 << 10
)

// The types of an Event.
const (
	Move  = "move"
	Click = "click"
)

// ErrEmpty is returned by Read for a file without events.
var ErrEmpty = errors.New("the file has no mouse events")

// FaultError describes an error in a file of mouse events and names the line that has the error.
type FaultError struct {
	Line    int
	Problem string
}

// Error returns the fault as a sentence.
func (e *FaultError) Error() string {
	return fmt.Sprintf("Mouse events, line %d: %s.", e.Line, e.Problem)
}

// Event is the position of the pointer, in percent of the screen, at one time of the recording.
type Event struct {
	TimeMs int64   `json:"timeMs"`
	XPct   float64 `json:"xPct"`
	YPct   float64 `json:"yPct"`
	Type   string  `json:"type"`
}

// Read reads mouse events, one JSON object per line. Each object must have the four properties of an event and no
// others, with values in their ranges. Times must ascend. At most 200,000 events are allowed. For an invalid file Read
// returns a *FaultError or ErrEmpty. If reading fails, it wraps the error of the reader r. If there is no error, the
// result has at least one event.
func Read(r io.Reader) ([]Event, error) {
	var events []Event

	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)

	for n := 1; lines.Scan(); n++ {
		if len(events) == maxEvents {
			return nil, faultAt(n, "the file has more than %d events", maxEvents)
		}

		e, fault := readEvent(lines.Bytes())
		if fault != nil {
			return nil, faultAt(n, "%v", fault)
		}

		if len(events) > 0 && e.TimeMs < events[len(events)-1].TimeMs {
			return nil, faultAt(n, "timeMs is %d, which is before %d on the previous line", e.TimeMs, events[len(events)-1].TimeMs)
		}

		events = append(events, e)
	}

	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, faultAt(len(events)+1, "the line is longer than %d bytes", maxLine)
	case err != nil:
		return nil, fmt.Errorf("read mouse events: %w", err)
	case len(events) == 0:
		return nil, ErrEmpty
	}

	return events, nil
}

func faultAt(line int, format string, args ...any) *FaultError {
	return &FaultError{Line: line, Problem: fmt.Sprintf(format, args...)}
}

// readEvent reads one line.
func readEvent(line []byte) (Event, error) {
	var e Event
	if !utf8.Valid(line) {
		return e, errors.New("the text is not UTF-8")
	}

	c := flatObject{rest: line}
	if !c.take('{') {
		return e, errors.New("not a JSON object")
	}

	seen := make([]string, 0, 4)
	for !c.take('}') {
		if len(seen) > 0 && !c.take(',') {
			return e, errBrokenJSON
		}

		name, ok := c.text()
		if !ok || !c.take(':') {
			return e, errBrokenJSON
		}

		if slices.Contains(seen, name) {
			return e, fmt.Errorf("%q is given twice", name)
		}

		seen = append(seen, name)

		value, ok := c.value()
		if !ok {
			return e, errBrokenJSON
		}

		if err := e.set(name, value); err != nil {
			return e, err
		}
	}

	if c.space(); len(c.rest) > 0 {
		return e, errors.New("unexpected text after the JSON object")
	}

	for _, name := range []string{"timeMs", "xPct", "yPct", "type"} {
		if !slices.Contains(seen, name) {
			return e, fmt.Errorf("%q is missing", name)
		}
	}

	return e, nil
}

func (e *Event) set(name string, value any) (err error) {
	switch name {
	case "timeMs":
		var f float64
		if f, err = number(name, value, 0, 1<<53-1); err == nil && f != math.Trunc(f) {
			err = errors.New(`"timeMs" must be an integer`)
		}

		e.TimeMs = int64(f)
	case "xPct":
		e.XPct, err = number(name, value, 0, 100)
	case "yPct":
		e.YPct, err = number(name, value, 0, 100)
	case "type":
		e.Type, _ = value.(string)
		if e.Type != Move && e.Type != Click {
			err = errors.New(`"type" must be "move" or "click"`)
		}
	default:
		err = fmt.Errorf("%q is not a mouse event property", name)
	}

	return err
}

func number(name string, value any, low, high float64) (float64, error) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, fmt.Errorf("%q must be a number", name)
	}

	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || f < low || f > high {
		return 0, fmt.Errorf("%q must be from %.0f to %.0f", name, low, high)
	}

	return f, nil
}

var errBrokenJSON = errors.New("the JSON is malformed")

// flatObject reads a JSON object without nesting. encoding/json accepts properties in any letter case and
// twice, and takes several times as long for a file of 200,000 lines.
type flatObject struct{ rest []byte }

func (o *flatObject) space() { o.rest = bytes.TrimLeft(o.rest, " \t\r\n") }

// take reads a character after optional white space.
func (o *flatObject) take(char byte) bool {
	o.space()

	if len(o.rest) == 0 || o.rest[0] != char {
		return false
	}

	o.rest = o.rest[1:]

	return true
}

func (o *flatObject) text() (string, bool) {
	o.space()

	end := 1
	for end < len(o.rest) && o.rest[end] != '"' {
		if o.rest[end] == '\\' {
			end++
		}

		end++
	}

	if end >= len(o.rest) {
		return "", false
	}

	quoted := o.rest[:end+1]

	o.rest = o.rest[end+1:]
	if isPlain(quoted) { // true for nearly every string
		return string(quoted[1:end]), true
	}

	var s string

	err := json.Unmarshal(quoted, &s)

	return s, err == nil
}

// isPlain reports whether a JSON string is ASCII without escapes.
func isPlain(quoted []byte) bool {
	for _, char := range quoted[1 : len(quoted)-1] {
		if char < ' ' || char == '\\' || char >= utf8.RuneSelf {
			return false
		}
	}

	return quoted[0] == '"'
}

// value reads a string or a json.Number. For any other value it reads nothing and returns nil, which no property accepts.
func (o *flatObject) value() (any, bool) {
	o.space()

	if len(o.rest) == 0 {
		return nil, false
	}

	if o.rest[0] == '"' {
		return o.text()
	}

	end := 0
	for end < len(o.rest) && strings.IndexByte("+-.0123456789Ee", o.rest[end]) >= 0 {
		end++
	}

	digits := o.rest[:end]
	if end == 0 {
		return nil, strings.IndexByte("{[tfn", o.rest[0]) >= 0
	}

	o.rest = o.rest[end:]

	return json.Number(digits), json.Valid(digits)
}
