package subtitle

import (
	"cmp"
	"fmt"
	"slices"
)

// Words are the words of a file over a recording of lengthMs, in the order they begin, as are its cues, which are
// counted from 1. Ends past the recording are clamped; a cue that starts at or past its end is a *FaultError. Where
// cues overlap so that words of one lie between those of another, they do not remember their cues.
func (f *File) Words(lengthMs int64) ([]Word, error) {
	words := []Word{}

	for number, c := range f.Cues {
		if c.StartMs >= lengthMs {
			return nil, &FaultError{c.Line, fmt.Sprintf("the cue starts at %d ms, and the recording ends at %d ms", c.StartMs, lengthMs)}
		}

		for _, s := range c.Stretches {
			n, length := int64(len(s.Words)), s.EndMs-s.StartMs

			for i, text := range s.Words {
				words = append(words, Word{
					Text:    text,
					StartMs: min(s.StartMs+length*int64(i)/n, lengthMs),
					EndMs:   min(s.StartMs+length*int64(i+1)/n, lengthMs),
					Cue:     number + 1,
				})
			}
		}
	}

	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.StartMs, b.StartMs) })
	forget(words)

	return words, nil
}

// forget takes their cue from words of cues that lie between each other.
func forget(words []Word) {
	last := map[int]int{} // the last word of each cue
	for i, w := range words {
		last[w.Cue] = i
	}

	for from := 0; from < len(words); {
		until, mixed := last[words[from].Cue], false

		for i := from; i <= until; i++ {
			until = max(until, last[words[i].Cue])
			mixed = mixed || words[i].Cue != words[from].Cue
		}

		for i := from; mixed && i <= until; i++ {
			words[i].Cue = 0
		}

		from = until + 1
	}
}
