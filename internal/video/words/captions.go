package words

// LineLetters is the maximum length of a caption line, counted in Latin letters.
const LineLetters = 42

// How words that no file divides are grouped into captions, and how long a caption stays.
const (
	captionMs      = 6000 // longer runs of words are split
	captionPauseMs = 700  // a longer pause splits too
	captionReadMs  = 1000 // so does the end of a sentence, if the part before is long enough to read

	// captionStaysMs is how long a caption stays after its last word when a pause or nothing follows. It is shorter than
	// the pause, so that two captions never overlap.
	captionStaysMs = 600
)

// Caption is a group of words that are shown together, from the start of the first word until EndMs.
type Caption struct {
	Words []Word
	EndMs int64
}

// Captions groups words, given in the order in which they are spoken, into captions. Words that come from a subtitle
// file stay in that file's captions. All other words are grouped into captions of at most the given number of
// letters, which are split at pauses and after sentences. Each caption is shown for at least a moment and ends before
// the next one begins, unless both begin at the same time.
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

// captionWords is how many of the words, at least one, form the next caption.
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

// over reports whether a caption ends before the next word, even with room left.
func over(words []Word, next Word) bool {
	startMs, endMs := words[0].StartMs, lastMs(words)

	return next.EndMs-startMs > captionMs || next.StartMs-endMs > captionPauseMs ||
		endMs-startMs >= captionReadMs && ends(words[len(words)-1].Text)
}

// cueLetters is the most letters of a file's caption that is shown whole: two lines.
const cueLetters = LineLetters + 1 + LineLetters

// manyLetters limits how much of a caption is searched for a place to divide it. A longer text is not a real caption.
const manyLetters = 20 * cueLetters

// cueWords is how many of the words are shown together because they belong to the first word's caption in a file: all of
// them, or the first of several parts of similar length when they need more than two lines.
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

// partable reports whether a caption of so many letters may end before word i. Words that begin at the same time
// stay together, or the first part would never be shown.
func partable(words []Word, i, letters int) bool {
	return words[i].StartMs > words[i-1].StartMs || letters > manyLetters
}

// lastMs is the latest end of the words.
func lastMs(words []Word) (last int64) {
	for _, w := range words {
		last = max(last, w.EndMs)
	}

	return last
}
