package spoken_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/spoken"
)

// said makes words of 200 ms each; a | before a word is a pause of that many hundred milliseconds.
func said(text string) []spoken.Word {
	var (
		words []spoken.Word
		at    int64
	)

	for w := range strings.FieldsSeq(text) {
		for strings.HasPrefix(w, "|") {
			at, w = at+100, w[1:]
		}

		words = append(words, spoken.Word{Text: w, StartMs: at, EndMs: at + 200})
		at += 200
	}

	return words
}

func TestSentences(t *testing.T) {
	t.Parallel()

	for text, want := range map[string][]string{
		"":                                    nil,
		"One.":                                {"One."},
		"One. Two! Three? Four… five":         {"One.", "Two!", "Three?", "Four…", "five"},
		`He said: "Stop." Then (he went.) So`: {`He said: "Stop."`, "Then (he went.)", "So"},
		"a b ||||c d":                         {"a b c d"},
		"a b |||||c d":                        {"a b", "c d"},
		"version 3.5 of it, is out":           {"version 3.5 of it, is out"},
		"これは。 それは":                            {"これは。", "それは"},
	} {
		var got []string
		for _, s := range spoken.Sentences(said(text)) {
			got = append(got, s.Text)
		}

		require.Equal(t, want, got, text)
	}

	all := spoken.Sentences(said("a b |||||c"))
	require.Equal(t, []spoken.Sentence{{"a b", 0, 400}, {"c", 900, 1100}}, all)
}

// No word is lost, doubled or moved, and the times of a sentence are those of its words.
func TestSentencesHoldEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		words := said(strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "b.", "||||||c", "d,", "|e!"})).Draw(t, "words"), " "))
		i := 0

		for _, s := range spoken.Sentences(words) {
			parts := strings.Fields(s.Text)
			require.NotEmpty(t, parts)
			require.Equal(t, words[i].StartMs, s.StartMs)

			for _, part := range parts {
				require.Equal(t, words[i].Text, part)
				i++
			}

			require.Equal(t, words[i-1].EndMs, s.EndMs)
		}

		require.Len(t, words, i)
	})
}

func TestFillers(t *testing.T) {
	t.Parallel()

	known := spoken.DefaultFillers()

	for text, want := range map[string]string{
		"Um, so this is, uh, it":            "0-0 4-4",
		"Erm er hmm mm":                     "0-0 1-1 2-2 3-3",
		"You know, I mean it. Do YOU KNOW?": "0-1 2-3 6-7",
		"you never know what I can mean":    "",
		"I like this":                       "",
		"it was, like, great":               "2-2",
		"it was |||like |||great":           "2-2",
		"it was ||like ||great":             "",
		"it was, like great":                "",
		"like |||that":                      "0-0",
		"umbrella number uhm ummer":         "",
	} {
		var got []string
		for _, r := range spoken.FillersOf(known, "en-GB").Find(said(text)) {
			got = append(got, fmt.Sprintf("%d-%d", r.From, r.To))
		}

		require.Equal(t, want, strings.Join(got, " "), text)
	}

	own := spoken.FillersFrom(map[string][]string{"de": {"Äh", "weißt du", "(also)"}})
	require.Equal(t, []spoken.Range{{0, 0}, {2, 3}, {5, 5}}, spoken.FillersOf(own, "de-AT").Find(said("äh, so weißt du geht's, also, also gut")))
	require.Len(t, spoken.FillersOf(own, "en").Find(said("um")), 1)

	require.Len(t, spoken.FillersOf(known, "und").Find(said("um")), 1)
	require.Len(t, spoken.FillersOf(known, "").Find(said("um")), 1)
	require.Empty(t, spoken.FillersOf(known, "pt-BR").Find(said("um dia")))
}

func TestCaptions(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"":                              "",
		"a b c. d e":                    "a b c. 0-600, d e 600-1600",
		"a b. c d":                      "a b. c d 0-1400",
		`he said "no." And (that.) was`: `he said "no." 0-600, And (that.) was 600-1800`,
		"in version 3.5 of it":          "in version 3.5 of it 0-1600",
		"यह ठीक है। और":                 "यह ठीक है। 0-600, और 600-1400",
		"a b |||||||c":                  "a b c 0-1900",
		"a b ||||||||c":                 "a b 0-1000, c 1200-2000",
		"sixteen letters, sixteen more": "sixteen letters, 0-400, sixteen more 400-1400",
		"anextraordinarylongword a b":   "anextraordinarylongword 0-200, a b 200-1200",
		"1 ||||||2 ||||||3 ||||||4 ||||||5 ||||||6 ||||||7 ||||||8 ||||||9": "1 2 3 4 5 6 7 8 0-6400, 9 6400-7200",
	} {
		require.Equal(t, want, strings.Join(shown(spoken.Captions(said(text), 20)), ", "), text)
	}

	ofAFile := said("a b c. d e f g")
	for i := range ofAFile[:5] {
		ofAFile[i].Cue = 1 + i/4
	}

	ofAFile[3].EndMs = 900
	require.Equal(t, []string{"a b c. d 0-800", "e 800-1000", "f g 1000-2000"}, shown(spoken.Captions(ofAFile, 20)))
}

// shown writes captions with when they are shown.
func shown(all []spoken.Caption) (texts []string) {
	for _, c := range all {
		var words []string
		for _, w := range c.Words {
			words = append(words, w.Text)
		}

		texts = append(texts, fmt.Sprintf("%s %d-%d", strings.Join(words, " "), c.Words[0].StartMs, c.EndMs))
	}

	return texts
}

// Captions hold every word, in order, in as many letters as there is room for, and are shown one after the other.
func TestCaptionsHoldEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		words := said(strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "longer.", "||||||||c", "d,", "|e!"})).Draw(t, "words"), " "))
		letters := rapid.IntRange(1, 40).Draw(t, "letters")

		var (
			all []spoken.Word
			end int64
		)

		for _, c := range spoken.Captions(words, letters) {
			taken := len(c.Words) - 1
			for _, w := range c.Words {
				taken += len(w.Text)
			}

			require.True(t, taken <= letters || len(c.Words) == 1)
			require.LessOrEqual(t, end, c.Words[0].StartMs)
			require.GreaterOrEqual(t, c.EndMs, c.Words[len(c.Words)-1].EndMs)

			all, end = append(all, c.Words...), c.EndMs
		}

		require.Equal(t, words, all)
	})
}
