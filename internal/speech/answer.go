package speech

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"unicode"
)

// answer is the verbose_json response of both kinds of servers. Servers put the words beside the segments, inside them,
// or nowhere.
type answer struct {
	Language string          `json:"language"`
	Text     string          `json:"text"`
	Words    []timedText     `json:"words"`
	Segments []segment       `json:"segments"`
	Error    json.RawMessage `json:"error"`
}

type segment struct {
	Text  string      `json:"text"`
	Start *float64    `json:"start"`
	End   *float64    `json:"end"`
	Words []timedText `json:"words"`
}

type timedText struct {
	Word        string   `json:"word"`
	Start       *float64 `json:"start"`
	End         *float64 `json:"end"`
	Probability float64  `json:"probability"`
}

// speech returns the speech in a response, with words spelled as in its text. It returns an error for a text without
// any times: the words cannot be placed, and an empty result would be wrong.
func (a answer) speech() (Speech, error) {
	s := Speech{Language: a.Language}

	switch {
	case len(a.Words) > 0:
		s.Words = whole(a.Words, 0)
	default:
		for _, seg := range a.Segments {
			s.Words = append(s.Words, seg.spoken()...)
		}
	}

	if len(s.Words) == 0 && cleanText(spokenOnly(a.written())) != "" {
		return Speech{}, &Error{Message: "The speech service returned text without the times of its words."}
	}

	s.Words = punctuated(s.Words, a.Text)

	return s, nil
}

// written returns the whole text, with or without times.
func (a answer) written() string {
	all := []string{a.Text}
	for _, seg := range a.Segments {
		all = append(all, seg.Text)
	}

	return strings.Join(all, " ")
}

// spoken returns the words of a segment. Words without times of their own share the segment's.
func (g segment) spoken() []Word {
	if len(g.Words) > 0 {
		return whole(g.Words, ms(g.Start))
	}

	if g.Start == nil || g.End == nil {
		return nil
	}

	if cleanText(spokenOnly(g.Text)) == "" {
		return nil
	}

	texts := strings.Fields(noise.ReplaceAllString(g.Text, " "))
	words := make([]Word, len(texts))
	start, length := ms(g.Start), ms(g.End)-ms(g.Start)

	for i, text := range texts {
		words[i] = Word{
			Text:    text,
			StartMs: start + length*int64(i)/int64(len(texts)), EndMs: start + length*int64(i+1)/int64(len(texts)),
		}
	}

	return words
}

var (
	// noise matches what recognizers write for sounds that nobody says.
	noise = regexp.MustCompile(`\[[^\[\]]*\]`)
	// aside matches text that may be noise or speech: (applause), *laughter*.
	aside = regexp.MustCompile(noise.String() + `|\([^()]*\)|\*[^*]*\*`)
)

// spokenOnly removes text that may be noise. If nothing is left, nothing was said.
func spokenOnly(text string) string { return aside.ReplaceAllString(text, " ") }

// whole joins words that a server split: some return tokens, of which only those that begin a word start with a space.
// A token without a time begins where the one before ended; the first begins at beginMs.
func whole(parts []timedText, beginMs int64) []Word {
	spaced := false
	for _, p := range parts {
		spaced = spaced || strings.HasPrefix(p.Word, " ")
	}

	var words []Word

	for _, p := range parts {
		last := len(words) - 1
		if last >= 0 && spaced && !begins(words[last].Text, p.Word) {
			words[last].Text += p.Word
			words[last].EndMs = max(words[last].EndMs, ms(p.End))
			words[last].Confidence = min(words[last].Confidence, p.Probability)

			continue
		}

		w := Word{Text: p.Word, StartMs: ms(p.Start), EndMs: ms(p.End), Confidence: p.Probability}
		if p.Start == nil || *p.Start < 0 {
			w.StartMs = beginMs
		}

		words, beginMs = append(words, w), w.EndMs
	}

	return words
}

// begins reports whether a token begins a new word. In scripts without spaces, words are as long as their tokens.
func begins(before, token string) bool {
	if strings.HasPrefix(token, " ") {
		return true
	}

	for _, r := range token {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}

	return before == ""
}

// punctuated gives words the capitals and punctuation of the text, if both consist of the same words.
func punctuated(words []Word, text string) []Word {
	written := strings.Fields(text)
	if len(written) != len(words) {
		return words
	}

	for i, w := range words {
		if bare(w.Text) != bare(written[i]) {
			return words
		}
	}

	for i := range words {
		words[i].Text = written[i]
	}

	return words
}

func bare(word string) string {
	return strings.Map(func(r rune) rune {
		if !spelled(r) {
			return -1
		}

		return unicode.ToLower(r)
	}, word)
}

// ms converts seconds to milliseconds. It returns zero for a missing or invalid time.
func ms(seconds *float64) int64 {
	const longest = 1 << 31

	if seconds == nil || math.IsNaN(*seconds) || *seconds < 0 {
		return 0
	}

	return int64(math.Round(min(*seconds, longest) * 1000))
}
