package speech

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxWordRunes is more than any word has; what a provider runs together beyond it is cut.
const maxWordRunes = 200

// clean makes of a provider's words what may be stored: in order, inside the sound, each with a text.
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

// isAside reports whether a word is what recognisers write for music and noise, such as [Music].
func isAside(word string) bool { return strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]") }

// cleanText leaves what can be read. What holds neither letter nor digit, such as a lone note sign for
// music, is nothing that was said.
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

// spelled reports what words are made of.
func spelled(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }
