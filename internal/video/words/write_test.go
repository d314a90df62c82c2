package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/video/words"
)

// Written files read back with every word, in order, inside its caption; both formats agree.
func TestWrittenCaptionsHoldEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var (
			spoken []words.Word
			said   []string
			at     int64
		)

		for range rapid.IntRange(1, 60).Draw(t, "words") {
			at += rapid.Int64Range(0, 2500).Draw(t, "pause")
			length := rapid.Int64Range(1, 900).Draw(t, "length")
			text := rapid.StringMatching(`[a-z<>&]{1,14}[.,?]?`).Draw(t, "text")
			spoken = append(spoken, words.Word{Text: text, StartMs: at, EndMs: at + length})
			said = append(said, text)
			at += length
		}

		vtt, err := words.ParseVTT(words.VTT(spoken))
		require.NoError(t, err)

		srt, err := words.ParseSRT(words.SRT(spoken))
		require.NoError(t, err)

		for i, c := range vtt.Cues {
			require.Less(t, c.StartMs, c.EndMs)
			require.Equal(t, []int64{c.StartMs, c.EndMs}, []int64{srt.Cues[i].StartMs, srt.Cues[i].EndMs})

			if i > 0 {
				require.GreaterOrEqual(t, c.StartMs, vtt.Cues[i-1].EndMs)
			}
		}

		require.Equal(t, said, read(vtt))
		require.Equal(t, said, read(srt))
	})
}

// read returns the words of a file.
func read(f words.File) (words []string) {
	for _, c := range f.Cues {
		for _, s := range c.Stretches {
			words = append(words, s.Words...)
		}
	}

	return words
}

func TestSRTBreaksLines(t *testing.T) {
	t.Parallel()

	spoken := []words.Word{
		{Text: "Ham", StartMs: 0, EndMs: 200},
		{Text: "&", StartMs: 200, EndMs: 300},
		{Text: "<eggs>.", StartMs: 300, EndMs: 900},
		{Text: "Later", StartMs: 3723004, EndMs: 3723500},
	}

	require.Equal(t, "1\n00:00:00,000 --> 00:00:01,500\nHam & &lt;eggs>.\n\n2\n01:02:03,004 --> 01:02:04,100\nLater\n",
		string(words.SRT(spoken)))
}

func TestVTTBreaksLines(t *testing.T) {
	t.Parallel()

	spoken := make([]words.Word, 0, 12)
	for i, text := range strings.Fields("One two three four five six seven eight nine ten eleven twelve.") {
		spoken = append(spoken, words.Word{Text: text, StartMs: int64(i) * 200, EndMs: int64(i)*200 + 150})
	}

	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:02.950\nOne <00:00:00.200>two <00:00:00.400>three <00:00:00.600>four "+
		"<00:00:00.800>five <00:00:01.000>six <00:00:01.200>seven\n<00:00:01.400>eight <00:00:01.600>nine <00:00:01.800>ten "+
		"<00:00:02.000>eleven <00:00:02.200>twelve.\n", string(words.VTT(spoken)))
}

// Two lines hold 76 letters: with more, one of them would often exceed 42.
func TestVTTHasTwoLines(t *testing.T) {
	t.Parallel()

	spoken := []words.Word{
		{Text: strings.Repeat("a", 40), StartMs: 0, EndMs: 100},
		{Text: strings.Repeat("b", 35), StartMs: 100, EndMs: 200},
		{Text: "c", StartMs: 200, EndMs: 300},
	}

	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:00.200\n"+spoken[0].Text+"\n<00:00:00.100>"+spoken[1].Text+
		"\n\n00:00:00.200 --> 00:00:00.900\nc\n", string(words.VTT(spoken)))
}

// Words that begin together share one time, because times inside a caption must increase.
func TestVTTTimesRise(t *testing.T) {
	t.Parallel()

	spoken := []words.Word{{Text: "end", StartMs: 0, EndMs: 100}, {Text: "of", StartMs: 100, EndMs: 100}, {Text: "it", StartMs: 100, EndMs: 100}, {Text: "all", StartMs: 100, EndMs: 200}}

	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:00.800\nend <00:00:00.100>of it all\n", string(words.VTT(spoken)))
}

// The captions of a file are written back unchanged, however close together they are; a caption too long to read is divided
// into parts of similar length.
func TestCaptionsOfAFileStay(t *testing.T) {
	t.Parallel()

	const file = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello <00:00:01.500>there\n\n00:00:02.000 --> 00:00:03.000\nmy <00:00:02.500>friend.\n\n" +
		"00:00:03.100 --> 00:00:03.900\n- <00:00:03.300>Who? <00:00:03.500>- <00:00:03.700>Me!\n"

	require.Equal(t, file, string(words.VTT(fileWords(t, file))))

	for text, want := range map[string][]string{
		strings.Repeat("x", 42) + "\n" + strings.Repeat("y", 42): {strings.Repeat("x", 42) + " " + strings.Repeat("y", 42)},
		strings.TrimSpace(strings.Repeat("letters ", 12)):        {strings.Repeat("letters ", 6), strings.Repeat("letters ", 6)},
		strings.Repeat("z", 200) + " end":                        {strings.Repeat("z", 200), "end"},
	} {
		again, err := words.ParseVTT(words.VTT(fileWords(t, "WEBVTT\n\n00:00:01.000 --> 00:00:21.000\n"+text)))
		require.NoError(t, err)
		require.Len(t, again.Cues, len(want))
		require.EqualValues(t, 21_000, again.Cues[len(want)-1].EndMs)

		for i, c := range again.Cues {
			require.Equal(t, strings.TrimSpace(want[i]), strings.Join(read(words.File{Cues: []words.Cue{c}}), " "))
		}
	}
}

// Overlapping captions are read one after the other, each until the next begins; those that begin together are merged.
func TestCaptionsThatOverlap(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct{ file, want string }{
		"by a little": {
			"00:01.000 --> 00:03.000\na b\n\n00:02.999 --> 00:04.999\nc d\n",
			"a 1000 1999 1, b 1999 2999 1, c 2999 3999 2, d 3999 4999 2",
		},
		"by half of the next": {
			"00:01.000 --> 00:05.000\na b\n\n00:03.000 --> 00:07.000\nc d\n\n00:05.000 --> 00:09.000\ne f\n",
			"a 1000 2000 1, b 2000 3000 1, c 3000 4000 2, d 4000 5000 2, e 5000 7000 3, f 7000 9000 3",
		},
		"one within another": {
			"00:05.000 --> 00:09.000\na <00:07.000>b\n\n00:06.000 --> 00:06.500\nc\n\n00:09.000 --> 00:10.000\nd\n",
			"a 5000 5500 1, b 5500 6000 1, c 6000 6500 2, d 9000 10000 3",
		},
		"at once": {
			"00:01.000 --> 00:03.000\n- a\n\n00:01.002 --> 00:05.002\n- b\n\n00:04.000 --> 00:06.000\nc\n",
			"- 1000 1750 1, a 1750 2500 1, - 2500 3250 1, b 3250 4000 1, c 4000 6000 3",
		},
		"hardly, though they begin soon after each other": {
			"00:01.000 --> 00:01.400\na\n\n00:01.399 --> 00:02.000\nb\n", "a 1000 1399 1, b 1399 2000 2",
		},
	} {
		var said []string
		for _, w := range fileWords(t, "WEBVTT\n\n"+tc.file) {
			said = append(said, fmt.Sprint(w.Text, " ", w.StartMs, " ", w.EndMs, " ", w.Cue))
		}

		require.Equal(t, tc.want, strings.Join(said, ", "), name)
	}
}

func fileWords(t *testing.T, file string) []words.Word {
	t.Helper()

	f, err := words.ParseVTT([]byte(file))
	require.NoError(t, err)

	words, err := f.Words(60_000)
	require.NoError(t, err)

	return words
}
