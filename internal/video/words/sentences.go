package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentencePauseMs is the pause that ends a sentence without punctuation.
const sentencePauseMs = 500

// Sentence is a series of words with its start and end.
type Sentence struct {
	Text           string
	StartMs, EndMs int64
}

// Sentences groups words, given in the order in which they are spoken, into sentences. A sentence ends at punctuation
// or at a pause of half a second.
func Sentences(words []Word) []Sentence {
	var (
		all  []Sentence
		text []string
	)

	for i, w := range words {
		if len(text) == 0 {
			all = append(all, Sentence{StartMs: w.StartMs})
		}

		last := &all[len(all)-1]
		last.EndMs = max(last.EndMs, w.EndMs)
		text = append(text, w.Text)

		if i == len(words)-1 || ends(w.Text) || words[i+1].StartMs-w.EndMs >= sentencePauseMs {
			last.Text, text = strings.Join(text, " "), nil
		}
	}

	return all
}

// ends reports whether a word ends its sentence. Closing quotes and brackets may follow the punctuation; some languages
// close with what others open with.
func ends(word string) bool {
	word = strings.TrimRightFunc(word, func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi)
	})
	last, _ := utf8.DecodeLastRuneInString(word)

	return last == '…' || unicode.Is(unicode.STerm, last)
}
