// Package subtitle reads WebVTT and SubRip files as words with times, and writes words as either. It is pure.
//
// Cues are taken for what was said: markup, speakers and positions are left out, and the time of a cue
// is shared over its words, which remember the cue: they are written, and drawn, together again, in lines broken anew.
package subtitle

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/spoken"
)

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

// Word is a word and when it is heard.
type Word = spoken.Word
