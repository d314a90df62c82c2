package spoken

import "strings"

// sentencePauseMs is how long a pause ends a sentence that no punctuation ends.
const sentencePauseMs = 500

// Sentence is a run of words up to where it ends.
type Sentence struct {
	Text           string
	StartMs, EndMs int64
}

// Sentences joins words, which are in the order they are heard. A sentence ends at punctuation, else
// at a pause of half a second.
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

// ends reports whether a word is the last of its sentence. Quotes and brackets may close behind the
// punctuation.
func ends(word string) bool {
	word = strings.TrimRight(word, `"'”’»)]}`)

	for _, mark := range []string{".", "!", "?", "…", "。", "！", "？", "।", "؟"} {
		if strings.HasSuffix(word, mark) {
			return true
		}
	}

	return false
}
