package subtitle

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ParseVTT reads a WebVTT file.
func ParseVTT(file []byte) (File, error) {
	all, err := linesOf(file)
	if err != nil {
		return File{}, err
	}

	if len(all) == 0 || all[0] != "WEBVTT" && !strings.HasPrefix(all[0], "WEBVTT ") && !strings.HasPrefix(all[0], "WEBVTT\t") {
		return File{}, &FaultError{1, "a WebVTT file begins with WEBVTT"}
	}

	var f File

	at := 1
	for ; at < len(all) && strings.TrimSpace(all[at]) != ""; at++ {
		if strings.Contains(all[at], "-->") {
			return File{}, &FaultError{at + 1, "a cue stands behind an empty line"}
		}

		if language, found := strings.CutPrefix(all[at], "Language:"); found {
			f.Language = strings.TrimSpace(language)
		}
	}

	return f, f.cues(all, at, vttTimes, isNote)
}

// ParseSRT reads a SubRip file.
func ParseSRT(file []byte) (File, error) {
	all, err := linesOf(file)
	if err != nil {
		return File{}, err
	}

	var f File

	return f, f.cues(all, 0, srtTimes, func(string) bool { return false })
}

// linesOf splits a text into lines, whatever ends them.
func linesOf(file []byte) ([]string, error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))

	if !utf8.Valid(file) {
		valid := 0
		for r, size := utf8.DecodeRune(file); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(file[valid:]) {
			valid += size
		}

		return nil, &FaultError{bytes.Count(file[:valid], []byte("\n")) + 1, "the text is not UTF-8"}
	}

	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd").Replace(string(file))
	if text == "" {
		return nil, nil
	}

	return strings.Split(text, "\n"), nil
}

const srtTime = `\d{1,4}:[0-5]?\d:[0-5]?\d[,.]\d{1,3}`

var (
	vttTimes = regexp.MustCompile(`^((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t].*)?$`)
	srtTimes = regexp.MustCompile(`^[ \t]*(` + srtTime + `)[ \t]*-->[ \t]*(` + srtTime + `)(?:[ \t].*)?$`)
)

// isNote reports whether a block of a WebVTT file is none of its cues.
func isNote(first string) bool {
	for _, word := range []string{"NOTE", "STYLE", "REGION"} {
		if rest, found := strings.CutPrefix(first, word); found && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}

	return false
}

// cues reads the blocks from a line on: an identifier, which may be missing, times, and text.
func (f *File) cues(all []string, at int, times *regexp.Regexp, skip func(first string) bool) error {
	for {
		for at < len(all) && strings.TrimSpace(all[at]) == "" {
			at++
		}

		if at == len(all) {
			break
		}

		end := at
		for end < len(all) && strings.TrimSpace(all[end]) != "" {
			end++
		}

		if block := all[at:end]; !skip(block[0]) {
			cue, err := cueOf(block, at+1, times)
			if err != nil {
				return err
			}

			f.Cues = append(f.Cues, cue)
		}

		at = end
	}

	slices.SortStableFunc(f.Cues, func(a, b Cue) int { return cmp.Compare(a.StartMs, b.StartMs) })

	return nil
}

func cueOf(block []string, line int, times *regexp.Regexp) (Cue, error) {
	if !strings.Contains(block[0], "-->") {
		if len(block) == 1 || !strings.Contains(block[1], "-->") {
			return Cue{}, &FaultError{line, "this is no cue: times such as 00:00:01.000 --> 00:00:02.000 are missing"}
		}

		block, line = block[1:], line+1
	}

	m := times.FindStringSubmatch(block[0])
	if m == nil {
		return Cue{}, &FaultError{line, "the times of the cue are malformed"}
	}

	c := Cue{Line: line, StartMs: milliseconds(m[1]), EndMs: milliseconds(m[2])}
	if c.EndMs <= c.StartMs {
		return Cue{}, &FaultError{line, "the cue must end after it starts"}
	}

	c.divide(strings.Join(block[1:], "\n"))

	return c, nil
}

// milliseconds reads a time whose shape has been checked.
func milliseconds(text string) int64 {
	whole, part, _ := strings.Cut(strings.ReplaceAll(text, ",", "."), ".")

	var seconds int64
	for digits := range strings.SplitSeq(whole, ":") {
		n, _ := strconv.ParseInt(digits, 10, 64)
		seconds = seconds*60 + n
	}

	n, _ := strconv.ParseInt((part + "00")[:3], 10, 64)

	return seconds*1000 + n
}

var (
	stamp  = regexp.MustCompile(`<((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})>`)
	markup = regexp.MustCompile(`</?[A-Za-z][^<>]*>|\{\\[^{}]*\}`)
	// The references of WebVTT; any other is text.
	references = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&nbsp;", "\u00a0", "&lrm;", "", "&rlm;", "")
)

// divide splits the text of a cue at its timestamps. One that does not go forward within the cue is
// ignored.
func (c *Cue) divide(text string) {
	at, from := c.StartMs, 0

	add := func(until int64, text string) {
		words := strings.Fields(references.Replace(markup.ReplaceAllString(stamp.ReplaceAllString(text, " "), "")))
		for i, w := range words {
			words[i] = norm.NFC.String(w)
		}

		if len(words) > 0 {
			c.Stretches = append(c.Stretches, Stretch{StartMs: at, EndMs: until, Words: words})
		}
	}

	for _, m := range stamp.FindAllStringSubmatchIndex(text, -1) {
		if until := milliseconds(text[m[2]:m[3]]); until > at && until < c.EndMs {
			add(until, text[from:m[0]])
			at, from = until, m[1]
		}
	}

	add(c.EndMs, text[from:])
}
