// Package words processes words and their times: it finds sentences, captions and fillers, and reads and writes
// WebVTT and SubRip files. It has no side effects. Start with Word and Captions.
//
// It reads files as a WebVTT parser does: blocks that are not cues are skipped and reported. The text of a cue counts
// as speech. Markup, speakers and positions are dropped. The time of a cue is divided among its words. Each word
// keeps the number of its cue, so that the words of a cue are later written and drawn together again, with new line
// breaks.
package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/reelgraph/reelgraph/internal/video/linebreak"
)

// Word is a spoken word with its start and end.
type Word struct {
	Text           string
	StartMs, EndMs int64
	Cue            int  // number of the caption in its file, from 1; 0 when no file divided the words
	Joined         bool // no space between this word and the one before
}

// columns is the width of a word in Latin letters: Chinese, Japanese and Korean letters count twice, combining marks not at
// all.
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

// room is columns plus the space before the word.
func (w Word) room() int {
	if w.Joined {
		return columns(w.Text)
	}

	return 1 + columns(w.Text)
}

// Divide divides words of scripts without spaces, such as Chinese and Thai, so that each part can be shown and
// highlighted separately: a recognizer or a file may give a whole sentence as one word. The time of the word is
// divided among the parts by their length. Adjacent words of such scripts are marked as Joined, unless a file divided
// them into captions.
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

// longWord is the most characters of a word shown in one piece, if need be in smaller letters.
const longWord = 2 * cueLetters

// divided returns the parts of a word. A part that cannot be divided, such as encoded data, is cut.
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
