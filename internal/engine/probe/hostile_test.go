package probe_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// watch returns a function that reports whether anyone opened or read a file since.
func watch(t *testing.T, path string) (touched func() bool) {
	t.Helper()

	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	require.NoError(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })

	_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_ACCESS)
	require.NoError(t, err)

	return func() bool {
		n, err := unix.Read(fd, make([]byte, 4096))
		require.True(t, n > 0 || err == unix.EAGAIN, "%v", err)

		return n > 0
	}
}

// trick is a file that makes a trusting reader open another file.
type trick struct {
	name    string
	content string
	opens   bool // FFmpeg, told the format, opens the other file, so the test can watch it happen
}

func tricks(t *testing.T, secret string) []trick {
	t.Helper()

	body, err := os.ReadFile(secret)
	require.NoError(t, err)

	hls := "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:3.0,\n%s\n#EXT-X-ENDLIST\n"
	dash := `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"
 profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4">
<Representation id="1" bandwidth="1"><BaseURL>%s</BaseURL></Representation></AdaptationSet></Period></MPD>`
	svg := `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
<image xlink:href="%s" width="64" height="64"/></svg>`

	return []trick{
		{"HLS naming a local path", fmt.Sprintf(hls, secret), true},
		{"HLS naming file://", fmt.Sprintf(hls, "file://"+secret), true},
		{"HLS with a data URI", fmt.Sprintf(hls, "data:video/mp2t;base64,"+base64.StdEncoding.EncodeToString(body[:188])), false},
		{"HLS with a key from a file", "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"" + secret + "\"\n" +
			"#EXTINF:3.0,\n" + secret + "\n#EXT-X-ENDLIST\n", false},
		{"ffconcat", "ffconcat version 1.0\nfile '" + secret + "'\n", false},
		{"DASH", fmt.Sprintf(dash, "file://"+secret), false},
		{"SDP", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n", false},
		{"ASX", `<asx version="3.0"><entry><ref href="` + secret + `"/></entry></asx>`, false},
		{"SVG with a reference", fmt.Sprintf(svg, "file://"+secret), false},
	}
}

func TestProbeRefusesPlaylists(t *testing.T) {
	t.Parallel()

	secret := rendering.Recording(t, "secret.ts", "-c:v libx264 -preset ultrafast -c:a aac")
	for i, trick := range tricks(t, secret) {
		t.Run(trick.name, func(t *testing.T) {
			t.Parallel()

			// Each has its own secret, which no other test opens.
			own := filepath.Join(filepath.Dir(secret), fmt.Sprintf("secret%d.ts", i))
			body, err := os.ReadFile(secret)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(own, body, 0o600))
			path := rendering.Write(t, "upload.mp4", []byte(strings.ReplaceAll(trick.content, secret, own)))

			touched := watch(t, own)
			if trick.opens {
				_ = rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Program: rendering.Tools(t).FFprobe, Args: []string{"-f", "hls", path}})
				require.True(t, touched(), "the trick works on a trusting ffprobe, so the watch works")
			}

			for _, kind := range []string{probe.KindVideo, probe.KindAudio, probe.KindImage} {
				_, err := probe.File(t.Context(), rendering.Tools(t), path, kind)

				var refused *ffmpeg.Refused
				require.ErrorAs(t, err, &refused)
				require.Equal(t, ffmpeg.CodeUnsupported, refused.Code)
				require.True(t, strings.HasSuffix(refused.Message, "."), refused.Message)
			}

			require.False(t, touched(), "another file was opened")
			require.Equal(t, "h264", rendering.Probe(t, own, probe.KindVideo).Video.Codec, "the next upload is probed as usual")
		})
	}
}

// TestInputRefusesPlaylists bypasses Sniff: with any format's input arguments, a playlist must fail to open.
func TestInputRefusesPlaylists(t *testing.T) {
	t.Parallel()

	secret := rendering.Recording(t, "secret.ts", "-c:v libx264 -preset ultrafast -c:a aac")
	all := tricks(t, secret)

	touched := watch(t, secret)
	for _, trick := range all {
		path := rendering.Write(t, "upload.mp4", []byte(trick.content))
		for _, f := range []ffmpeg.Format{
			ffmpeg.FormatMP4, ffmpeg.FormatMatroska, ffmpeg.FormatMPEGTS, ffmpeg.FormatMP3, ffmpeg.FormatPNG, ffmpeg.FormatASF,
		} {
			args := append(f.Input(path), "-frames:v", "1", "-f", "null", "-")
			err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: args, Limits: ffmpeg.Limits{Wall: 20 * time.Second}})
			require.Error(t, err, "%s as %s", trick.name, f)
			require.False(t, touched(), "%s as %s", trick.name, f)
		}
	}
}

// TestProbeOpensNoPipe refers to a FIFO. If the probe opened it, a waiting writer would be released.
func TestProbeOpensNoPipe(t *testing.T) {
	t.Parallel()

	fifo := filepath.Join(t.TempDir(), "fifo.ts")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	hls := "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:3.0,\n" + fifo + "\n#EXT-X-ENDLIST\n"
	rendering.RequireRefused(t, rendering.Write(t, "upload.mp4", []byte(hls)), probe.KindVideo, ffmpeg.CodeUnsupported, "is a playlist")

	// A writer can open a FIFO without waiting only while a reader has it open.
	_, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	require.ErrorIs(t, err, syscall.ENXIO)

	// An upload that is itself a FIFO must not block the probe.
	began := time.Now()
	_, err = probe.File(t.Context(), rendering.Tools(t), fifo, probe.KindVideo)
	require.ErrorContains(t, err, "not a regular file")
	require.Less(t, time.Since(began), time.Second)
}

// box finds a box of an MP4 file by its path, and returns where it and its parents start.
func box(t *testing.T, movie []byte, path ...string) []int {
	t.Helper()

	var at []int

	from, to := 0, len(movie)
	for _, name := range path {
		for from < to && string(movie[from+4:from+8]) != name {
			from += int(binary.BigEndian.Uint32(movie[from:]))
		}

		require.Less(t, from, to, "no %s", name)
		at = append(at, from)
		to = from + int(binary.BigEndian.Uint32(movie[from:]))
		from += 8
	}

	return at
}

// withExternalTrack changes the first track of a QuickTime file, whose index is at its end, to refer to samples in
// another file: with an alias that has an absolute path, as old cameras wrote it.
func withExternalTrack(t *testing.T, movie []byte, other string) []byte {
	t.Helper()

	alias := make([]byte, 12, 512)
	copy(alias[4:], "alis")
	alias = append(alias, make([]byte, 10+1+27+12+1+63+16+2+2+16)...)

	name := append([]byte(other), 0)
	if len(name)%2 == 1 {
		name = append(name, 0)
	}

	alias = binary.BigEndian.AppendUint16(alias, 2) // an absolute path
	alias = binary.BigEndian.AppendUint16(alias, uint16(len(name)))
	alias = append(alias, name...)
	alias = append(alias, 0xff, 0xff, 0, 0)
	binary.BigEndian.PutUint32(alias, uint32(len(alias)))

	parents := box(t, movie, "moov", "trak", "mdia", "minf", "dinf", "dref")
	entry := parents[len(parents)-1] + 16
	old := int(binary.BigEndian.Uint32(movie[entry:]))

	changed := append(append(bytes.Clone(movie[:entry]), alias...), movie[entry+old:]...)
	for _, at := range parents {
		size := binary.BigEndian.Uint32(changed[at:])
		binary.BigEndian.PutUint32(changed[at:], size+uint32(len(alias)-old))
	}

	return changed
}

// TestProbeIgnoresExternalTracks probes a real QuickTime file that refers to samples in another file.
func TestProbeIgnoresExternalTracks(t *testing.T) {
	t.Parallel()

	secret := rendering.Make(t, "secret.mov", "-f", "lavfi", "-i", rendering.Picture, "-c:v", "libx264", "-preset", "ultrafast")
	movie, err := os.ReadFile(secret)
	require.NoError(t, err)
	path := rendering.Write(t, "upload.mov", withExternalTrack(t, movie, secret))

	touched := watch(t, secret)
	args := []string{"-enable_drefs", "1", "-use_absolute_path", "1", "-i", path}
	require.NoError(t, rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Program: rendering.Tools(t).FFprobe, Args: args}))
	require.True(t, touched(), "the trick works on a trusting ffprobe, so the watch works")

	_, err = probe.File(t.Context(), rendering.Tools(t), path, probe.KindVideo)
	t.Logf("the probe said: %v", err)
	require.False(t, touched())
}

func TestProbeRefusesNonMedia(t *testing.T) {
	t.Parallel()

	random := bytes.Repeat([]byte{0x13, 0x37, 0x00, 0xfe}, 4000)
	for _, tc := range []struct {
		name, content, message string
		code                   ffmpeg.Code
	}{
		{"empty", "", "The file is empty.", ffmpeg.CodeEmpty},
		{"text", "Dear diary,\ntoday I recorded nothing.\n", "The file is text, not media.", ffmpeg.CodeUnsupported},
		{"one byte", "x", "The file is text, not media.", ffmpeg.CodeUnsupported},
		{"web page", "<!DOCTYPE html><html></html>", "The file is a web page", ffmpeg.CodeUnsupported},
		{"PDF", "%PDF-1.7\n", "PDF", ffmpeg.CodeUnsupported},
		{"ZIP", "PK\x03\x04\x14\x00\x00\x00", "archive", ffmpeg.CodeUnsupported},
		{"SVG", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`, "SVG images are not supported", ffmpeg.CodeUnsupported},
		{"HEIC", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "HEIC images are not supported", ffmpeg.CodeUnsupported},
		{"moving WebP", "RIFF\x40\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02" + strings.Repeat("\x00", 9), "Animated WebP", ffmpeg.CodeUnsupported},
		{"noise", string(random), "media format of the file is not supported", ffmpeg.CodeUnsupported},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			path := rendering.Write(t, "upload.mp4", []byte(tc.content))
			for _, kind := range []string{probe.KindVideo, probe.KindAudio, probe.KindImage} {
				rendering.RequireRefused(t, path, kind, tc.code, tc.message)
			}
		})
	}
}

// TestProbeRefusesHollowFiles probes files that have the right magic bytes and nothing after them.
func TestProbeRefusesHollowFiles(t *testing.T) {
	t.Parallel()

	for name, head := range map[string]string{
		"MP4":      "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2",
		"Matroska": "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01",
		"AVI":      "RIFF\xff\xff\xff\x7fAVI LIST",
		"Ogg":      "OggS\x00\x02",
		"FLV":      "FLV\x01\x05\x00\x00\x00\x09",
		"ASF":      "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c\xff\xff",
		"TS":       strings.Repeat("\x47"+strings.Repeat("\xff", 187), 40),
		"MPEG":     "\x00\x00\x01\xba" + strings.Repeat("\x00", 4000),
		"ID3":      "ID3\x04\x00\x00\x7f\x7f\x7f\x7f",
		"MXF":      "\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02" + strings.Repeat("\x00", 400),
		"GIF":      "GIF89a\x10\x00\x10\x00\x00\x00\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := rendering.Write(t, "upload.bin", []byte(head))
			_, err := probe.File(t.Context(), rendering.Tools(t), path, probe.KindVideo)

			var refused *ffmpeg.Refused
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Message)
		})
	}

	for name, head := range map[string]string{
		"PNG":  "\x89PNG\r\n\x1a\n",
		"JPEG": "\xff\xd8\xff\xe0",
		"WebP": "RIFF\x10\x00\x00\x00WEBPVP8 ",
		"BMP":  "BM\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c\x00\x00\x00\x10\x00\x10\x00\x01\x00\x18\x00",
		"GIF":  "GIF89a\x10\x00\x10\x00\x00\x00\x00",
	} {
		t.Run(name+" image", func(t *testing.T) {
			t.Parallel()

			rendering.RequireRefused(t, rendering.Write(t, "upload.bin", []byte(head)), probe.KindImage, ffmpeg.CodeDamaged, "damaged")
		})
	}
}

// TestProbeRefusesJoinedFiles probes recordings joined byte by byte, in containers that store times: the later ones
// would be lost unnoticed.
func TestProbeRefusesJoinedFiles(t *testing.T) {
	t.Parallel()

	for name, settings := range map[string]string{
		"a.ts":  "-c:v libx264 -preset ultrafast -c:a aac",
		"a.mpg": "-c:v mpeg2video -c:a mp2",
		"a.mkv": "-c:v libx264 -preset ultrafast -c:a aac",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			one, err := os.ReadFile(rendering.Recording(t, name, settings))
			require.NoError(t, err)
			other, err := os.ReadFile(rendering.Recording(t, name, "-vf scale=160:90 -t 2 "+settings))
			require.NoError(t, err)
			rendering.RequireRefused(t, rendering.Write(t, name, append(one, other...)), probe.KindVideo, ffmpeg.CodeUnsupported, "The timestamps of the file restart")
		})
	}

	for name, of := range map[string][][2]string{
		"the second clock is lower": {{"4", "100"}, {"4", "0"}},
		"a short end":               {{"4", "0"}, {"1", "0"}},
		"three":                     {{"3", "0"}, {"3", "0"}, {"3", "0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			rendering.RequireRefused(t, parts(t, "a.ts", of), probe.KindVideo, ffmpeg.CodeUnsupported, "The timestamps of the file restart")
		})
	}

	t.Run("slides", func(t *testing.T) {
		t.Parallel()

		slides := parts(t, "a.ts", [][2]string{{"15", "0"}, {"15", "0"}}, "-vf", "fps=1", "-bf", "0")
		rendering.RequireRefused(t, slides, probe.KindVideo, ffmpeg.CodeUnsupported, "The timestamps of the file restart")
	})

	t.Run("sounds", func(t *testing.T) {
		t.Parallel()

		one, err := os.ReadFile(rendering.Make(t, "a.ogg", "-f", "lavfi", "-i", "sine=duration=3"))
		require.NoError(t, err)
		rendering.RequireRefused(t, rendering.Write(t, "a.ogg", append(one, one...)), probe.KindAudio, ffmpeg.CodeUnsupported, "The timestamps of the file restart")
	})
}

func TestProbeTruncatedFiles(t *testing.T) {
	t.Parallel()

	cut := func(t *testing.T, path string, share float64) string {
		t.Helper()

		body, err := os.ReadFile(path)
		require.NoError(t, err)

		return rendering.Write(t, filepath.Base(path), body[:int(share*float64(len(body)))])
	}
	ten := func(t *testing.T, name string, settings ...string) string {
		t.Helper()

		args := []string{"-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=10", "-f", "lavfi", "-i", "sine=duration=10"}

		return rendering.Make(t, name, append(args, settings...)...)
	}

	faststart := []string{"-c:v", "libx264", "-preset", "ultrafast", "-g", "30", "-c:a", "aac", "-movflags", "+faststart"}

	t.Run("MP4 with its index at the end", func(t *testing.T) {
		t.Parallel()

		rendering.RequireRefused(t, cut(t, ten(t, "a.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"), 0.6), probe.KindVideo,
			ffmpeg.CodeDamaged, "The file ends before its index")
	})
	t.Run("MP4 with its index in front", func(t *testing.T) {
		t.Parallel()

		got := rendering.Probe(t, cut(t, ten(t, "a.mp4", faststart...), 0.6), probe.KindVideo)
		require.True(t, got.Truncated)
		require.InDelta(t, 6000, got.DurationMs, 1200)
		require.InDelta(t, 180, got.Video.Frames, 36)
	})
	t.Run("MP4 that is all index", func(t *testing.T) {
		t.Parallel()

		path := ten(t, "a.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags", "+faststart")
		body, err := os.ReadFile(path)
		require.NoError(t, err)

		at := bytes.Index(body, []byte("mdat"))
		rendering.RequireRefused(t, rendering.Write(t, "a.mp4", body[:at+4]), probe.KindVideo, ffmpeg.CodeDamaged, "")
	})
	t.Run("Matroska with its index at the end", func(t *testing.T) {
		t.Parallel()

		path := cut(t, ten(t, "a.mkv", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"), 0.6)
		got := rendering.Probe(t, path, probe.KindVideo)
		require.True(t, got.Truncated)

		s := rendering.New(t)
		s.Add(t, "su_a", path)

		result := s.Render(t, rendering.Small(), s.Clip("su_a", values.SpanOf(1_000, 2_000)))
		require.Equal(t, ((got.DurationMs-2_000)*30+500)/1000, result.Frames)
	})
	t.Run("WebM", func(t *testing.T) {
		t.Parallel()

		got := rendering.Probe(t, cut(t, ten(t, "a.webm", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"), 0.6), probe.KindVideo)
		require.InDelta(t, 6000, got.DurationMs, 1200)
	})
	t.Run("noise in the second half", func(t *testing.T) {
		t.Parallel()

		body, err := os.ReadFile(ten(t, "a.mp4", faststart...))
		require.NoError(t, err)

		for i := len(body) / 5; i < len(body); i++ {
			body[i] = 0
		}

		rendering.RequireRefused(t, rendering.Write(t, "a.mp4", body), probe.KindVideo, ffmpeg.CodeDamaged, "The end of the video cannot be decoded")
	})
}

func TestProbeWrongKinds(t *testing.T) {
	t.Parallel()

	still := rendering.Make(t, "a.png", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1")
	silent := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", rendering.Picture, "-c:v", "libx264")
	song := rendering.Make(t, "a.wav", "-f", "lavfi", "-i", rendering.Sound)
	one := rendering.Make(t, "a.gif", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1")

	rendering.RequireRefused(t, still, probe.KindVideo, ffmpeg.CodeNoVideo, "The file is an image (PNG), not a video.")
	rendering.RequireRefused(t, still, probe.KindAudio, ffmpeg.CodeNoAudio, "The file is an image (PNG), not sound.")
	rendering.RequireRefused(t, one, probe.KindVideo, ffmpeg.CodeNoVideo, "one frame only")
	rendering.RequireRefused(t, silent, probe.KindAudio, ffmpeg.CodeNoAudio, "The file has video but no sound.")
	rendering.RequireRefused(t, silent, probe.KindImage, ffmpeg.CodeNotAnImage, "The file is MP4/QuickTime, not an image.")
	rendering.RequireRefused(t, song, probe.KindVideo, ffmpeg.CodeNoVideo, "The file has sound but no video. Add it as a source of kind audio.")
	rendering.RequireRefused(t, song, probe.KindImage, ffmpeg.CodeNotAnImage, "The file is WAV, not an image.")

	_, err := probe.File(t.Context(), rendering.Tools(t), song, "hologram")
	require.ErrorContains(t, err, `unknown kind "hologram"`)
	_, err = probe.File(t.Context(), rendering.Tools(t), song+".gone", probe.KindAudio)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestProbeLimits(t *testing.T) {
	t.Parallel()

	t.Run("pixels", func(t *testing.T) {
		t.Parallel()
		path := rendering.Make(t, "a.mov", "-f", "lavfi", "-i", "color=size=8000x6000:rate=1", "-frames:v", "1", "-c:v", "png", "-pix_fmt", "gray")
		rendering.RequireRefused(t, path, probe.KindVideo, ffmpeg.CodeTooLarge, "at most 40 million pixels")
	})
	t.Run("rate", func(t *testing.T) {
		t.Parallel()
		path := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", "color=size=16x16:rate=1000:duration=1", "-c:v", "mpeg4")
		rendering.RequireRefused(t, path, probe.KindVideo, ffmpeg.CodeTooLarge, "more than 240 frames per second")
	})
	t.Run("length", func(t *testing.T) {
		t.Parallel()
		path := rendering.Make(t, "a.mp4", "-f", "lavfi", "-i", "color=size=16x16:rate=1/600:duration=46800", "-c:v", "mpeg4", "-g", "1")
		rendering.RequireRefused(t, path, probe.KindVideo, ffmpeg.CodeTooLong, "longer than 12 hours")
	})
	t.Run("streams", func(t *testing.T) {
		t.Parallel()

		args := []string{"-f", "lavfi", "-i", "anullsrc=duration=0.1"}
		for range 70 {
			args = append(args, "-map", "0:a")
		}

		path := rendering.Make(t, "a.mkv", append(args, "-c:a", "pcm_s16le")...)
		rendering.RequireRefused(t, path, probe.KindAudio, ffmpeg.CodeTooLarge, "The file has more than 64 streams.")
	})
}

// TestProbeBlamesNoFile checks that the server's own faults are not blamed on the file.
func TestProbeBlamesNoFile(t *testing.T) {
	t.Parallel()

	path := rendering.Recording(t, "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac")
	none := ffmpeg.Tools{FFmpeg: "/nonexistent/ffmpeg", FFprobe: "/nonexistent/ffprobe"}
	_, err := probe.File(t.Context(), none, path, probe.KindVideo)
	require.Error(t, err)
	require.NotErrorAs(t, err, new(*ffmpeg.Refused))

	gone := errors.New("the server stops")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)

	_, err = probe.File(ctx, rendering.Tools(t), path, probe.KindVideo)
	require.ErrorIs(t, err, gone)
	require.NotErrorAs(t, err, new(*ffmpeg.Refused))
}
