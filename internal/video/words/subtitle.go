package words

import "fmt"

// The bounds of a transcript: eleven hours of speech, and the longest words that anybody writes.
const (
	MaxWords   = 100_000
	MaxLetters = 255
)

// listedSkips is how many of the blocks that were skipped are named; the others are counted.
const listedSkips = 20

// FaultError is what is wrong with a file, and in which line.
type FaultError struct {
	Line    int
	Problem string
}

// Error returns the fault as a phrase.
func (e *FaultError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// File is a file of cues in the order they begin.
type File struct {
	Language string // as a WebVTT header says; empty otherwise
	Cues     []Cue
	Skipped  Skipped
}

// Skipped are the blocks of a file that are no cue, or one that cannot be shown.
type Skipped struct {
	Count  int
	Blocks []SkippedBlock // the first of them
}

// SkippedBlock says where a block is, and why it was skipped.
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

// Cue is what is shown for a time.
type Cue struct {
	Line           int // where its times are
	StartMs, EndMs int64
	Stretches      []Stretch
}

// Stretch is a part of a cue with a time of its own: all of it, unless timestamps divide it.
type Stretch struct {
	StartMs, EndMs int64
	Words          []string
}
