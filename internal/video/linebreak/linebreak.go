// Package linebreak finds where a line of text may end (UAX #14), and where text without spaces can be split.
package linebreak

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// Break says whether a line may end before a character.
type Break uint8

// The kinds of Break. Later ones allow everything that earlier ones allow.
const (
	Never   Break = iota
	Letter        // between letters: only where a word is wider than the line
	Allowed       // between words, by UAX #14
	Always        // behind a line separator
)

// Of returns one Break for the position before each character of a paragraph, and one more for the end of the
// paragraph.
func Of(runes []rune) []Break {
	var s segmenter.Segmenter

	s.Init(runes)

	all := make([]Break, len(runes)+1)

	for letters := s.GraphemeIterator(); letters.Next(); {
		at := letters.Grapheme().Offset
		all[at] = Letter

		if at > 0 && dictionary(runes[at-1]) && dictionary(runes[at]) && !bound(runes, at) {
			all[at] = Allowed
		}
	}

	for lines := s.LineIterator(); lines.Next(); {
		line := lines.Line()
		end := line.Offset + len(line.Text)
		all[end] = Allowed

		if line.IsMandatoryBreak && end < len(runes) {
			all[end] = Always
		}
	}

	return all
}

// dictionary reports whether a character is of a script without spaces whose words UAX #14 leaves to a dictionary
// (class SA). There is no dictionary: lines end between the letters of such scripts.
func dictionary(r rune) bool {
	return r >= 0x0E00 && (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.New_Tai_Lue, unicode.Tai_Le, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom)
}

// bound reports whether two letters of such a script are of one syllable, although they are two grapheme clusters:
// vowels that are written before or behind their consonant, repetition and abbreviation marks, stacked consonants, and
// Myanmar's final consonants.
func bound(runes []rune, at int) bool {
	before, after := runes[at-1], runes[at]

	switch before {
	case 0x0E40, 0x0E41, 0x0E42, 0x0E43, 0x0E44, // Thai vowels that stand before
		0x0EC0, 0x0EC1, 0x0EC2, 0x0EC3, 0x0EC4, // Lao ones
		0x17D2, 0x1039, 0x1A60: // signs that stack the next consonant
		return true
	}

	if unicode.IsMark(after) {
		return true
	}

	switch after {
	case 0x0E30, 0x0E32, 0x0E45, 0x0E2F, 0x0E46, 0x0EB0, 0x0EB2, 0x0EBD, 0x0EAF, 0x0EC6, 0x17D7:
		return true
	}

	const asat, stacker = 0x103A, 0x1039

	return at+1 < len(runes) && (runes[at+1] == asat || runes[at+1] == stacker)
}

// Unspaced reports whether the script of a character is written without spaces between words.
func Unspaced(r rune) bool {
	return dictionary(r) || r >= 0x0F00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo,
		unicode.Yi, unicode.Tibetan, unicode.Javanese, unicode.Balinese)
}

// Divide splits a word of a script without spaces into parts of one or a few letters, each with its punctuation. It
// returns any other word as a single part.
func Divide(word string) []string {
	runes := []rune(word)

	if !slices.ContainsFunc(runes, Unspaced) {
		return []string{word}
	}

	var parts []string

	from := 0

	for i, b := range Of(runes) {
		last := i == len(runes)
		if i > from && (last || b >= Allowed && (Unspaced(runes[i-1]) || Unspaced(runes[i]))) {
			parts, from = append(parts, string(runes[from:i])), i
		}
	}

	return parts
}
