// Package spoken is what can be told from words and their times alone: where sentences end, what is shown at once, and which
// words are fillers. It is pure.
package spoken

// Word is a word and when it is heard.
type Word struct {
	Text           string
	StartMs, EndMs int64
	Cue            int // which caption of a file it stands in, from 1; 0 when nobody divided the words
}
