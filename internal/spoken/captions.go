package spoken

import "unicode/utf8"

// What is shown at once of words that no file divides, and how long it stays.
const (
	captionMs      = 6000 // a longer time ends it
	captionPauseMs = 700  // a longer pause ends it
	captionStaysMs = 600  // behind such a pause
	captionWords   = 3    // from so many on, the end of a sentence ends it
)

// Caption is words that are shown together, from the first until EndMs.
type Caption struct {
	Words []Word
	EndMs int64
}

// Captions divides words, which are in the order they are heard, into captions of at most so many letters: those of a
// file as it has them, the others at pauses and where sentences end. None ends behind the beginning of the next one.
func Captions(words []Word, letters int) (all []Caption) {
	for len(words) > 0 {
		n := together(words, letters)
		c := Caption{Words: words[:n], EndMs: lastMs(words[:n])}
		words = words[n:]

		var pauseMs, staysMs int64
		if c.Words[0].Cue == 0 {
			pauseMs, staysMs = captionPauseMs, captionStaysMs
		}

		if len(words) > 0 && words[0].StartMs <= c.EndMs+pauseMs {
			c.EndMs = words[0].StartMs
		} else {
			c.EndMs += staysMs
		}

		all = append(all, c)
	}

	return all
}

// together is how many of the words, at least one, are shown together.
func together(words []Word, letters int) int {
	if words[0].Cue > 0 {
		return cue(words)
	}

	taken, endMs := -1, words[0].EndMs

	for i, w := range words {
		taken += 1 + utf8.RuneCountInString(w.Text)

		if i > 0 && (w.Cue > 0 || taken > letters || w.EndMs-words[0].StartMs > captionMs || w.StartMs-endMs > captionPauseMs ||
			i >= captionWords && ends(words[i-1].Text)) {
			return i
		}

		endMs = max(endMs, w.EndMs)
	}

	return len(words)
}

// lastMs is when the last of words has been said.
func lastMs(words []Word) int64 {
	var last int64
	for _, w := range words {
		last = max(last, w.EndMs)
	}

	return last
}

// captionLetters is the most letters of a file's caption that is shown whole: two lines of 42.
const captionLetters = 42 + 1 + 42

// manyLetters is how much of a caption is looked at to divide it: what is longer is no caption.
const manyLetters = 20 * captionLetters

// cue is how many of the words are shown together because a file has them in one caption, which the first of them
// names: all that follow it there or, when those are more than two lines, the first of parts about as long.
func cue(words []Word) int {
	n, letters := 0, -1

	for n < len(words) && words[n].Cue == words[0].Cue && letters < manyLetters {
		letters += 1 + utf8.RuneCountInString(words[n].Text)
		n++
	}

	parts := (letters + captionLetters - 1) / captionLetters
	if parts < 2 {
		return n
	}

	share, taken := letters/parts, -1

	for i, w := range words[:n] {
		with := taken + 1 + utf8.RuneCountInString(w.Text)
		if i > 0 && (with > captionLetters || with-share > share-taken) {
			return i
		}

		taken = with
	}

	return n
}
