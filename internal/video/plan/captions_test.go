package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// captioned is a six-second clip with speech and a cut from 1.0 to 1.4 s.
func captioned(t *testing.T, words ...values.SpokenWord) []plan.Chunk {
	t.Helper()

	look := with()
	look.Captions = &values.CaptionLook{Style: values.DefaultEditing().CaptionStyle, Position: values.Position{X: 0.5, Y: 0.9}}
	look.Clips[0].Words = words

	return planned(t, look, defaults(), screen(6_000, values.SpanOf(1_000, 400)))
}

// Captions show the words, mark the current one and leave out those that are cut.
func TestCaptions(t *testing.T) {
	t.Parallel()

	chunks := captioned(t,
		values.SpokenWord{Text: "Hello", StartMs: 500, EndMs: 900}, values.SpokenWord{Text: "um", StartMs: 1_000, EndMs: 1_400}, values.SpokenWord{Text: "world", StartMs: 1_500, EndMs: 1_900},
		values.SpokenWord{Text: "Later", StartMs: 4_000, EndMs: 4_500},
	)

	_, v := shownAt(t, chunks, 33)
	require.Equal(t, []string{"Hello", "world"}, v.Caption.Words)
	require.Equal(t, 1, v.Caption.Active, "1.1 s is when world is said")
	require.InDelta(t, 960, v.Caption.X, 0.01)
	require.InDelta(t, 972, v.Caption.Y, 0.01)

	_, v = shownAt(t, chunks, 15)
	require.Equal(t, 0, v.Caption.Active)

	_, v = shownAt(t, chunks, 140)
	require.Equal(t, []string{"Later"}, v.Caption.Words, "4.67 s: it was said until 4.1 s, and stays for 0.6")

	_, v = shownAt(t, chunks, 142)
	require.Nil(t, v.Caption, "4.73 s")
}

// A caption is one line of at most 42 letters.
func TestCaptionsFitALine(t *testing.T) {
	t.Parallel()

	chunks := captioned(t,
		values.SpokenWord{Text: strings.Repeat("x", 20), StartMs: 0, EndMs: 300}, values.SpokenWord{Text: strings.Repeat("y", 21), StartMs: 300, EndMs: 600},
		values.SpokenWord{Text: "z", StartMs: 700, EndMs: 900},
	)

	_, v := shownAt(t, chunks, 3)
	require.Equal(t, []string{strings.Repeat("x", 20), strings.Repeat("y", 21)}, v.Caption.Words)

	_, v = shownAt(t, chunks, 24)
	require.Equal(t, []string{"z"}, v.Caption.Words)
}

// Captions from a file keep the file's divisions and end times. A caption too long to read at once is divided.
func TestCaptionsOfAFile(t *testing.T) {
	t.Parallel()

	said := func(text string, startMs, endMs int64, cue int) values.SpokenWord {
		return values.SpokenWord{Text: text, StartMs: startMs, EndMs: endMs, Cue: cue}
	}
	long := strings.Repeat("x", 50)
	chunks := captioned(t,
		said("Hello", 0, 300, 1), said("there.", 300, 600, 1), said("my", 600, 800, 2), said("friend", 800, 1_000, 2),
		said("well", 2_000, 2_400, 3), said(long, 3_400, 3_600, 3), said(long, 3_600, 4_000, 3))

	for frame, want := range map[int64][]string{
		5: {"Hello", "there."}, 19: {"my", "friend"}, 35: nil, // 1.17 s, which is 1.57 s of the recording
		48: {"well", long}, 80: {"well", long}, 100: {long}, 107: {long}, 109: nil,
	} {
		_, v := shownAt(t, chunks, frame)
		if want == nil {
			require.Nil(t, v.Caption, frame)

			continue
		}

		require.NotNil(t, v.Caption, frame)
		require.Equal(t, want, v.Caption.Words, frame)
	}
}

// A word of zero length is said at its start, unless that moment is cut.
func TestCaptionsOfWordsWithoutLength(t *testing.T) {
	t.Parallel()

	chunks := captioned(t,
		values.SpokenWord{Text: "Hello", StartMs: 500, EndMs: 500}, values.SpokenWord{Text: "um", StartMs: 1_200, EndMs: 1_200}, values.SpokenWord{Text: "world", StartMs: 1_500, EndMs: 1_500},
		values.SpokenWord{Text: "Late", StartMs: 6_000, EndMs: 6_000},
	)

	_, v := shownAt(t, chunks, 15)
	require.Equal(t, []string{"Hello", "world"}, v.Caption.Words)
	require.Equal(t, 0, v.Caption.Active)

	_, v = shownAt(t, chunks, 33)
	require.Equal(t, 1, v.Caption.Active, "1.1 s is when world is said")

	_, v = shownAt(t, chunks, 167)
	require.Nil(t, v.Caption, "no caption after the last word")
}
