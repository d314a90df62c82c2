package words

import (
	"cmp"
	"slices"
	"strings"
)

// The reasons for skipping blocks of a file.
const (
	noTimes    = "the cue has no times, such as 00:00:01.000 --> 00:00:02.000"
	wrongTimes = "the cue times are malformed"
	noLength   = "the cue must end after it starts"
)

const arrow = "-->"

// ParseVTT parses a WebVTT file. It returns a *FaultError for another format and for a file without cues.
func ParseVTT(file []byte) (File, error) {
	p, err := parserOf(file, vttTimes)
	if err != nil {
		return File{}, err
	}

	if first := p.line(); first != "WEBVTT" && !strings.HasPrefix(first, "WEBVTT ") && !strings.HasPrefix(first, "WEBVTT\t") {
		return File{}, &FaultError{1, "a WebVTT file must start with WEBVTT"}
	}

	p.comments = true
	p.header()

	return p.parse()
}

// ParseSRT parses a SubRip file. It returns a *FaultError for a file without cues.
func ParseSRT(file []byte) (File, error) {
	p, err := parserOf(file, srtTimes)
	if err != nil {
		return File{}, err
	}

	p.numbers = true

	return p.parse()
}

// times reads the times of a cue; ok is false when they are malformed.
type times func(line string) (startMs, endMs int64, ok bool)

// parser reads a file line by line, as WebVTT defines it: https://www.w3.org/TR/webvtt1/#file-parsing.
type parser struct {
	rest  string // the lines still to read
	at    int    // the number of lines read
	ended bool   // true when all are read

	times    times
	comments bool // the format has blocks of comments and style
	numbers  bool // cues are numbered, as in SubRip
	words    int  // the number of words so far
	file     File
}

func parserOf(file []byte, of times) (*parser, error) {
	text, err := textOf(file)
	if err != nil {
		return nil, err
	}

	return &parser{rest: text, times: of, ended: text == ""}, nil
}

// line returns the next line and moves on.
func (p *parser) line() string {
	line, rest, more := strings.Cut(p.rest, "\n")
	p.rest, p.ended = rest, !more
	p.at++

	return line
}

// peek returns the next line and stays before it.
func (p *parser) peek() string {
	line, _, _ := strings.Cut(p.rest, "\n")

	return line
}

// header reads the header of a WebVTT file, up to an empty line or its first cue.
func (p *parser) header() {
	for !p.ended && p.peek() != "" && !strings.Contains(p.peek(), arrow) {
		if language, found := strings.CutPrefix(p.line(), "Language:"); found {
			p.file.Language = strings.TrimSpace(language)
		}
	}
}

// parse reads blocks to the end of the file.
func (p *parser) parse() (File, error) {
	for {
		for !p.ended && p.peek() == "" {
			p.line()
		}

		if p.ended {
			break
		}

		if err := p.block(); err != nil {
			return File{}, err
		}
	}

	if len(p.file.Cues) == 0 {
		return File{}, p.empty()
	}

	slices.SortStableFunc(p.file.Cues, func(a, b Cue) int { return cmp.Compare(a.StartMs, b.StartMs) })

	return p.file, nil
}

// empty returns the error for a file without a cue: it names the first block that may have been meant as one.
func (p *parser) empty() error {
	if skipped := p.file.Skipped.Blocks; len(skipped) > 0 {
		return &FaultError{skipped[0].Line, skipped[0].Reason + "; the file has no usable cue"}
	}

	return &FaultError{1, "the file has no cue"}
}

// block reads the lines up to an empty one, or to the times of another cue: an optional identifier, times and text.
func (p *parser) block() error {
	begin, first := p.at+1, p.peek()

	if !strings.Contains(first, arrow) {
		p.line()
	}

	if p.ended || !strings.Contains(p.peek(), arrow) {
		p.skip(begin, first)

		return nil
	}

	timed := p.at + 1
	startMs, endMs, ok := p.times(p.line())
	text := p.text()

	switch {
	case !ok:
		p.file.Skipped.add(timed, wrongTimes)
	case endMs <= startMs:
		p.file.Skipped.add(timed, noLength)
	default:
		cue := Cue{Line: timed, StartMs: startMs, EndMs: endMs}

		n, err := cue.divide(text, MaxWords-p.words)
		if err != nil {
			return err
		}

		p.words += n
		p.file.Cues = append(p.file.Cues, cue)
	}

	return nil
}

// skip reads the rest of a block that is no cue, after its first line.
func (p *parser) skip(begin int, first string) {
	p.text()

	if !p.comments || !isComment(first) {
		p.file.Skipped.add(begin, noTimes)
	}
}

// text reads lines up to an empty one or to times. A number right before times belongs to the next cue.
func (p *parser) text() string {
	whole, length, last := p.rest, 0, 0

	for !p.ended && p.peek() != "" && !strings.Contains(p.peek(), arrow) {
		last = length
		length += len(p.line()) + 1
	}

	length = min(length, len(whole))

	if p.numbers && !p.ended && strings.Contains(p.peek(), arrow) && isNumber(whole[last:length]) {
		length = last
	}

	return whole[:length]
}

// isComment reports whether a block of a WebVTT file is a comment, a style or a region.
func isComment(first string) bool {
	for _, word := range []string{"NOTE", "STYLE", "REGION"} {
		if rest, found := strings.CutPrefix(first, word); found && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}

	return false
}

func isNumber(line string) bool {
	line = strings.TrimSpace(line)

	return line != "" && strings.Trim(line, "0123456789") == ""
}
