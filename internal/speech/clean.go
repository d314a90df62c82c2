package speech

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxWordRunes is longer than any word. Longer text is cut.
const maxWordRunes = 200

// clean makes a provider's words fit to be stored: in order, within the sound, each with a text.
func clean(words []Word, lengthMs int64) []Word {
	kept := make([]Word, 0, len(words))

	for _, w := range words {
		w.Text = cleanText(w.Text)
		if w.Text == "" || isAside(w.Text) || w.StartMs >= lengthMs {
			continue
		}

		w.StartMs = max(w.StartMs, 0)
		w.EndMs = min(max(w.EndMs, w.StartMs), lengthMs)

		if w.Confidence = min(max(w.Confidence, 0), 1); math.IsNaN(w.Confidence) {
			w.Confidence = 0
		}

		kept = append(kept, w)
	}

	slices.SortStableFunc(kept, func(a, b Word) int { return cmp.Compare(a.StartMs, b.StartMs) })

	return kept
}

// isAside reports whether a word is a recognizer's mark for music or noise, such as [Music].
func isAside(word string) bool { return strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]") }

// cleanText returns the readable part of a text. A text without a letter or digit, such as a music note, counts as
// empty.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(text, ""))

	text = norm.NFC.String(strings.Join(strings.Fields(text), " "))

	if !strings.ContainsFunc(text, spelled) {
		return ""
	}

	if runes := []rune(text); len(runes) > maxWordRunes {
		text = string(runes[:maxWordRunes])
	}

	return text
}

// spelled reports whether words are made of this character.
func spelled(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }
