package rendering

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
)

// Tools returns the media programs of this machine.
func Tools(tb testing.TB) ffmpeg.Tools {
	tb.Helper()

	found, err := ffmpeg.Find(exec.LookPath)
	require.NoError(tb, err)

	return found
}

// Make creates a media file in a folder of the test, with encoders that the product may not have. The file extension
// selects the container.
func Make(tb testing.TB, name string, args ...string) string {
	tb.Helper()
	out := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, reel.FFmpeg(tb.Context(), nil, nil, append([]string{"-v", "error"}, append(args, "-y", out)...)...))

	return out
}

// FFmpeg sources of 3 s.
const (
	Picture = "testsrc2=size=320x180:rate=30:duration=3"
	Sound   = "sine=frequency=440:sample_rate=48000:duration=3"
)

// Recording makes a file with 3 s of picture and sound, with the given output settings of FFmpeg.
func Recording(tb testing.TB, name, settings string) string {
	tb.Helper()

	return Make(tb, name, append([]string{"-f", "lavfi", "-i", Picture, "-f", "lavfi", "-i", Sound}, strings.Fields(settings)...)...)
}

// Seldom holds FFmpeg options that drop most frames after the first second, as screen recorders do while the screen
// does not change.
const Seldom = `-vf select=lt(n\,30)+not(mod(n\,10)) -vsync vfr`

// Probe probes a file and returns the result. It requires that storing the result as JSON does not change it, and that
// its origin is the same as the one that probe.Open finds.
func Probe(tb testing.TB, path, kind string) probe.Info {
	tb.Helper()

	got, err := probe.File(tb.Context(), Tools(tb), path, kind)
	require.NoError(tb, err)

	stored, err := json.Marshal(got)
	require.NoError(tb, err)

	var again probe.Info

	require.NoError(tb, json.Unmarshal(stored, &again))
	require.Equal(tb, got, again)

	if kind == probe.KindVideo || kind == probe.KindAudio {
		again.Origin = nil
		opened, err := probe.Open(tb.Context(), Tools(tb), probe.Source{Path: path, Info: again})
		require.NoError(tb, err)
		require.Equal(tb, *got.Origin, opened.Origin)
	}

	return got
}

// Write writes a file into a folder of the test.
func Write(tb testing.TB, name string, content []byte) string {
	tb.Helper()

	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, content, 0o600)) //nolint:gosec // a path in the test's folder

	return path
}

// Sluggish returns the path of a script that starts FFmpeg. If the program is to decode pictures, the script first
// runs the shell command in the parameter first.
func Sluggish(tb testing.TB, ffmpeg, first string) string {
	tb.Helper()

	return Before(tb, ffmpeg, "case \"$*\" in *'rawvideo pipe:1') "+first+";; esac")
}

// Before returns the path of a script that runs a line of shell and then starts FFmpeg.
func Before(tb testing.TB, ffmpeg, line string) string {
	tb.Helper()

	path := filepath.Join(tb.TempDir(), "ffmpeg")
	script := "#!/bin/sh\n" + line + "\nexec " + ffmpeg + " \"$@\"\n"
	require.NoError(tb, os.WriteFile(path, []byte(script), 0o700)) //nolint:gosec // it must be executable

	return path
}

// Turned returns a copy of an MP4. The first track of the copy, the picture, is marked as rotated clockwise by the
// given number of degrees.
func Turned(tb testing.TB, path string, degrees int) string {
	tb.Helper()

	content, err := os.ReadFile(path)
	require.NoError(tb, err)

	// The matrix of a track header comes after the name, the version and 36 bytes of times and places. Its values are
	// 16.16, those of the last column 2.30.
	matrix := content[bytes.Index(content, []byte("tkhd"))+44:][:36]
	one := map[int][4]int32{90: {0, 1, -1, 0}, 180: {-1, 0, 0, -1}, 270: {0, -1, 1, 0}}[degrees]

	clear(matrix)

	for i, at := range []int{0, 4, 12, 16} {
		binary.BigEndian.PutUint32(matrix[at:], uint32(one[i]<<16))
	}

	binary.BigEndian.PutUint32(matrix[32:], 1<<30)

	return Write(tb, "turned.mp4", content)
}

// RequireRefused probes a file and requires that the probe refuses it with the given code and message.
func RequireRefused(tb testing.TB, path, kind string, code ffmpeg.Code, message string) {
	tb.Helper()
	got, err := probe.File(tb.Context(), Tools(tb), path, kind)

	var refused *ffmpeg.Refused
	require.ErrorAs(tb, err, &refused, "%+v", got)
	require.Equal(tb, code, refused.Code, refused.Message)
	require.Contains(tb, refused.Message, message)
	require.Zero(tb, got)
}
