// Package words is what can be told from words and their times alone: where sentences end, which captions they make, which of
// them are fillers, and how WebVTT and SubRip files are read as words and written from them. It is pure. Start with Word and
// Captions.
//
// Files are read as the parser of WebVTT reads them: what is no cue is skipped, and the file says what that was. Cues are
// taken for what was said: markup, speakers and positions are left out, and the time of a cue is shared over its words,
// which remember the cue: they are written, and drawn, together again, in lines broken anew.
package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/reelgraph/reelgraph/internal/video/linebreak"
)

// Word is a word and when it is heard.
type Word struct {
	Text           string
	StartMs, EndMs int64
	Cue            int  // which caption of a file it stands in, from 1; 0 when nobody divided the words
	Joined         bool // no space stands between it and the word before
}

// columns is the room that a word takes in a line, in Latin letters: Chinese, Japanese and Korean ones are twice as wide,
// and marks have no width of their own.
func columns(text string) int {
	n := 0

	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		case !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			n++
		}
	}

	return n
}

// room is columns and the space before the word.
func (w Word) room() int {
	if w.Joined {
		return columns(w.Text)
	}

	return 1 + columns(w.Text)
}

// Divide divides words that are written without spaces, as Chinese and Thai are, so that each part can be shown, and lit,
// on its own: a recognizer, or a file, may give a whole sentence as one word. The parts share the word's time by their
// length. Words that nobody divided into captions, and that are written without spaces, are joined.
func Divide(words []Word) []Word {
	all := make([]Word, 0, len(words))

	for i, w := range words {
		w.Joined = i > 0 && w.Cue == 0 && words[i-1].Cue == 0 && unspacedBetween(words[i-1].Text, w.Text)

		parts := divided(w.Text)
		if len(parts) < 2 {
			all = append(all, w)

			continue
		}

		total, before := utf8.RuneCountInString(w.Text), 0
		at := func(n int) int64 { return w.StartMs + (w.EndMs-w.StartMs)*int64(n)/int64(total) }

		for k, text := range parts {
			n := utf8.RuneCountInString(text)
			all = append(all, Word{text, at(before), at(before + n), w.Cue, k > 0 || w.Joined})
			before += n
		}
	}

	return all
}

// longWord is how many characters a word has at most that is shown in one piece, if need be in smaller letters.
const longWord = 2 * cueLetters

// divided are the parts of a word: what has no end, as encoded data has none, is cut.
func divided(word string) (parts []string) {
	for _, part := range linebreak.Divide(word) {
		letters := []rune(part)
		for len(letters) > longWord {
			parts, letters = append(parts, string(letters[:cueLetters])), letters[cueLetters:]
		}

		parts = append(parts, string(letters))
	}

	return parts
}

func unspacedBetween(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)

	return linebreak.Unspaced(first) && (linebreak.Unspaced(last) || columns(string(last)) == 2)
}
