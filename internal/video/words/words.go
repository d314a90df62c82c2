package words

import (
	"cmp"
	"fmt"
	"slices"
)

// togetherMs is the largest distance between the starts of two cues that are read as one when they mostly overlap.
const togetherMs = 500

// Words returns the words of a subtitle file for a recording of lengthMs, in the order in which they begin. The cues
// are numbered from 1. A cue that ends after the recording is clamped. A cue that starts at or after the end of the
// recording is skipped. If all cues are skipped, Words returns a *FaultError.
//
// Words are assumed to be spoken one after the other, even where cues overlap. A cue therefore ends where the next one
// begins, and its words get less time. Cues that begin together are merged, and each gets the same share of the time.
func (f *File) Words(lengthMs int64) ([]Word, error) {
	if err := f.skipLate(lengthMs); err != nil {
		return nil, err
	}

	words := []Word{}

	for first := 0; first < len(f.Cues); {
		end := first + together(f.Cues[first:])
		group := f.Cues[first:end]
		startMs, endMs := group[0].StartMs, group[0].EndMs

		for _, c := range group {
			endMs = max(endMs, c.EndMs)
		}

		if end < len(f.Cues) {
			endMs = min(endMs, f.Cues[end].StartMs)
		}

		at := func(n int) int64 { return startMs + (endMs-startMs)*int64(n)/int64(len(group)) }
		for n := range group {
			words = append(words, group[n].words(at(n), at(n+1), lengthMs, first+1)...)
		}

		first = end
	}

	return words, nil
}

// skipLate skips the cues that begin after the recording ends.
func (f *File) skipLate(lengthMs int64) error {
	var late []SkippedBlock

	for _, c := range f.Cues {
		if c.StartMs >= lengthMs {
			late = append(late, SkippedBlock{c.Line, fmt.Sprintf("the cue starts at %d ms, but the recording ends at %d ms", c.StartMs, lengthMs)})
		}
	}

	if len(late) == 0 {
		return nil
	}

	if len(late) == len(f.Cues) {
		return &FaultError{late[0].Line, late[0].Reason + "; the file has no cue that starts within the recording"}
	}

	f.Cues = slices.DeleteFunc(f.Cues, func(c Cue) bool { return c.StartMs >= lengthMs })

	all := slices.Concat(late, f.Skipped.Blocks)
	slices.SortStableFunc(all, func(a, b SkippedBlock) int { return cmp.Compare(a.Line, b.Line) })

	f.Skipped = Skipped{Count: f.Skipped.Count + len(late), Blocks: all[:min(len(all), listedSkips)]}

	return nil
}

// together is the number of cues at the start that are read as one.
func together(cues []Cue) int {
	one, n := cues[0], 1
	for n < len(cues) && cues[n].StartMs < one.StartMs+togetherMs && 2*(one.EndMs-cues[n].StartMs) > one.EndMs-one.StartMs {
		n++
	}

	return n
}

// words returns the words of a cue, with times moved between two limits.
func (c *Cue) words(fromMs, toMs, lengthMs int64, number int) (words []Word) {
	moved := func(ms int64) int64 {
		return min(fromMs+(ms-c.StartMs)*(toMs-fromMs)/(c.EndMs-c.StartMs), lengthMs)
	}

	for _, s := range c.Stretches {
		n, length := int64(len(s.Words)), s.EndMs-s.StartMs

		for i, text := range s.Words {
			words = append(words, Word{
				Text: text, StartMs: moved(s.StartMs + length*int64(i)/n), EndMs: moved(s.StartMs + length*int64(i+1)/n), Cue: number,
			})
		}
	}

	return words
}
