package words

import (
	"slices"
	"strings"
	"unicode"
)

// apartPauseMs is the pause that sets a word apart from its neighbours, as a comma does.
const apartPauseMs = 300

// Fillers are the filler words of a language, which have no meaning, such as "um".
type Fillers struct {
	Always []string // words and phrases, in lower case
	Apart  []string // words that are fillers only between commas or pauses
}

// DefaultFillers returns the filler words of all supported languages. The keys are language codes without a region.
func DefaultFillers() map[string]Fillers {
	return map[string]Fillers{
		"en": {
			Always: []string{"um", "uh", "erm", "er", "hmm", "mm", "you know", "i mean"},
			Apart:  []string{"like"},
		},
	}
}

// FillersFrom returns the filler words of all languages. lists holds the operator's lists by language; such a list
// replaces the default fillers of its language. A word in brackets is a filler only between commas or pauses.
func FillersFrom(lists map[string][]string) map[string]Fillers {
	all := DefaultFillers()

	for language, words := range lists {
		var own Fillers

		for _, word := range words {
			word = strings.ToLower(word)
			if apart, found := strings.CutPrefix(word, "("); found {
				own.Apart = append(own.Apart, strings.TrimSuffix(apart, ")"))
			} else {
				own.Always = append(own.Always, word)
			}
		}

		all[language] = own
	}

	return all
}

// FillersOf returns the fillers of a language tag such as en-GB. An empty tag means English; an unknown language has
// no fillers.
func FillersOf(known map[string]Fillers, language string) Fillers {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	if base == "" || base == "und" {
		base = "en"
	}

	return known[base]
}

// Range is a range of words: the indices of its first and its last word.
type Range struct{ From, To int }

// Find returns the fillers in words. The words must be in the order in which they are spoken.
func (f Fillers) Find(words []Word) []Range {
	bare := make([]string, len(words))
	for i, w := range words {
		bare[i] = strings.TrimFunc(strings.ToLower(w.Text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}

	var found []Range

	for i := 0; i < len(words); i++ {
		switch n := f.phraseAt(bare[i:]); {
		case n > 0:
			found = append(found, Range{i, i + n - 1})
			i += n - 1
		case slices.Contains(f.Apart, bare[i]) && apart(words, i):
			found = append(found, Range{i, i})
		}
	}

	return found
}

// phraseAt is the number of words of the longest phrase at the start of words; 0 is none.
func (f Fillers) phraseAt(words []string) int {
	longest := 0

	for _, phrase := range f.Always {
		parts := strings.Fields(phrase)
		if len(parts) > longest && len(parts) <= len(words) && slices.Equal(parts, words[:len(parts)]) {
			longest = len(parts)
		}
	}

	return longest
}

// apart reports whether a comma, a pause or an end is on both sides of a word.
func apart(words []Word, i int) bool {
	before := i == 0 || broken(words[i-1].Text) || words[i].StartMs-words[i-1].EndMs >= apartPauseMs
	behind := i == len(words)-1 || broken(words[i].Text) || words[i+1].StartMs-words[i].EndMs >= apartPauseMs

	return before && behind
}

func broken(word string) bool {
	return ends(word) || strings.HasSuffix(word, ",") || strings.HasSuffix(word, "，") || strings.HasSuffix(word, "、")
}
