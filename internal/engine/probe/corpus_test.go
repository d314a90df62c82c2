package probe_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// TestProbeVideos probes typical recordings in every supported container and checks the figures of each.
func TestProbeVideos(t *testing.T) {
	t.Parallel()

	type want struct {
		format        ffmpeg.Format
		codec, audio  string
		width, height int
		num, den      int64
		frames        int64
		vfr           bool
	}

	base := func(f ffmpeg.Format, codec, audio string) want {
		return want{format: f, codec: codec, audio: audio, width: 320, height: 180, num: 30, den: 1, frames: 90}
	}
	mp4 := base(ffmpeg.FormatMP4, "h264", "aac")
	mkv := base(ffmpeg.FormatMatroska, "h264", "aac")
	vp8 := base(ffmpeg.FormatMatroska, "vp8", "opus")
	sized := func(w want, width, height int) want {
		w.width, w.height = width, height

		return w
	}
	rated := func(w want, num, den, frames int64) want {
		w.num, w.den, w.frames = num, den, frames

		return w
	}
	uneven := func(w want, frames int64) want {
		w.vfr, w.frames, w.num = true, frames, 0

		return w
	}

	for _, tc := range []struct {
		name     string
		file     string
		settings string
		want     want
	}{
		{"phone MP4", "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac", base(ffmpeg.FormatMP4, "h264", "aac")},
		{"faststart", "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac -movflags +faststart", base(ffmpeg.FormatMP4, "h264", "aac")},
		{"fragmented MP4", "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac -movflags frag_keyframe+delay_moov", mp4},
		{"HEVC", "a.mov", "-c:v libx265 -x265-params log-level=none -tag:v hvc1 -c:a aac", base(ffmpeg.FormatMP4, "hevc", "aac")},
		{"ProRes and PCM", "a.mov", "-c:v prores_ks -c:a pcm_s16le", base(ffmpeg.FormatMP4, "prores", "pcm_s16le")},
		{"3GP", "a.3gp", "-c:v mpeg4 -c:a aac", base(ffmpeg.FormatMP4, "mpeg4", "aac")},
		{"no sound", "a.mp4", "-map 0:v -c:v libx264", base(ffmpeg.FormatMP4, "h264", "")},
		{"browser WebM", "a.webm", "-c:v libvpx -deadline realtime -c:a libopus", base(ffmpeg.FormatMatroska, "vp8", "opus")},
		{"VP9 Matroska", "a.mkv", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a flac", base(ffmpeg.FormatMatroska, "vp9", "flac")},
		{"WebM of a live recorder", "a.webm", "-c:v libvpx -deadline realtime -c:a libopus -live 1", base(ffmpeg.FormatMatroska, "vp8", "opus")},
		{"AVI", "a.avi", "-c:v mpeg4 -bf 2 -c:a libmp3lame", base(ffmpeg.FormatAVI, "mpeg4", "mp3")},
		{"transport stream", "a.ts", "-c:v libx264 -preset ultrafast -c:a aac", base(ffmpeg.FormatMPEGTS, "h264", "aac")},
		{"Blu-ray transport stream", "a.m2ts", "-c:v libx264 -preset ultrafast -c:a ac3", base(ffmpeg.FormatMPEGTS, "h264", "ac3")},
		{"program stream", "a.mpg", "-c:v mpeg2video -c:a mp2", base(ffmpeg.FormatMPEGPS, "mpeg2video", "mp2")},
		{"Flash", "a.flv", "-c:v libx264 -preset ultrafast -c:a aac", base(ffmpeg.FormatFLV, "h264", "aac")},
		{"Theora", "a.ogv", "-c:v libtheora -c:a libvorbis", base(ffmpeg.FormatOgg, "theora", "vorbis")},
		{"Windows Media", "a.wmv", "-c:v wmv2 -c:a wmav2", base(ffmpeg.FormatASF, "wmv2", "wmav2")},
		{"MXF", "a.mxf", "-c:v mpeg2video -c:a pcm_s16le", base(ffmpeg.FormatMXF, "mpeg2video", "pcm_s16le")},
		{"IVF", "a.ivf", "-map 0:v -c:v libvpx -deadline realtime", base(ffmpeg.FormatIVF, "vp8", "")},
		{"moving GIF", "a.gif", "-map 0:v -vf fps=25", rated(base(ffmpeg.FormatGIF, "gif", ""), 25, 1, 75)},
		{"odd size", "a.webm", "-vf scale=321:181,setsar=1 -c:v libvpx -deadline realtime -c:a libopus", sized(vp8, 321, 181)},
		{"wide pixels", "a.mp4", "-vf scale=720:576,setsar=16/15 -c:v libx264 -preset ultrafast -c:a aac", sized(mp4, 768, 576)},
		{"NTSC rate", "a.mp4", "-r 30000/1001 -c:v libx264 -preset ultrafast -c:a aac", rated(mp4, 30000, 1001, 90)},
		{"60 fps in milliseconds", "a.mkv", "-vf fps=60 -c:v libx264 -preset ultrafast -c:a aac", rated(mkv, 60, 1, 180)},
		{"screen that changes seldom", "a.mp4", rendering.Seldom + " -c:v libx264 -preset ultrafast -c:a aac", uneven(mp4, 36)},
		{"the same in Matroska", "a.mkv", rendering.Seldom + " -c:v libx264 -preset ultrafast -c:a aac", uneven(mkv, 36)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			got := rendering.Probe(t, rendering.Recording(t, tc.file, tc.settings), probe.KindVideo)
			require.Equal(t, tc.want.format, got.Format)
			require.Equal(t, tc.want.codec, got.Video.Codec)
			require.Equal(t, tc.want.width, got.Video.Width, "width")
			require.Equal(t, tc.want.height, got.Video.Height, "height")
			require.Equal(t, tc.want.vfr, got.Video.VFR, "VFR")
			require.Equal(t, tc.want.frames, got.Video.Frames, "frames")
			require.False(t, got.Video.FramesEstimated)
			require.False(t, got.Truncated)

			if tc.want.num > 0 {
				require.Equal(t, [2]int64{tc.want.num, tc.want.den}, [2]int64{got.Video.FPSNum, got.Video.FPSDen}, "frame rate")
			}

			require.InDelta(t, 3000, got.DurationMs, 90, "container and audio codec round the duration")

			if tc.want.audio == "" {
				require.Nil(t, got.Audio)

				return
			}

			require.Equal(t, tc.want.audio, got.Audio.Codec)
			require.Equal(t, 1, got.Audio.Channels)
		})
	}
}

func TestProbeColoursAndChannels(t *testing.T) {
	t.Parallel()

	path := rendering.Make(t, "hdr.mp4", "-f", "lavfi", "-i", rendering.Picture, "-f", "lavfi", "-i", rendering.Sound,
		"-vf", "format=yuv420p10le,setparams=range=tv:colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084",
		"-c:v", "libx264", "-ac", "6", "-c:a", "aac")
	got := rendering.Probe(t, path, probe.KindVideo)
	require.Equal(t, &probe.VideoInfo{
		Width: 320, Height: 180, CodedWidth: 320, CodedHeight: 180, FPSNum: 30, FPSDen: 1, Frames: 90,
		Codec: "h264", PixFmt: "yuv420p10le",
		ColorRange: "tv", ColorSpace: "bt2020nc", ColorPrimaries: "bt2020", ColorTransfer: "smpte2084",
	}, got.Video)
	require.Equal(t, &probe.AudioInfo{
		Stream: 1, Codec: "aac", SampleRate: 48000, Channels: 6, Measured: true,
		Tracks: []probe.SoundTrack{{
			Stream: 1, Codec: "aac", SampleRate: 48000, Channels: 6, Default: true, LengthMs: 3000, Silent: new(false),
		}},
	}, got.Audio)
	require.EqualValues(t, 3000, got.DurationMs)
}

func TestProbeRotation(t *testing.T) {
	t.Parallel()

	for degrees, want := range map[int][2]int{90: {180, 320}, 180: {320, 180}, 270: {180, 320}} {
		t.Run(strconv.Itoa(degrees), func(t *testing.T) {
			t.Parallel()

			lying := rendering.Recording(t, "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac")
			v := rendering.Probe(t, rendering.Turned(t, lying, degrees), probe.KindVideo).Video
			require.Equal(t, want, [2]int{v.Width, v.Height})
			require.Equal(t, degrees, v.Rotation)
		})
	}
}

// TestProbeStartsApart probes sound and picture that begin seconds apart, so that one ends long before the other. The
// key frames are three seconds apart: a seek near the end of a transport stream finds none.
func TestProbeStartsApart(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"a.mp4", "a.mov", "a.mkv", "a.flv", "a.mpg", "a.ts", "a.m2ts"} {
		codec := "libx264"
		if name == "a.mpg" {
			codec = "mpeg2video"
		}

		for _, late := range []string{"picture", "sound"} {
			t.Run(name+" with late "+late, func(t *testing.T) {
				t.Parallel()

				picture := []string{"-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=12"}
				sound := []string{"-f", "lavfi", "-i", "sine=sample_rate=48000:duration=12"}
				begin := map[string]int64{late: 3000}

				if late == "picture" {
					picture = append([]string{"-itsoffset", "3"}, picture...)
				} else {
					sound = append([]string{"-itsoffset", "3"}, sound...)
				}

				got := rendering.Probe(t, rendering.Make(t, name, slices.Concat(picture, sound,
					[]string{"-vsync", "vfr", "-c:v", codec, "-preset", "ultrafast", "-g", "90", "-c:a", "libmp3lame"})...), probe.KindVideo)
				require.InDelta(t, begin["picture"], got.Video.StartMs, 70)
				require.InDelta(t, begin["sound"], got.Audio.StartMs, 70)
				require.InDelta(t, 15_000, got.DurationMs, 80)
				require.EqualValues(t, 360, got.Video.Frames)
				require.False(t, got.Truncated)
			})
		}
	}
}

// TestProbeClockRunsOver probes transport streams whose 33-bit clock wraps to zero, after 26½ hours.
func TestProbeClockRunsOver(t *testing.T) {
	t.Parallel()

	picture := []string{"-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=9"}
	sound := []string{"-f", "lavfi", "-i", "sine=sample_rate=48000:duration=9"}
	late := []string{"-itsoffset", "3"}
	made := []string{"-vsync", "vfr", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-output_ts_offset", "95437"} // and 1.4 s

	for name, tc := range map[string]struct {
		inputs                 []string
		length, picture, sound int64
		kind                   string
	}{
		"both":         {slices.Concat(picture, sound), 9000, 0, 0, probe.KindVideo},
		"late picture": {slices.Concat(late, picture, sound), 12_000, 3000, 0, probe.KindVideo},
		"late sound":   {slices.Concat(picture, late, sound), 12_000, 0, 3000, probe.KindVideo},
		"sound":        {sound, 9000, 0, 0, probe.KindAudio},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			got := rendering.Probe(t, rendering.Make(t, "a.ts", slices.Concat(tc.inputs, made)...), tc.kind)
			require.InDelta(t, tc.length, got.DurationMs, 90)
			require.InDelta(t, tc.sound, got.Audio.StartMs, 70)
			require.False(t, got.Truncated)

			if tc.kind == probe.KindVideo {
				require.InDelta(t, tc.picture, got.Video.StartMs, 70)
				require.EqualValues(t, 270, got.Video.Frames)
			}
		})
	}
}

// TestProbeSeldomPictures probes pictures three seconds apart with sound that continues long after the last one.
func TestProbeSeldomPictures(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"a.ts", "a.flv", "a.mkv", "a.mp4"} {
		got := rendering.Probe(t, rendering.Make(t, name, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=1/3:duration=15",
			"-f", "lavfi", "-i", "sine=sample_rate=44100:duration=40", "-c:v", "libx264", "-preset", "ultrafast", "-g", "90", "-c:a", "aac"), probe.KindVideo)
		require.InDelta(t, 40_000, got.DurationMs, 150, name)
		require.EqualValues(t, 5, got.Video.Frames, name)
	}

	// For slides with B-frames Matroska has no decoding times, and the made-up ones fall.
	got := rendering.Probe(t, rendering.Make(t, "a.mkv", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=1/3:duration=120",
		"-f", "lavfi", "-i", "sine=sample_rate=44100:duration=120", "-c:v", "libx264", "-preset", "medium", "-c:a", "aac"), probe.KindVideo)
	require.InDelta(t, 120_000, got.DurationMs, 150)
	require.EqualValues(t, 40, got.Video.Frames)
}

// TestProbeJustBeforeTheClockRunsOver probes times that FFmpeg all counts below zero.
func TestProbeJustBeforeTheClockRunsOver(t *testing.T) {
	t.Parallel()

	for _, at := range []string{"95390", "95430"} {
		got := rendering.Probe(t, rendering.Make(t, "a.ts", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=9",
			"-f", "lavfi", "-i", "sine=sample_rate=48000:duration=9", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
			"-output_ts_offset", at), probe.KindVideo)
		require.InDelta(t, 9000, got.DurationMs, 90, at)
		require.EqualValues(t, 270, got.Video.Frames, at)
	}
}

// parts joins videos byte by byte. Each part gives its length in seconds and where its clock starts.
func parts(t *testing.T, name string, of [][2]string, more ...string) string {
	t.Helper()

	var whole []byte

	for _, part := range of {
		body, err := os.ReadFile(rendering.Make(t, name, append([]string{
			"-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=" + part[0],
			"-c:v", "mpeg2video", "-output_ts_offset", part[1],
		}, more...)...))
		require.NoError(t, err)

		whole = append(whole, body...)
	}

	return rendering.Write(t, name, whole)
}

// TestProbeStrayTime probes videos in which a few frames have times seconds off from their neighbours'. Length and rate
// are as without them.
func TestProbeStrayTime(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		parts  [][2]string
		length int64
	}{
		"ahead":              {[][2]string{{"4", "0"}, {"0.04", "6"}, {"4", "4"}}, 8000},
		"behind the end":     {[][2]string{{"4", "0"}, {"0.04", "20"}, {"4", "4"}}, 8000},
		"twelve":             {[][2]string{{"4", "0"}, {"0.4", "20"}, {"4", "4"}}, 8000},
		"back":               {[][2]string{{"4", "0"}, {"0.04", "1"}, {"4", "4"}}, 8000},
		"before the start":   {[][2]string{{"4", "100"}, {"0.04", "0"}, {"4", "104"}}, 8000},
		"twice":              {[][2]string{{"4", "0"}, {"0.04", "20"}, {"4", "4"}, {"0.04", "1"}, {"4", "8"}}, 12_000},
		"behind a long film": {[][2]string{{"70", "0"}, {"0.04", "200"}, {"10", "70"}}, 80_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			got := rendering.Probe(t, parts(t, "a.ts", tc.parts), probe.KindVideo)
			require.InDelta(t, tc.length, got.DurationMs, 100)
			require.InDelta(t, 30, float64(got.Video.FPSNum)/float64(got.Video.FPSDen), 0.3)
			require.InDelta(t, tc.length*30/1000, got.Video.Frames, 15)
			require.False(t, got.Truncated)
		})
	}
}

func TestProbeSounds(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		name, file, settings string
		format               ffmpeg.Format
		codec                string
	}{
		{"WAV", "a.wav", "", ffmpeg.FormatWAV, "pcm_s16le"},
		{"Sony Wave64", "a.w64", "", ffmpeg.FormatW64, "pcm_s16le"},
		{"RF64", "a.wav", "-rf64 always", ffmpeg.FormatWAV, "pcm_s16le"},
		{"MP3 with tags", "a.mp3", "-metadata title=x", ffmpeg.FormatMP3, "mp3"},
		{"MP3 bare", "a.mp3", "-id3v2_version 0 -write_xing 0 -write_id3v1 0", ffmpeg.FormatMP3, "mp3"},
		{"MP3 of variable rate, no header", "a.mp3", "-q:a 5 -id3v2_version 0 -write_xing 0", ffmpeg.FormatMP3, "mp3"},
		{"M4A", "a.m4a", "", ffmpeg.FormatMP4, "aac"},
		{"AAC", "a.aac", "", ffmpeg.FormatAAC, "aac"},
		{"AAC with tags", "a.aac", "-write_id3v2 1 -metadata title=x", ffmpeg.FormatAAC, "aac"},
		{"AC-3", "a.ac3", "", ffmpeg.FormatAC3, "ac3"},
		{"FLAC", "a.flac", "", ffmpeg.FormatFLAC, "flac"},
		{"AIFF", "a.aiff", "", ffmpeg.FormatAIFF, "pcm_s16be"},
		{"AIFF with tags", "a.aiff", "-write_id3v2 1 -metadata title=x", ffmpeg.FormatAIFF, "pcm_s16be"},
		{"CAF", "a.caf", "", ffmpeg.FormatCAF, "pcm_s16be"},
		{"AU", "a.au", "", ffmpeg.FormatAU, "pcm_s16be"},
		{"WavPack", "a.wv", "", ffmpeg.FormatWavPack, "wavpack"},
		{"Opus", "a.opus", "", ffmpeg.FormatOgg, "opus"},
		{"WMA", "a.wma", "", ffmpeg.FormatASF, "wmav2"},
		{"WebM", "a.webm", "-c:a libopus", ffmpeg.FormatMatroska, "opus"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			path := rendering.Make(t, tc.file, append([]string{"-f", "lavfi", "-i", rendering.Sound, "-ac", "2"}, strings.Fields(tc.settings)...)...)
			got := rendering.Probe(t, path, probe.KindAudio)
			require.Equal(t, tc.format, got.Format)
			require.Nil(t, got.Video)
			require.Equal(t, tc.codec, got.Audio.Codec)
			require.Equal(t, 2, got.Audio.Channels)
			require.Equal(t, 48000, got.Audio.SampleRate)
			require.InDelta(t, 3000, got.DurationMs, 80)
		})
	}
}

// TestProbeCoverPictures probes music with a cover picture: in a long tag before MP3, as a stream in M4A.
func TestProbeCoverPictures(t *testing.T) {
	t.Parallel()

	cover := rendering.Make(t, "cover.png", "-f", "lavfi", "-i", "testsrc2=size=600x600", "-vf", "noise=alls=100", "-frames:v", "1")
	for file, settings := range map[string]string{
		"song.mp3":  "-c:a libmp3lame",
		"song.m4a":  "-c:a aac -disposition:v attached_pic",
		"song.flac": "-c:a flac -disposition:v attached_pic",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()

			path := rendering.Make(t, file, append([]string{"-f", "lavfi", "-i", rendering.Sound, "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy"},
				strings.Fields(settings)...)...)
			require.InDelta(t, 3000, rendering.Probe(t, path, probe.KindAudio).DurationMs, 80)
			rendering.RequireRefused(t, path, probe.KindVideo, ffmpeg.CodeNoVideo, "The file has sound but no video. Add it as a source of kind audio.")
		})
	}
}

func TestProbeSoundOfVideo(t *testing.T) {
	t.Parallel()

	got := rendering.Probe(t, rendering.Recording(t, "a.mp4", "-c:v libx264 -preset ultrafast -c:a aac"), probe.KindAudio)
	require.Nil(t, got.Video)
	require.Equal(t, 1, got.Audio.Stream)
}

// A healthy recording is decoded with a single start of FFmpeg, which costs more than the decoding.
func TestProbeDecodesOnce(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ file, settings string }{
		{"a.mp4", "-c:v libx264 -preset ultrafast -c:a aac"},
		{"a.mkv", rendering.Seldom + " -c:v libx264 -preset ultrafast -c:a aac"},
		{"a.webm", "-c:v libvpx -deadline realtime -c:a libopus -live 1"},
		{"a.ts", "-c:v libx264 -preset ultrafast -g 30 -c:a aac"},
	} {
		t.Run(tc.file, func(t *testing.T) {
			t.Parallel()

			starts := filepath.Join(t.TempDir(), "starts")
			tools := rendering.Tools(t)
			tools.FFmpeg = rendering.Before(t, tools.FFmpeg, "echo >> "+starts)
			_, err := probe.File(t.Context(), tools, rendering.Recording(t, tc.file, tc.settings), probe.KindVideo)
			require.NoError(t, err)

			lines, err := os.ReadFile(starts)
			require.NoError(t, err)
			require.Equal(t, "\n", string(lines))
		})
	}
}

// A recording may show a still screen: its sound continues long after its last picture.
func TestProbeStillScreenRecording(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"still.mp4", "still.mkv", "still.webm"} {
		path := rendering.Make(t, name, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=2",
			"-f", "lavfi", "-i", "sine=sample_rate=48000:duration=14")
		got := rendering.Probe(t, path, probe.KindVideo)
		require.InDelta(t, 14_000, got.DurationMs, 60, name)
		require.False(t, got.Truncated, name)
	}
}
