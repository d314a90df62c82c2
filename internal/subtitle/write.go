package subtitle

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/spoken"
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

	for _, c := range captions(words) {
		fmt.Fprintf(&b, "\n%s --> %s\n", timestamp(c.words[0].StartMs, '.'), timestamp(c.endMs, '.'))

		at := c.words[0].StartMs

		c.write(&b, func(w Word) string {
			if w.StartMs <= at { // the first, or one that begins with the word before: times inside a caption rise
				return vttText.Replace(w.Text)
			}

			at = w.StartMs

			return "<" + timestamp(at, '.') + ">" + vttText.Replace(w.Text)
		})
	}

	return []byte(b.String())
}

// SRT writes the same captions as SubRip, which knows no times of words.
func SRT(words []Word) []byte {
	var b strings.Builder

	for i, c := range captions(words) {
		if i > 0 {
			b.WriteByte('\n')
		}

		fmt.Fprintf(&b, "%d\n%s --> %s\n", i+1, timestamp(c.words[0].StartMs, ','), timestamp(c.endMs, ','))

		c.write(&b, func(w Word) string { return srtText.Replace(w.Text) })
	}

	return []byte(b.String())
}

// SubRip has no references: its players show an ampersand as it stands, and take what follows a < for markup.
var (
	vttText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", " ", "\r", " ")
	srtText = strings.NewReplacer("<", "&lt;", "\n", " ", "\r", " ")
)

// caption is what is shown at once, from its first word until it ends.
type caption struct {
	words []Word
	endMs int64
}

// captions divides words into what is shown at once. Those of a file's cue are shown from the first to the end of the
// last.
func captions(words []Word) (all []caption) {
	for rest := words; len(rest) > 0; {
		n := captionOf(rest)

		endMs := rest[n-1].EndMs
		if rest[n-1].Cue == 0 {
			endMs += lingersMs
		}

		if n < len(rest) {
			endMs = min(endMs, rest[n].StartMs)
		}

		all = append(all, caption{rest[:n], max(endMs, rest[n-1].EndMs, rest[0].StartMs+1)})

		rest = rest[n:]
	}

	return all
}

// captionOf is how many of the words, at least one, stand in one caption.
func captionOf(words []Word) int {
	if words[0].Cue > 0 {
		return spoken.Cue(words)
	}

	chars := 0

	for i, w := range words {
		if i > 0 && (w.Cue > 0 || chars+1+utf8.RuneCountInString(w.Text) > 2*lineChars-8 ||
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

// write writes the words in one line or two, each as it is said to be.
func (c caption) write(b *strings.Builder, as func(w Word) string) {
	broken := breakBefore(c.words)

	for i, w := range c.words {
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

func timestamp(ms int64, point byte) string {
	return fmt.Sprintf("%02d:%02d:%02d%c%03d", ms/3600000, ms/60000%60, ms/1000%60, point, ms%1000)
}
