package words

import "fmt"

// The limits of a transcript: eleven hours of speech, and the longest words in use.
const (
	MaxWords   = 100_000
	MaxLetters = 255
)

// listedSkips is how many skipped blocks are listed; the others are only counted.
const listedSkips = 20

// FaultError describes an error in a subtitle file and names the line that has the error.
type FaultError struct {
	Line    int
	Problem string
}

// Error returns the fault as a phrase.
func (e *FaultError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// File is a subtitle file. Its cues are in the order in which they begin.
type File struct {
	Language string // from the WebVTT header; may be empty
	Cues     []Cue
	Skipped  Skipped
}

// Skipped counts the skipped blocks of a file: blocks that are not cues, and cues that cannot be shown.
type Skipped struct {
	Count  int
	Blocks []SkippedBlock // the first of them
}

// SkippedBlock is the line of a skipped block and the reason why it was skipped.
type SkippedBlock struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func (s *Skipped) add(line int, reason string) {
	s.Count++

	if len(s.Blocks) < listedSkips {
		s.Blocks = append(s.Blocks, SkippedBlock{Line: line, Reason: reason})
	}
}

// Cue is a text and the time during which it is shown.
type Cue struct {
	Line           int // the line of its times
	StartMs, EndMs int64
	Stretches      []Stretch
}

// Stretch is a part of a cue with its own start and end. A cue has one Stretch unless timestamps divide it.
type Stretch struct {
	StartMs, EndMs int64
	Words          []string
}
