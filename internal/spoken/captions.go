package spoken

import "unicode/utf8"

// captionLetters is the most letters of a file's caption that is shown whole: two lines of 42.
const captionLetters = 42 + 1 + 42

// manyLetters is how much of a caption is looked at to divide it: what is longer is no caption.
const manyLetters = 20 * captionLetters

// Cue is how many of the words are shown together because a file has them in one caption, which the first of them
// names: all that follow it there or, when those are more than two lines, the first of parts about as long.
func Cue(words []Word) int {
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
