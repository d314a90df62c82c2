package ffmpeg_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// What FFmpeg makes, and what ffprobe finds, is to the byte the same with all libraries and with those that stay.
func TestLeanToolsMakeTheSame(t *testing.T) {
	t.Parallel()

	whole, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	lean := tools(t)
	loads := func(with ffmpeg.Tools) string {
		var maps bytes.Buffer
		require.NoError(t, with.Run(t.Context(), ffmpeg.Command{
			Args: []string{"-f", "data", "-i", "file:/proc/self/maps", "-map", "0", "-c", "copy", "-f", "data", "pipe:1"}, Stdout: &maps,
		}))

		return maps.String()
	}
	require.Contains(t, loads(whole), "librsvg-2.so")
	require.NotContains(t, loads(lean), "librsvg-2.so")
	require.Contains(t, loads(lean), "libstub.so")

	folder := t.TempDir()
	made := func(name, settings string) string {
		path := filepath.Join(folder, name)
		args := append([]string{"-f", "lavfi", "-i", picture + ",format=yuv420p", "-f", "lavfi", "-i", sound, "-t", "0.5"},
			strings.Fields(settings)...)
		require.NoError(t, whole.Run(t.Context(), ffmpeg.Command{Args: append(args, path)}))

		return path
	}

	for name, source := range map[string]string{
		"H.264 and AAC":      made("a.mp4", "-c:v libx264 -c:a aac"),
		"HEVC and MP3":       made("b.mp4", "-c:v libx265 -x265-params log-level=none -c:a libmp3lame"),
		"AV1 and Opus":       made("a.mkv", "-c:v libsvtav1 -preset 12 -c:a libopus"),
		"VP9 and Vorbis":     made("a.webm", "-c:v libvpx-vp9 -deadline realtime -c:a libvorbis"),
		"Theora and Speex":   made("a.ogv", "-c:v libtheora -c:a libspeex -ar 16000"),
		"JPEG 2000 and FLAC": made("b.mkv", "-c:v libopenjpeg -c:a flac"),
		"a picture, in WebP": made("a.webp", "-an -c:v libwebp -frames:v 1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for _, args := range []string{
				"-i SOURCE -an -f framehash pipe:1",
				"-i SOURCE -an -vf zscale=160:90 -f framehash pipe:1",
				"-i SOURCE -an -c:v libx264 -f framehash pipe:1",
				"-i SOURCE -frames:v 1 -c:v libwebp -f webp pipe:1",
				"-f lavfi -i anullsrc -i SOURCE -map 0:a -map 1:a? -ac 2 -t 0.4 -c:a aac -f streamhash pipe:1",
				"-show_streams -show_format -show_packets SOURCE",
			} {
				c := ffmpeg.Command{Args: strings.Fields(strings.ReplaceAll(args, "SOURCE", source))}
				if strings.HasPrefix(args, "-show") {
					c.Program = whole.FFprobe
				}

				answers := [2]bytes.Buffer{}
				for i, with := range []ffmpeg.Tools{whole, lean} {
					c.Stdout = &answers[i]
					require.NoError(t, with.Run(t.Context(), c), args)
				}

				require.NotEmpty(t, answers[0].Bytes())
				require.Equal(t, answers[0].Bytes(), answers[1].Bytes(), args)
			}
		})
	}
}

// Where it cannot be done, all is as it was, and it is said why.
func TestToolsThatCannotBeLean(t *testing.T) {
	t.Parallel()

	whole, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	script := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec /usr/bin/ffmpeg \"$@\"\n"), 0o700))

	scripted := ffmpeg.Tools{FFmpeg: script, FFprobe: whole.FFprobe}
	got, err := scripted.Lean(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "bad magic")
	require.Equal(t, scripted, got)

	file := filepath.Join(t.TempDir(), "a file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	got, err = whole.Lean(t.Context(), file)
	require.ErrorContains(t, err, "not a directory")
	require.Equal(t, whole, got)

	got, err = whole.Lean(t.Context(), filepath.Join(t.TempDir(), "a:b"))
	require.ErrorContains(t, err, "colon")
	require.Equal(t, whole, got)
}
