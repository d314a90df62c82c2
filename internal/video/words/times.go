package words

import (
	"regexp"
	"strconv"
	"strings"
)

// longestMs limits times to a value that no recording reaches, so that none overflows.
const longestMs = int64(1) << 45

// vttTimes reads the times of a WebVTT cue: https://www.w3.org/TR/webvtt1/#collect-webvtt-cue-timings-and-settings.
// It ignores the position settings after them.
func vttTimes(line string) (startMs, endMs int64, ok bool) {
	startMs, rest, ok := vttTime(line)
	if !ok {
		return 0, 0, false
	}

	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, blanks), arrow)
	if !ok {
		return 0, 0, false
	}

	endMs, _, ok = vttTime(rest)

	return startMs, endMs, ok
}

// blanks is what WebVTT calls whitespace within a line.
const blanks = " \t\f"

// vttTime reads a WebVTT timestamp, and returns what follows it.
func vttTime(text string) (ms int64, rest string, ok bool) {
	text = strings.TrimLeft(text, blanks)

	first, text := digits(text)
	if first == "" || !strings.HasPrefix(text, ":") {
		return 0, "", false
	}

	second, text := digits(text[1:])

	hours, minutes, seconds := "0", first, second
	if len(first) != 2 || number(first) > 59 || strings.HasPrefix(text, ":") {
		if !strings.HasPrefix(text, ":") {
			return 0, "", false
		}

		hours, minutes = first, second
		seconds, text = digits(text[1:])
	}

	if len(minutes) != 2 || len(seconds) != 2 || number(minutes) > 59 || number(seconds) > 59 || !strings.HasPrefix(text, ".") {
		return 0, "", false
	}

	part, text := digits(text[1:])
	if len(part) != 3 {
		return 0, "", false
	}

	return clock(number(hours), number(minutes), number(seconds), number(part)), text, true
}

// digits splits off the digits at the start of a text.
func digits(text string) (taken, rest string) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}

	return text[:n], text[n:]
}

// number parses digits; too large a number becomes a limit beyond all times.
func number(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return longestMs
	}

	return n
}

func clock(hours, minutes, seconds, milliseconds int64) int64 {
	return min(hours, longestMs/3_600_000)*3_600_000 + minutes*60_000 + seconds*1000 + milliseconds
}

const srtTime = `(\d{1,4}):([0-5]?\d):([0-5]?\d)(?:[,.](\d{1,3}))?`

var srtLine = regexp.MustCompile(`^[ \t]*` + srtTime + `[ \t]*-->[ \t]*` + srtTime + `(?:[ \t].*)?$`)

// srtTimes reads the times of a SubRip cue, whose format varies between writers.
func srtTimes(line string) (startMs, endMs int64, ok bool) {
	m := srtLine.FindStringSubmatch(line)
	if m == nil {
		return 0, 0, false
	}

	of := func(m []string) int64 {
		return clock(number(m[0]), number(m[1]), number(m[2]), number((m[3] + "000")[:3]))
	}

	return of(m[1:5]), of(m[5:9]), true
}
