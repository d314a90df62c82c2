package subtitle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/subtitle"
)

// What is written is read back: every word, in order, each inside its caption.
func TestVTTHoldsEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var (
			words []subtitle.Word
			at    int64
		)

		for range rapid.IntRange(0, 60).Draw(t, "words") {
			at += rapid.Int64Range(0, 2500).Draw(t, "pause")
			length := rapid.Int64Range(1, 900).Draw(t, "length")
			text := rapid.StringMatching(`[a-z<>&]{1,14}[.,?]?`).Draw(t, "text")
			words = append(words, subtitle.Word{Text: text, StartMs: at, EndMs: at + length})
			at += length
		}

		file, err := subtitle.ParseVTT(subtitle.VTT(words))
		require.NoError(t, err)

		var read []string

		for i, c := range file.Cues {
			require.Less(t, c.StartMs, c.EndMs)

			if i > 0 {
				require.GreaterOrEqual(t, c.StartMs, file.Cues[i-1].EndMs)
			}

			for _, s := range c.Stretches {
				read = append(read, s.Words...)
			}
		}

		var said []string
		for _, w := range words {
			said = append(said, w.Text)
		}

		require.Equal(t, strings.Join(said, " "), strings.Join(read, " "))
	})
}

func TestVTTBreaksLines(t *testing.T) {
	t.Parallel()

	words := make([]subtitle.Word, 0, 12)
	for i, text := range strings.Fields("One two three four five six seven eight nine ten eleven twelve.") {
		words = append(words, subtitle.Word{Text: text, StartMs: int64(i) * 200, EndMs: int64(i)*200 + 150})
	}

	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:02.950\nOne <00:00:00.200>two <00:00:00.400>three <00:00:00.600>four "+
		"<00:00:00.800>five <00:00:01.000>six <00:00:01.200>seven\n<00:00:01.400>eight <00:00:01.600>nine <00:00:01.800>ten "+
		"<00:00:02.000>eleven <00:00:02.200>twelve.\n", string(subtitle.VTT(words)))
}
