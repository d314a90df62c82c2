package sound_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	speech "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// Speech recognition uses recording time, which begins with the picture: a sound that starts late is heard late.
func TestSpeechIsInRecordingTime(t *testing.T) {
	t.Parallel()

	const rate, lagMs = 16_000, 900

	wav, said, err := speech.Speak(t.Context(), 700, "hello")
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "talk.mkv")
	require.NoError(t, speech.Say(t.Context(), path, wav, lagMs))

	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)
	info, err := probe.File(t.Context(), tools, path, "video")
	require.NoError(t, err)

	var raw bytes.Buffer

	e := &encode.Engine{Tools: tools}
	require.NoError(t, audio.Speech(t.Context(), e.Runner(), probe.Source{Path: path, Info: info}, rate, info.DurationMs+250, &raw))

	samples := raw.Bytes()
	require.Len(t, samples, int(info.DurationMs+250)*rate/1000*2)

	first := 0
	for high := samples[1]; high == 0 || high == 0xff; high = samples[2*first+1] {
		first++
	}

	require.InDelta(t, said[0].StartMs+lagMs, first*1000/rate, 15)
}
