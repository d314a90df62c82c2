package words

// LineLetters is how much a line of captions holds, in Latin letters.
const LineLetters = 42

// What is shown at once of words that no file divides, and how long it stays.
const (
	captionMs      = 6000 // words that take longer are parted
	captionPauseMs = 700  // as are those before and after a longer pause
	captionReadMs  = 1000 // and sentences, where the first takes as long: nobody could read less

	// captionStaysMs is how long a caption stays after its last word, where such a pause or nothing follows. It is less
	// than the pause, or two would be shown at once.
	captionStaysMs = 600
)

// Caption is words that are shown together, from the first until EndMs.
type Caption struct {
	Words []Word
	EndMs int64
}

// Captions divides words, which are in the order they are heard, into captions: those of a file as it has them, the
// others into at most so many letters, parted at pauses and behind sentences. Each is shown for a moment at least, and
// none is when the next one begins, unless both begin at once.
func Captions(words []Word, letters int) (all []Caption) {
	for len(words) > 0 {
		n := captionWords(words, letters)
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

		c.EndMs = max(c.EndMs, c.Words[0].StartMs+1)
		all = append(all, c)
	}

	return all
}

// captionWords is how many of the words, at least one, are shown together.
func captionWords(words []Word, letters int) int {
	if words[0].Cue > 0 {
		return cueWords(words)
	}

	taken := -1

	for i, w := range words {
		taken += w.room()

		if i > 0 && (w.Cue > 0 || partable(words, i, taken) && (taken > letters || over(words[:i], w))) {
			return i
		}
	}

	return len(words)
}

// over reports whether a caption of words ends before the next one, whatever room there is.
func over(words []Word, next Word) bool {
	startMs, endMs := words[0].StartMs, lastMs(words)

	return next.EndMs-startMs > captionMs || next.StartMs-endMs > captionPauseMs ||
		endMs-startMs >= captionReadMs && ends(words[len(words)-1].Text)
}

// cueLetters is the most letters of a file's caption that is shown whole: two lines.
const cueLetters = LineLetters + 1 + LineLetters

// manyLetters is how much of a caption is looked at to divide it: what is longer is no caption.
const manyLetters = 20 * cueLetters

// cueWords is how many of the words are shown together because a file has them in one caption, which the first of them
// names: all that follow it there or, when those are more than two lines, the first of parts about as long.
func cueWords(words []Word) int {
	n, letters := 0, -1

	for n < len(words) && words[n].Cue == words[0].Cue && letters < manyLetters {
		letters += words[n].room()
		n++
	}

	parts := (letters + cueLetters - 1) / cueLetters
	if parts < 2 {
		return n
	}

	share, taken := letters/parts, -1

	for i, w := range words[:n] {
		with := taken + w.room()
		if i > 0 && partable(words, i, with) && (with > cueLetters || with-share > share-taken) {
			return i
		}

		taken = with
	}

	return n
}

// partable reports whether a caption may end before word i, with which it has so many letters: what is said at once is
// shown at once, or the first part would be seen by nobody.
func partable(words []Word, i, letters int) bool {
	return words[i].StartMs > words[i-1].StartMs || letters > manyLetters
}

// lastMs is when the last of words has been said.
func lastMs(words []Word) (last int64) {
	for _, w := range words {
		last = max(last, w.EndMs)
	}

	return last
}
