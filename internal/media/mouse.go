package media

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

// Limits of a file of mouse events.
const (
	maxMouseEvents = 200_000
	maxMouseLine   = 4 << 10
)

// The types of a MouseEvent.
const (
	MouseMove  = "move"
	MouseClick = "click"
)

// MouseEvent is where the pointer was: at a time of the recording, in percent of the screen.
type MouseEvent struct {
	TimeMs int64   `json:"timeMs"`
	XPct   float64 `json:"xPct"`
	YPct   float64 `json:"yPct"`
	Type   string  `json:"type"`
}

// probeMouse validates a file of kind mouse; it lasts until its last event.
func probeMouse(r io.Reader, info Info) (Info, error) {
	events, err := ReadMouse(r)
	if err != nil {
		return Info{}, err
	}
	info.MouseEvents = len(events)
	info.DurationMs = events[len(events)-1].TimeMs
	return info, nil
}

// ReadMouse reads mouse events, one JSON object a line, strictly: exactly the four properties, in
// range, ascending by time, at most 200,000. A fault is a *Refused that names the line; a reader that
// fails is another error. There is at least one event when there is no error.
func ReadMouse(r io.Reader) ([]MouseEvent, error) {
	var events []MouseEvent
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxMouseLine), maxMouseLine)
	for n := 1; lines.Scan(); n++ {
		if len(events) == maxMouseEvents {
			return nil, mouseFault(n, "there are more than %d events", maxMouseEvents)
		}
		e, fault := mouseEvent(lines.Bytes())
		if fault != nil {
			return nil, mouseFault(n, "%v", fault)
		}
		if len(events) > 0 && e.TimeMs < events[len(events)-1].TimeMs {
			return nil, mouseFault(n, "timeMs %d is before the %d of the line above", e.TimeMs, events[len(events)-1].TimeMs)
		}
		events = append(events, e)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, mouseFault(len(events)+1, "the line is longer than %d bytes", maxMouseLine)
	case err != nil:
		return nil, fmt.Errorf("read mouse events: %w", err)
	case len(events) == 0:
		return nil, refuse(CodeEmpty, "The file is empty.")
	}
	return events, nil
}

func mouseFault(line int, format string, args ...any) *Refused {
	return refuse(CodeMouseEvents, "Mouse events, line %d: %s.", line, fmt.Sprintf(format, args...))
}

// mouseEvent reads one line.
func mouseEvent(line []byte) (MouseEvent, error) {
	var e MouseEvent
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
			return e, fmt.Errorf("%q is there twice", name)
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
		return e, errors.New("there is something behind the object")
	}
	for _, name := range []string{"timeMs", "xPct", "yPct", "type"} {
		if !slices.Contains(seen, name) {
			return e, fmt.Errorf("%q is missing", name)
		}
	}
	return e, nil
}

func (e *MouseEvent) set(name string, value any) (err error) {
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
		if e.Type != MouseMove && e.Type != MouseClick {
			err = errors.New(`"type" must be "move" or "click"`)
		}
	default:
		err = fmt.Errorf("%q is not a property of a mouse event", name)
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

var errBrokenJSON = errors.New("the JSON is broken")

// flatObject reads JSON of one level: encoding/json accepts properties in any letter case, and
// twice, and takes several times as long for a file of 200,000 lines.
type flatObject struct{ rest []byte }

func (o *flatObject) space() { o.rest = bytes.TrimLeft(o.rest, " \t\r\n") }

// take reads a character that may stand behind white space.
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
	var s string
	err := json.Unmarshal(quoted, &s)
	return s, err == nil
}

// value reads a string or a json.Number. Of anything else it reads nothing and gives nil, which no
// property takes.
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
