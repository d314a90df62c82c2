package media

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
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

// mouseEvent reads one line. It goes token by token because encoding/json accepts properties in any
// letter case, and twice.
func mouseEvent(line []byte) (MouseEvent, error) {
	var e MouseEvent
	if !utf8.Valid(line) {
		return e, errors.New("the text is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return e, errors.New("not a JSON object")
	}
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return e, errors.New("the JSON is broken")
		}
		name, _ := key.(string)
		if seen[name] {
			return e, fmt.Errorf("%q is there twice", name)
		}
		seen[name] = true
		value, err := dec.Token()
		if err != nil {
			return e, errors.New("the JSON is broken")
		}
		if err := e.set(name, value); err != nil {
			return e, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return e, errors.New("the JSON is broken")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return e, errors.New("there is something behind the object")
	}
	for _, name := range []string{"timeMs", "xPct", "yPct", "type"} {
		if !seen[name] {
			return e, fmt.Errorf("%q is missing", name)
		}
	}
	return e, nil
}

func (e *MouseEvent) set(name string, value json.Token) (err error) {
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

func number(name string, value json.Token, low, high float64) (float64, error) {
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
