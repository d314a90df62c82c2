package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/words"
)

// said makes words of 200 ms each; each | before a word is a pause of a hundred milliseconds.
func said(text string) []words.Word {
	var (
		spoken []words.Word
		at     int64
	)

	for w := range strings.FieldsSeq(text) {
		for strings.HasPrefix(w, "|") {
			at, w = at+100, w[1:]
		}

		spoken = append(spoken, words.Word{Text: w, StartMs: at, EndMs: at + 200})
		at += 200
	}

	return spoken
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
		"Er sagte „Nein.“ Und »Ja.« Dann":     {"Er sagte „Nein.“", "Und »Ja.«", "Dann"},
		"「はい。」 いいえ یہ۔ ہاں": {"「はい。」", "いいえ یہ۔", "ہاں"},
	} {
		var got []string
		for _, s := range words.Sentences(said(text)) {
			got = append(got, s.Text)
		}

		require.Equal(t, want, got, text)
	}

	all := words.Sentences(said("a b |||||c"))
	require.Equal(t, []words.Sentence{{"a b", 0, 400}, {"c", 900, 1100}}, all)
}

// No word is lost, doubled or moved, and the times of a sentence are those of its words.
func TestSentencesHoldEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		spoken := said(strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "b.", "||||||c", "d,", "|e!"})).Draw(t, "words"), " "))
		i := 0

		for _, s := range words.Sentences(spoken) {
			parts := strings.Fields(s.Text)
			require.NotEmpty(t, parts)
			require.Equal(t, spoken[i].StartMs, s.StartMs)

			for _, part := range parts {
				require.Equal(t, spoken[i].Text, part)
				i++
			}

			require.Equal(t, spoken[i-1].EndMs, s.EndMs)
		}

		require.Len(t, spoken, i)
	})
}

func TestFillers(t *testing.T) {
	t.Parallel()

	known := words.DefaultFillers()

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
		for _, r := range words.FillersOf(known, "en-GB").Find(said(text)) {
			got = append(got, fmt.Sprintf("%d-%d", r.From, r.To))
		}

		require.Equal(t, want, strings.Join(got, " "), text)
	}

	own := words.FillersFrom(map[string][]string{"de": {"Äh", "weißt du", "(also)"}})
	require.Equal(t, []words.Range{{0, 0}, {2, 3}, {5, 5}}, words.FillersOf(own, "de-AT").Find(said("äh, so weißt du geht's, also, also gut")))
	require.Len(t, words.FillersOf(own, "en").Find(said("um")), 1)

	require.Len(t, words.FillersOf(known, "und").Find(said("um")), 1)
	require.Len(t, words.FillersOf(known, "").Find(said("um")), 1)
	require.Empty(t, words.FillersOf(known, "pt-BR").Find(said("um dia")))
}

func TestCaptions(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"":                               "",
		"a b c d e. f g":                 "a b c d e. 0-1000, f g 1000-2000",
		"a b c d. e f":                   "a b c d. e f 0-1800",
		`so he said ||"no." And (that.)`: `so he said "no." 0-1000, And (that.) 1000-2000`,
		"in a version 3.5 of":            "in a version 3.5 of 0-1600",
		"यह सब ||ठीक है। और": "यह सब ठीक है। 0-1000, और 1000-1800",
		"a b |||||||c":                  "a b c 0-1900",
		"a b ||||||||c":                 "a b 0-1000, c 1200-2000",
		"sixteen letters, sixteen more": "sixteen letters, 0-400, sixteen more 400-1400",
		"anextraordinarylongword a b":   "anextraordinarylongword 0-200, a b 200-1200",
		"1 ||||||2 ||||||3 ||||||4 ||||||5 ||||||6 ||||||7 ||||||8 ||||||9": "1 2 3 4 5 6 7 8 0-6400, 9 6400-7200",
	} {
		require.Equal(t, want, strings.Join(shown(words.Captions(said(text), 20)), ", "), text)
	}
}

func TestCaptionsOfSomeWords(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		words []words.Word
		want  []string
	}{
		"of a file, between undivided ones": {
			[]words.Word{{"a", 0, 200, 0, false}, {"b.", 200, 400, 1, false}, {"c", 400, 900, 1, false}, {"d", 800, 900, 2, false}, {"e", 1500, 1700, 0, false}},
			[]string{"a 0-200", "b. c 200-800", "d 800-900", "e 1500-2300"},
		},
		"one that goes on while others are said":    {[]words.Word{{"a", 0, 1000, 0, false}, {"b", 200, 400, 0, false}, {"c", 1500, 1600, 0, false}}, []string{"a b c 0-2200"}},
		"one that ends when another has long begun": {[]words.Word{{"a", 0, 900, 0, false}, {"b", 100, 200, 0, false}, {"c", 1700, 1800, 0, false}}, []string{"a b 0-1500", "c 1700-2400"}},
		"at once, more than there is room for": {
			[]words.Word{{"letters", 0, 0, 0, false}, {"and", 0, 0, 0, false}, {"more", 0, 0, 0, false}, {"letters", 0, 0, 0, false}, {"late", 100, 200, 0, false}},
			[]string{"letters and more letters 0-100", "late 100-800"},
		},
		"of a file, at once": {[]words.Word{{"a", 100, 100, 1, false}, {"b", 100, 100, 1, false}}, []string{"a b 100-101"}},
	} {
		require.Equal(t, tc.want, shown(words.Captions(tc.words, 20)), name)
	}
}

// shown formats captions with their times.
func shown(all []words.Caption) (texts []string) {
	for _, c := range all {
		var words []string
		for _, w := range c.Words {
			words = append(words, w.Text)
		}

		texts = append(texts, fmt.Sprintf("%s %d-%d", strings.Join(words, " "), c.Words[0].StartMs, c.EndMs))
	}

	return texts
}

// Captions hold every word, in order, within the letter limit, and are shown one after the other.
func TestCaptionsHoldEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var (
			spoken, all          []words.Word
			at, begun, shownTill int64
			cue                  int
		)

		for range rapid.IntRange(0, 60).Draw(t, "count") {
			at += rapid.SampledFrom([]int64{0, 1, 150, 701, 2500}).Draw(t, "later")
			w := words.Word{
				Text:    rapid.SampledFrom([]string{"a", "longer.", "「はい。」", "d,", strings.Repeat("e", 30)}).Draw(t, "text"),
				StartMs: at, EndMs: at + rapid.Int64Range(0, 2000).Draw(t, "length"),
			}

			if rapid.IntRange(0, 3).Draw(t, "of a file") == 0 {
				cue += rapid.IntRange(0, 1).Draw(t, "another")
				w.Cue = cue
			}

			spoken = append(spoken, w)
		}

		letters := rapid.IntRange(1, 90).Draw(t, "letters")

		for _, c := range words.Captions(spoken, letters) {
			first, last, taken := c.Words[0], c.Words[len(c.Words)-1], len(c.Words)-1
			for _, w := range c.Words {
				taken += len([]rune(w.Text))
			}

			if last.StartMs > first.StartMs && first.Cue == 0 && c.Words[len(c.Words)-2].StartMs < last.StartMs {
				require.LessOrEqual(t, taken, letters)
				require.LessOrEqual(t, last.EndMs-first.StartMs, int64(6000))
			}

			require.Less(t, first.StartMs, c.EndMs)

			if first.StartMs > begun {
				require.GreaterOrEqual(t, first.StartMs, shownTill)
			}

			all, begun, shownTill = append(all, c.Words...), first.StartMs, c.EndMs
		}

		require.Equal(t, spoken, all)
	})
}

// Words of scripts without spaces are divided where a line may break; the parts share the time of the word.
func TestDivide(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"well-known": "well-known 0-1200",
		"안녕하세요":      "안녕하세요 0-1200",
		"你好，世界。":     "你 0-200, 好， 200-600, 世 600-800, 界。 800-1200",
		"用iPhone录":   "用 0-150, iPhone 150-1050, 录 1050-1200",
		"「はいっー」":     "「は 0-400, いっー」 400-1200",
		"ไทยๆ":       "ไท 0-600, ยๆ 600-1200",
		"เกา":        "เกา 0-1200",
		"ສະບາຍດີ":    "ສະ 0-342, ບາ 342-685, ຍ 685-857, ດີ 857-1200",
		"ខ្មែរ":      "ខ្មែ 0-960, រ 960-1200",
		"မြန်မာ":     "မြန် 0-800, မာ 800-1200",
		"བཀྲ་ཤིས་":   "བཀྲ་ 0-600, ཤིས་ 600-1200",
	} {
		var got []string

		for i, w := range words.Divide([]words.Word{{Text: text, EndMs: 1200, Cue: 1}}) {
			require.Equal(t, i > 0, w.Joined, text)
			require.Equal(t, 1, w.Cue)

			got = append(got, fmt.Sprintf("%s %d-%d", w.Text, w.StartMs, w.EndMs))
		}

		require.Equal(t, want, strings.Join(got, ", "), text)
	}

	endless := words.Divide([]words.Word{{Text: strings.Repeat("x", 100_000), EndMs: 100_000, Cue: 1}})
	require.Len(t, endless, 1+(100_000-171)/85+1, "no longer than two lines each, the last than four")

	for i, w := range endless {
		require.LessOrEqual(t, len(w.Text), 170)
		require.Equal(t, int64(85*i), w.StartMs)
	}

	// Words recognized one by one are joined in scripts without spaces; a file keeps its spaces.
	heard := []words.Word{{Text: "我"}, {Text: "用"}, {Text: "OBS"}, {Text: "录"}, {Text: "屏。"}, {Text: "好"}, {Text: "a"}, {Text: "b"}}
	joined := func(spoken []words.Word) string {
		var text strings.Builder

		for i, w := range words.Divide(spoken) {
			if i > 0 && !w.Joined {
				text.WriteByte(' ')
			}

			text.WriteString(w.Text)
		}

		return text.String()
	}

	require.Equal(t, "我用 OBS 录屏。好 a b", joined(heard))

	for i := range heard {
		heard[i].Cue = 1
	}

	require.Equal(t, "我 用 OBS 录 屏。 好 a b", joined(heard))
}

// A caption holds two lines: 42 wide letters, or twice as many others. Longer ones are divided evenly.
func TestCaptionsOfWideLetters(t *testing.T) {
	t.Parallel()

	for text, captions := range map[string]int{
		strings.Repeat("字", 73): 2, strings.Repeat("字", 42): 1, strings.Repeat("スー", 50): 3, strings.Repeat("สี", 80): 1,
		strings.Repeat("ส", 86): 2, strings.Repeat("ຂ", 171): 3,
	} {
		all := words.Captions(words.Divide([]words.Word{{Text: text, EndMs: 9_000, Cue: 1}}), words.LineLetters)
		require.Len(t, all, captions, text)

		letters := len([]rune(text))

		for i, c := range all {
			n := 0
			for _, w := range c.Words {
				n += len([]rune(w.Text))
			}

			require.InDelta(t, letters/captions, n, 2, text)

			if i > 0 {
				require.Equal(t, all[i-1].EndMs, c.Words[0].StartMs)
			}
		}
	}
}
