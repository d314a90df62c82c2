package shape

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// TestWordsAreWrittenAsJSON: hand-written JSON for words is the same as that of encoding/json.
func TestWordsAreWrittenAsJSON(t *testing.T) {
	t.Parallel()

	type reflected WordsOut

	rapid.Check(t, func(t *rapid.T) {
		times := rapid.Ptr(rapid.Int64(), true)
		word := rapid.Custom(func(t *rapid.T) *model.Word {
			return &model.Word{
				Index: rapid.Int().Draw(t, "index"), Text: rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
					"", "plain", "<&>", "\"\\/", "\u2028\u2029", "a\x00b\t\n\r\b\f\x1f\x7f", "\xff\xfe", "\ufffd", "λόγος", "画",
				})).Draw(t, "text"),
				StartTimeMs: times.Draw(t, "start"), EndTimeMs: times.Draw(t, "end"),
				Hidden: rapid.Bool().Draw(t, "hidden"), Cut: rapid.Bool().Draw(t, "cut"),
			}
		})
		out := WordsOut{
			Status: values.TranscriptStatusReady, Language: rapid.String().Draw(t, "language"),
			Words: rapid.OneOf(rapid.SliceOf(word), rapid.Just[[]*model.Word](nil)).Draw(t, "words"),
		}

		want, err := Encode(reflected(out))
		require.NoError(t, err)

		got, err := Encode(out)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))

		put := PutTranscriptOut{WordsOut: out, SkippedCount: rapid.IntRange(0, 1).Draw(t, "skipped")}
		if put.SkippedCount > 0 {
			put.Skipped = []*words.SkippedBlock{{Line: 3, Reason: "\"why\""}}
		}

		want, err = Encode(struct {
			reflected

			SkippedCount int                   `json:"skippedCount,omitempty"`
			Skipped      []*words.SkippedBlock `json:"skipped,omitempty"`
		}{reflected(out), put.SkippedCount, put.Skipped})
		require.NoError(t, err)

		got, err = Encode(put)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	})
}
