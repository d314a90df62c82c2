package subtitle

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// How much a caption holds, and how long it stands.
const (
	lineChars  = 42
	captionMs  = 6000
	pauseMs    = 800 // of silence after which another caption begins
	lingersMs  = 600 // after the last word, unless the next caption begins
	sentenceBy = 24  // characters from which the end of a sentence ends the caption
)

// VTT writes words, in the order they are heard, as WebVTT: captions of at most two lines, with the time of
// each word inside them.
func VTT(words []Word) []byte {
	var b strings.Builder

	b.WriteString("WEBVTT\n")

	for rest := words; len(rest) > 0; {
		n := captionOf(rest)
		endMs := rest[n-1].EndMs + lingersMs

		if n < len(rest) {
			endMs = min(endMs, rest[n].StartMs)
		}

		writeCaption(&b, rest[:n], max(endMs, rest[n-1].EndMs, rest[0].StartMs+1))

		rest = rest[n:]
	}

	return []byte(b.String())
}

// captionOf is how many of the words, at least one, stand in one caption.
func captionOf(words []Word) int {
	chars := 0

	for i, w := range words {
		if i > 0 && (chars+1+utf8.RuneCountInString(w.Text) > 2*lineChars-8 ||
			w.EndMs-words[0].StartMs > captionMs || w.StartMs-words[i-1].EndMs > pauseMs) {
			return i
		}

		chars += 1 + utf8.RuneCountInString(w.Text)

		if chars >= sentenceBy && strings.ContainsAny(w.Text[max(len(w.Text)-1, 0):], ".?!") {
			return i + 1
		}
	}

	return len(words)
}

func writeCaption(b *strings.Builder, words []Word, endMs int64) {
	fmt.Fprintf(b, "\n%s --> %s\n", timestamp(words[0].StartMs), timestamp(endMs))

	broken := breakBefore(words)

	for i, w := range words {
		switch i {
		case 0:
		case broken:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}

		if i > 0 {
			b.WriteString("<" + timestamp(max(w.StartMs, words[0].StartMs)) + ">")
		}

		b.WriteString(escape(w.Text))
	}

	b.WriteByte('\n')
}

// breakBefore is the word that begins the second of two lines that are about as long; 0 is one line.
func breakBefore(words []Word) int {
	total := -1
	for _, w := range words {
		total += 1 + utf8.RuneCountInString(w.Text)
	}

	if total <= lineChars {
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

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", " ", "\r", " ").Replace(text)
}

func timestamp(ms int64) string {
	return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3600000, ms/60000%60, ms/1000%60, ms%1000)
}
