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
