package films_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	reel "github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// exif is a minimal EXIF block with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("MM\x00*")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		b = []byte("II*\x00")
	}

	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	b = append(order.AppendUint16(order.AppendUint16(b, 0x0100), 3), 0, 0, 0, 1, 0, 0, 0, 0)
	b = order.AppendUint16(order.AppendUint16(b, 0x0112), 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)

	return append(b, 0, 0, 0, 0, 0, 0)
}

// corners is a picture of 64 × 32, as stored, whose corners have four different grays.
func corners() image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 32))

	for y := range 32 {
		for x := range 64 {
			level := uint8(40 + 70*(x/32) + 35*(y/16))
			m.SetNRGBA(x, y, color.NRGBA{level, level, level, 255})
		}
	}

	return m
}

// Pictures are shown upright by their orientation, in every image format that can store one.
func TestPicturesStandUpright(t *testing.T) {
	t.Parallel()

	var photo bytes.Buffer

	require.NoError(t, jpeg.Encode(&photo, corners(), &jpeg.Options{Quality: 98}))

	webp, err := os.ReadFile(rendering.Make(t, "a.webp", "-i", rendering.Write(t, "a.png", pngOf(t, corners())), "-c:v", "libwebp", "-lossless", "1"))
	require.NoError(t, err)

	apng, err := os.ReadFile(rendering.Make(t, "a.apng", "-loop", "1", "-i", rendering.Write(t, "a.png", pngOf(t, corners())), "-frames:v", "2", "-c:v", "apng"))
	require.NoError(t, err)

	jpegWith := func(tag []byte) []byte {
		app1 := append([]byte("Exif\x00\x00"), tag...)
		comment := []byte("\xff\xfe\x00\x06some") // something else may come before it

		return slices.Concat(photo.Bytes()[:2], comment, binary.BigEndian.AppendUint16([]byte("\xff\xe1"), uint16(len(app1)+2)), app1, photo.Bytes()[2:])
	}
	webpWith := func(tag []byte) []byte {
		const extended = 0x08

		chunks := slices.Concat([]byte("WEBPVP8X\x0a\x00\x00\x00"), []byte{extended, 0, 0, 0, 63, 0, 0, 31, 0, 0}, webp[12:],
			binary.LittleEndian.AppendUint32([]byte("EXIF"), uint32(len(tag))), tag)

		return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(chunks))), chunks...)
	}

	// The stored corners that are seen at each corner, clockwise from the upper left.
	order := map[uint16][4]int{1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {2, 3, 0, 1}, 4: {3, 2, 1, 0}, 5: {0, 3, 2, 1}, 6: {3, 0, 1, 2}, 7: {2, 1, 0, 3}, 8: {1, 2, 3, 0}}
	levels := [4]uint8{40, 110, 145, 75}

	for turn, seen := range order {
		for name, tc := range map[string]struct {
			content []byte
			kind    string
		}{
			"a.png":  {pngChunks(pngOf(t, corners()), "eXIf", string(exif(binary.BigEndian, turn))), probe.KindImage},
			"b.png":  {pngChunks(pngOf(t, corners()), "gAMA", "\x00\x00\xb1\x8f", "eXIf", string(exif(binary.LittleEndian, turn))), probe.KindImage},
			"c.jpg":  {jpegWith(exif(binary.BigEndian, turn)), probe.KindImage},
			"d.webp": {webpWith(exif(binary.LittleEndian, turn)), probe.KindImage},
			"e.apng": {pngChunks(apng, "eXIf", string(exif(binary.BigEndian, turn))), probe.KindVideo},
		} {
			t.Run(fmt.Sprintf("%s %d", name, turn), func(t *testing.T) {
				t.Parallel()

				size := plan.Size{Width: 64, Height: 32}
				if turn >= 5 {
					size = plan.Size{Width: 32, Height: 64}
				}

				path := rendering.Write(t, name, tc.content)
				info := rendering.Probe(t, path, tc.kind)
				require.Equal(t, size.Width, info.Video.Width)
				require.Equal(t, size.Height, info.Video.Height)

				frame := shownAt(t, path, tc.kind, 0, size)
				for i, at := range [4]image.Point{{X: 4, Y: 4}, {X: size.Width - 5, Y: 4}, {X: size.Width - 5, Y: size.Height - 5}, {X: 4, Y: size.Height - 5}} {
					level := levels[seen[i]]
					require.InDelta(t, yuv(color.NRGBA{R: level, G: level, B: level})[0], pixel(frame, at.X, at.Y)[0], 3, "corner %d", i)
				}
			})
		}
	}
}

// combs measures how much the rows of a frame alternate, from 0 to 255.
func combs(f compositor.Frame) float64 {
	most := 0.0

	for x := 8; x < f.Width-8; x++ {
		sum := 0.0

		for y := 8; y < f.Height-8; y++ {
			above, here, below := f.Planes[0].Row(y - 1)[x], f.Planes[0].Row(y)[x], f.Planes[0].Row(y + 1)[x]
			sum += math.Abs(float64(here) - (float64(above)+float64(below))/2)
		}

		most = max(most, sum/float64(f.Height-16))
	}

	return most
}

// Interlaced recordings have no combing, whichever field comes first and however they are marked. Progressive ones are
// left alone.
func TestInterlacedIsDeinterlaced(t *testing.T) {
	t.Parallel()

	// A white bar that moves sideways, four pixels a field.
	const moving = "color=black:s=128x96:r=50:d=1[b];color=white:s=24x96:r=50:d=1[w];[b][w]overlay=x='mod(n*4,100)',format=yuv420p"

	for name, tc := range map[string]struct {
		file, order, settings string
		fields                string
	}{
		"H.264 MBAFF":           {"a.mp4", "tff", "-c:v libx264 -flags +ildct+ilme -x264opts tff=1 -preset ultrafast -g 12", "auto"},
		"H.264, bottom first":   {"a.mkv", "bff", "-c:v libx264 -flags +ildct+ilme -x264opts bff=1 -preset veryfast -bf 2", "auto"},
		"MPEG-2":                {"a.ts", "tff", "-c:v mpeg2video -flags +ildct+ilme -top 1 -b:v 4M", "auto"},
		"MPEG-2, bottom first":  {"a.mpg", "bff", "-c:v mpeg2video -flags +ildct+ilme -top 0 -b:v 4M", "auto"},
		"ProRes":                {"a.mov", "tff", "-c:v prores_ks -flags +ildct -top 1", "auto"},
		"MPEG-4 in AVI":         {"a.avi", "tff", "-c:v mpeg4 -flags +ildct+ilme -top 1 -b:v 4M", "auto"},
		"FFV1":                  {"a.mkv", "bff", "-c:v ffv1", "auto"},
		"HuffYUV":               {"a.mkv", "tff", "-c:v huffyuv -pix_fmt yuv422p", "tff"},
		"HuffYUV, bottom first": {"a.mkv", "bff", "-c:v huffyuv -pix_fmt yuv422p", "bff"},
		"whole frames":          {"a.mp4", "", "-c:v libx264 -preset ultrafast", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			filter := "null"
			if tc.order != "" {
				filter = "interlace=scan=" + tc.order + ":lowpass=0,setfield=" + tc.order
			}

			path := rendering.Make(t, tc.file, append([]string{"-f", "lavfi", "-i", moving, "-vf", filter}, strings.Fields(tc.settings)...)...)
			info := rendering.Probe(t, path, probe.KindVideo)
			require.Equal(t, tc.fields, info.Video.Fields)

			if tc.order != "" {
				require.EqualValues(t, 25, info.Video.Frames, "one picture for each frame")
			}

			for _, atMs := range []int64{0, 333, 640, 960} {
				frame := shownAt(t, path, probe.KindVideo, atMs, plan.Size{Width: 128, Height: 96})
				require.Less(t, combs(frame), 25.0, "at %d ms", atMs)
			}
		})
	}
}

// Interlaced frames are found by index from any decoding start and look the same.
func TestInterlacedFramesByIndex(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	s.Add(t, "su_a", rendering.Counter(t, reel.Film{FPS: 25, Frames: 150, Encoder: []string{
		"-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1", "-q:v", "2", "-g", "15", "-threads", "1",
	}}, "a.ts"))
	require.Equal(t, "auto", s.Files["su_a"].Info.Video.Fields)

	cuts := []values.Span{{StartMs: 500, EndMs: 1720}, {StartMs: 3000, EndMs: 3960}}
	result := s.Render(t, rendering.Wide(), s.Clip("su_a", cuts...))

	requireFrames(t, result.Path, expected([]shown{{0, 500}, {1720, 3000}, {3960, 6000}}, 30, big.NewRat(1, 1), big.NewRat(25, 1), 149), 30)

	recording, err := probe.Open(t.Context(), s.Engine.Tools, s.Files["su_a"])
	require.NoError(t, err)

	var long, short bytes.Buffer

	size := plan.Size{Width: 160, Height: 90}
	require.NoError(t, still.Film(t.Context(), s.Engine.Runner(), recording, plan.Sample{FromUs: 2_000_000, Frames: 20, FPS: 25, Frame: size}, &long))
	require.NoError(t, still.Film(t.Context(), s.Engine.Runner(), recording, plan.Sample{FromUs: 2_600_000, Frames: 1, FPS: 25, Frame: size}, &short))
	require.Equal(t, long.Bytes()[15*still.FrameBytes(size):][:still.FrameBytes(size)], short.Bytes(), "a still and a film show the same")
}

// steps is a GIF with that many frames, alternately red and blue, without frame durations.
func steps(t *testing.T, frames int) []byte {
	t.Helper()

	var g gif.GIF

	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, 64, 36), color.Palette{red, blue})
		for p := range m.Pix {
			m.Pix[p] = uint8(i % 2)
		}

		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 0)
	}

	file := gifOf(t, g)
	require.NotContains(t, string(file), "\x21\xf9\x04", "the GIF has a graphic control extension")

	return file
}

// A GIF without frame durations plays, and so does an animated PNG.
func TestPicturesThatMove(t *testing.T) {
	t.Parallel()

	const turns = "color=red:s=64x36:r=10:d=1,format=rgb24,geq=r='255*eq(mod(N,2),0)':g=0:b='255*eq(mod(N,2),1)'"

	old := steps(t, 10)
	copy(old, "GIF87a")

	for name, tc := range map[string]struct {
		make   func(t *testing.T) string
		format ffmpeg.Format
	}{
		"GIF": {func(t *testing.T) string {
			t.Helper()

			return rendering.Write(t, "a.gif", steps(t, 10))
		}, ffmpeg.FormatGIF},
		"old GIF": {func(t *testing.T) string {
			t.Helper()

			return rendering.Write(t, "a.gif", old)
		}, ffmpeg.FormatGIF},
		"animated PNG": {func(t *testing.T) string {
			t.Helper()

			return rendering.Make(t, "a.apng", "-f", "lavfi", "-i", turns)
		}, ffmpeg.FormatAPNG},
		"animated PNG with a palette": {func(t *testing.T) string {
			t.Helper()

			return rendering.Make(t, "a.apng", "-f", "lavfi", "-i", turns+",split[a][b];[a]palettegen[p];[b][p]paletteuse", "-pix_fmt", "pal8")
		}, ffmpeg.FormatAPNG},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := tc.make(t)
			info := rendering.Probe(t, path, probe.KindVideo)
			require.Equal(t, tc.format, info.Format)
			require.EqualValues(t, 10, info.Video.Frames)
			require.EqualValues(t, 1000, info.DurationMs)

			for i, frame := range overBlue(t, path, probe.KindVideo, 30, asItIs) {
				require.InDeltaSlice(t, yuv([]color.NRGBA{red, blue}[i/3%2]), pixel(frame, 20, 20), 2, "frame %d", i)
			}

			require.Zero(t, rendering.Probe(t, path, probe.KindImage).DurationMs, "it can also be used as a picture")
		})
	}

	one := rendering.Write(t, "a.apng", pngChunks(pngOf(t, corners()),
		"acTL", "\x00\x00\x00\x01\x00\x00\x00\x00",
		"fcTL", "\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x0a\x00\x00"))
	still := rendering.Write(t, "one.png", pngOf(t, corners()))

	rendering.RequireRefused(t, rendering.Write(t, "one.gif", steps(t, 1)), probe.KindVideo, ffmpeg.CodeNoVideo, "The file is a picture (GIF with one frame only)")
	rendering.RequireRefused(t, one, probe.KindVideo, ffmpeg.CodeNoVideo, "The file is a picture (animated PNG with one frame only)")
	rendering.RequireRefused(t, still, probe.KindVideo, ffmpeg.CodeNoVideo, "The file is an image (PNG)")
	rendering.RequireRefused(t, one, probe.KindAudio, ffmpeg.CodeNoAudio, "")
}

// A browser's MP4 cut off within its first fragment shows what it has, like a WebM.
func TestCutOffInTheFirstFragment(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		file, settings string
		sound          bool
	}{
		"pictures before sound": {"a.mp4", "-c:v libx264 -preset ultrafast -g 90 -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof", false},
		"a fragment a track":    {"a.mp4", "-c:v libx264 -preset ultrafast -g 90 -c:a aac -movflags frag_keyframe+empty_moov+separate_moof", false},
		"VP9 and Opus in MP4":   {"a.mp4", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 90 -c:a libopus -movflags frag_keyframe+empty_moov", false},
		"WebM":                  {"a.webm", "-c:v libvpx -deadline realtime -g 90 -c:a libopus -live 1", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			whole, err := os.ReadFile(rendering.Recording(t, tc.file, tc.settings))
			require.NoError(t, err)

			first := bytes.Index(whole, []byte("mdat"))
			cut := len(whole) / 3

			if first > 0 {
				require.Equal(t, first, bytes.LastIndex(whole[:cut], []byte("mdat")), "within the first fragment")
			}

			info := rendering.Probe(t, rendering.Write(t, tc.file, whole[:cut]), probe.KindVideo)
			require.Greater(t, info.DurationMs, int64(300))
			require.Less(t, info.DurationMs, int64(2500))
			require.Equal(t, tc.sound, info.Audio != nil)
		})
	}
}

// Transparent frames are found by index when transparency is a separate stream.
func TestTransparentFramesByIndex(t *testing.T) {
	t.Parallel()

	for _, codec := range []string{"libvpx", "libvpx-vp9"} {
		t.Run(codec, func(t *testing.T) {
			t.Parallel()

			s := rendering.New(t)
			s.Add(t, "su_a", rendering.Counter(t, reel.Film{FPS: 30, Frames: 150, Encoder: []string{
				"-c:v", codec, "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "2M", "-g", "40",
			}, Sound: []string{"-c:a", "libopus"}}, "a.webm"))
			require.Equal(t, codec, s.Files["su_a"].Info.Video.Decoder)

			result := s.Render(t, rendering.Wide(), s.Clip("su_a", values.Span{StartMs: 400, EndMs: 1700}, values.Span{StartMs: 3000, EndMs: 3500}))
			requireFrames(t, result.Path, expected([]shown{{0, 400}, {1700, 3000}, {3500, 5000}}, 30, big.NewRat(1, 1), big.NewRat(30, 1), 149), 30)
		})
	}
}

// A file that declares transparency without having any is decoded normally. One with broken transparency ends in time.
func TestBrokenTransparency(t *testing.T) {
	t.Parallel()

	plain := rendering.Recording(t, "a.webm", "-map 0:v -c:v libvpx-vp9 -deadline realtime -cpu-used 8")
	promised := rendering.Make(t, "b.webm", "-i", plain, "-c", "copy", "-metadata:s:v:0", "alpha_mode=1")
	info := rendering.Probe(t, promised, probe.KindVideo)
	require.Empty(t, info.Video.Decoder)
	require.Equal(t, "yuv420p", info.Video.PixFmt)

	content, err := os.ReadFile(rendering.Make(t, "c.webm", "-f", "lavfi", "-i", "color=red:s=64x36:r=30:d=0.3,format=rgba,colorchannelmixer=aa=0.5",
		"-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-deadline", "realtime"))
	require.NoError(t, err)

	broken := slices.Clone(content)
	found := 0

	const blockAdditional = 0xa5

	for i := 200; i+12 < len(broken); i++ {
		if broken[i] == blockAdditional && broken[i-3] == 0xee { // after its number
			found++

			for k := 2; k < 10; k++ {
				broken[i+k] ^= 0xff
			}
		}
	}

	require.Positive(t, found)

	_, err = probe.File(t.Context(), rendering.Tools(t), rendering.Write(t, "d.webm", broken), probe.KindVideo)

	var refused *ffmpeg.Refused

	if err != nil {
		require.ErrorAs(t, err, &refused)
		require.Equal(t, ffmpeg.CodeDamaged, refused.Code)
	}
}
