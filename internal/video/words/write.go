package words

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// captionLetters is two lines, minus the space lost because lines break between words.
const captionLetters = 2*LineLetters - 8

// VTT returns words, given in the order in which they are spoken, as WebVTT: captions of at most two lines that
// contain the time of each word.
func VTT(words []Word) []byte {
	var b strings.Builder

	b.WriteString("WEBVTT\n")

	for _, c := range Captions(words, captionLetters) {
		fmt.Fprintf(&b, "\n%s --> %s\n", timestamp(c.Words[0].StartMs, '.'), timestamp(c.EndMs, '.'))

		at := c.Words[0].StartMs

		write(&b, c.Words, func(w Word) string {
			if w.StartMs <= at { // the first, or one that begins with the word before: times inside a caption must increase
				return vttText.Replace(w.Text)
			}

			at = w.StartMs

			return "<" + timestamp(at, '.') + ">" + vttText.Replace(w.Text)
		})
	}

	return []byte(b.String())
}

// SRT returns the captions of VTT as SubRip, without the times of words.
func SRT(words []Word) []byte {
	var b strings.Builder

	for i, c := range Captions(words, captionLetters) {
		if i > 0 {
			b.WriteByte('\n')
		}

		fmt.Fprintf(&b, "%d\n%s --> %s\n", i+1, timestamp(c.Words[0].StartMs, ','), timestamp(c.EndMs, ','))

		write(&b, c.Words, func(w Word) string { return srtText.Replace(w.Text) })
	}

	return []byte(b.String())
}

// SubRip has no character references: its players show an ampersand as is and read < as markup.
var (
	vttText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", " ", "\r", " ")
	srtText = strings.NewReplacer("<", "&lt;", "\n", " ", "\r", " ")
)

// write writes the words in one line or two, each formatted by as.
func write(b *strings.Builder, words []Word, as func(w Word) string) {
	broken := breakBefore(words)

	for i, w := range words {
		switch i {
		case 0:
		case broken:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}

		b.WriteString(as(w))
	}

	b.WriteByte('\n')
}

// breakBefore returns the word that starts the second of two lines of similar length; 0 is one line.
func breakBefore(words []Word) int {
	total := -1
	for _, w := range words {
		total += 1 + utf8.RuneCountInString(w.Text)
	}

	if total <= LineLetters {
		return 0
	}

	best, nearest, first := 0, total, -1

	for i, w := range words {
		if off := max(first-(total-first), (total-first)-first); i > 0 && off < nearest {
			best, nearest = i, off
		}

		first += 1 + utf8.RuneCountInString(w.Text)
	}

	return best
}

func timestamp(ms int64, point byte) string {
	return fmt.Sprintf("%02d:%02d:%02d%c%03d", ms/3600000, ms/60000%60, ms/1000%60, point, ms%1000)
}
