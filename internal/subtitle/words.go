package subtitle

import (
	"cmp"
	"fmt"
	"slices"
)

// Words are the words of a file over a recording of lengthMs, in the order they begin. Ends past the
// recording are clamped; a cue that starts at or past its end is a *FaultError. Where cues overlap, their words
// lie between each other, and none remembers its cue.
func (f *File) Words(lengthMs int64) ([]Word, error) {
	words := []Word{}
	overlap := false

	for i, c := range f.Cues {
		overlap = overlap || i > 0 && c.StartMs < f.Cues[i-1].EndMs

		if c.StartMs >= lengthMs {
			return nil, &FaultError{c.Line, fmt.Sprintf("the cue starts at %d ms, and the recording ends at %d ms", c.StartMs, lengthMs)}
		}

		for _, s := range c.Stretches {
			n, length := int64(len(s.Words)), s.EndMs-s.StartMs

			for j, text := range s.Words {
				words = append(words, Word{
					Text:    text,
					StartMs: min(s.StartMs+length*int64(j)/n, lengthMs),
					EndMs:   min(s.StartMs+length*int64(j+1)/n, lengthMs),
					Cue:     i + 1,
				})
			}
		}
	}

	if overlap {
		for i := range words {
			words[i].Cue = 0
		}
	}

	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.StartMs, b.StartMs) })

	return words, nil
}
