package speech_test

import (
	"bytes"
	"cmp"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// samples decodes a sound to the format of recognizers.
func samples(t *testing.T, wav []byte) speech.Sound {
	t.Helper()

	var raw bytes.Buffer

	require.NoError(t, footage.FFmpeg(t.Context(), bytes.NewReader(wav), &raw,
		"-v", "error", "-i", "pipe:0", "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"))

	return speech.NewSound(bytes.NewReader(raw.Bytes()), int64(raw.Len()))
}

// The offline recognizer returns at least one word wherever one is spoken, and none in between. Which words it takes
// those of a synthetic voice for is not checked. The median error of their start and end is at most 80 ms.
func TestPocketSphinxHearsWordsWhenTheyAreSaid(t *testing.T) {
	t.Parallel()

	program, err := exec.LookPath(speech.SphinxProgram)
	require.NoError(t, err)
	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	wav, known, err := footage.Speak(t.Context(), 900, strings.Fields("one two three seven hello computer window table morning")...)
	require.NoError(t, err)

	sphinx := &speech.PocketSphinx{Program: program, Tools: tools}
	said, err := speech.All(t.Context(), sphinx, samples(t, wav), "")
	require.NoError(t, err)
	require.Equal(t, "en", said.Language)

	var starts, ends []int64

	for _, k := range known {
		during := slices.DeleteFunc(slices.Clone(said.Words), func(w speech.Word) bool {
			middle := (w.StartMs + w.EndMs) / 2

			return middle < k.StartMs || middle > k.EndMs
		})
		require.NotEmpty(t, during, k)

		starts = append(starts, abs(during[0].StartMs-k.StartMs))
		ends = append(ends, abs(during[len(during)-1].EndMs-k.EndMs))
		said.Words = slices.DeleteFunc(said.Words, func(w speech.Word) bool { return slices.Contains(during, w) })

		for _, w := range during {
			require.NotContains(t, w.Text, "(")
			require.Positive(t, w.Confidence)
			require.LessOrEqual(t, w.Confidence, 1.0)
		}
	}

	require.Empty(t, said.Words, "words without speech")
	t.Logf("median error: %d ms at the start, %d ms at the end of a word", median(starts), median(ends))
	require.LessOrEqual(t, median(starts), int64(80))
	require.LessOrEqual(t, median(ends), int64(80))

	_, err = sphinx.Transcribe(t.Context(), speech.NewSound(nil, 0), "de-AT")
	require.ErrorContains(t, err, "only English")
}

// It recognizes no words in tones and noise, because they would be shown on pages.
func TestPocketSphinxHearsNoWordsInTones(t *testing.T) {
	t.Parallel()

	program, err := exec.LookPath(speech.SphinxProgram)
	require.NoError(t, err)
	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	sphinx := &speech.PocketSphinx{Program: program, Tools: tools}

	for _, sound := range []string{
		"sine=frequency=330:duration=12", "sine=frequency=440:duration=5", "sine=frequency=1000:duration=3",
		"aevalsrc=exprs='0.2*sin(2*PI*220*t)*(0.5+0.5*sin(2*PI*t))':duration=9", "anoisesrc=color=brown:amplitude=0.1:seed=7:duration=6",
	} {
		var wav bytes.Buffer

		require.NoError(t, tools.Run(t.Context(), ffmpeg.Command{
			Args: []string{"-f", "lavfi", "-i", sound, "-ar", "16000", "-ac", "1", "-f", "wav", "pipe:1"}, Stdout: &wav,
		}))

		said, err := speech.All(t.Context(), sphinx, samples(t, wav.Bytes()), "")
		require.NoError(t, err)
		require.Empty(t, said.Words, sound)
	}
}

func abs(n int64) int64 { return max(n, -n) }

func median[T cmp.Ordered](of []T) T {
	slices.Sort(of)

	return of[len(of)/2]
}
