package probe_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// pngBomb returns a valid black PNG with one bit per pixel: a few kilobytes hold a huge picture.
func pngBomb(side int) []byte {
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")

	chunk := func(kind string, body []byte) {
		_ = binary.Write(&out, binary.BigEndian, uint32(len(body)))
		sum := crc32.NewIEEE()
		_, _ = sum.Write(append([]byte(kind), body...))
		out.WriteString(kind)
		out.Write(body)
		_ = binary.Write(&out, binary.BigEndian, sum.Sum32())
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(side))
	header = binary.BigEndian.AppendUint32(header, uint32(side))
	chunk("IHDR", append(header, 1, 0, 0, 0, 0))

	var packed bytes.Buffer

	z := zlib.NewWriter(&packed)

	row := make([]byte, 1+(side+7)/8)
	for range side {
		_, _ = z.Write(row)
	}

	_ = z.Close()

	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)

	return out.Bytes()
}

func TestProbeRefusesPNGBomb(t *testing.T) {
	t.Parallel()

	bomb := pngBomb(15000)
	require.Less(t, len(bomb), 1<<20)
	path := rendering.Write(t, "upload.png", bomb)
	began := time.Now()

	rendering.RequireRefused(t, path, probe.KindImage, ffmpeg.CodeTooLarge, "15000 × 15000 pixels; at most 40 million pixels")
	t.Logf("%d bytes refused in %v", len(bomb), time.Since(began))
	require.Less(t, time.Since(began), 200*time.Millisecond, "refused by its header, before a decoder runs")

	// The decoder refuses it too, in case a header ever deceives ImageSize.
	err := rendering.Tools(t).Run(t.Context(), ffmpeg.Command{Args: append(ffmpeg.FormatPNG.Input(path), "-frames:v", "1", "-f", "null", "-")})

	var exit *ffmpeg.ExitError
	require.ErrorAs(t, err, &exit)

	require.Equal(t, 6000, rendering.Probe(t, rendering.Write(t, "large.png", pngBomb(6000)), probe.KindImage).Video.Width, "36 million pixels are allowed")
}

func TestProbeImages(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		file, codec string
		format      ffmpeg.Format
		settings    []string
	}{
		{"a.png", "png", ffmpeg.FormatPNG, nil},
		{"a.jpg", "mjpeg", ffmpeg.FormatJPEG, nil},
		{"a.webp", "webp", ffmpeg.FormatWebP, []string{"-c:v", "libwebp"}},
		{"lossless.webp", "webp", ffmpeg.FormatWebP, []string{"-c:v", "libwebp", "-lossless", "1"}},
		{"alpha.webp", "webp", ffmpeg.FormatWebP, []string{"-vf", "format=yuva420p", "-c:v", "libwebp"}},
		{"a.bmp", "bmp", ffmpeg.FormatBMP, nil},
		{"a.gif", "gif", ffmpeg.FormatGIF, nil},
	} {
		t.Run(tc.file, func(t *testing.T) {
			t.Parallel()

			args := append([]string{"-f", "lavfi", "-i", "testsrc2=size=322x182"}, tc.settings...)
			path := rendering.Make(t, tc.file, append(args, "-frames:v", "1")...)
			got := rendering.Probe(t, path, probe.KindImage)
			require.Equal(t, tc.format, got.Format)
			require.Equal(t, [2]int{322, 182}, [2]int{got.Video.Width, got.Video.Height})
			require.Equal(t, tc.codec, got.Video.Codec)
			require.EqualValues(t, 1, got.Video.Frames)
			require.Zero(t, got.DurationMs)
			require.Nil(t, got.Audio)

			f, err := os.Open(path)
			require.NoError(t, err)

			defer f.Close()

			w, h, err := ffmpeg.ImageSize(f, tc.format)
			require.NoError(t, err)
			require.Equal(t, [2]int{322, 182}, [2]int{w, h}, "the header says the same as the decoder")
		})
	}
}

func TestProbeMovingGIFAsImage(t *testing.T) {
	t.Parallel()

	got := rendering.Probe(t, rendering.Make(t, "a.gif", "-f", "lavfi", "-i", rendering.Picture), probe.KindImage)
	require.EqualValues(t, 1, got.Video.Frames, "its first frame")
}

func TestProbeHalfAnImage(t *testing.T) {
	t.Parallel()

	var buf bytes.Buffer

	img := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 {
		img.Set(i, i, color.White)
	}

	require.NoError(t, jpeg.Encode(&buf, img, nil))
	require.Equal(t, 64, rendering.Probe(t, rendering.Write(t, "a.jpg", buf.Bytes()), probe.KindImage).Video.Width)
	rendering.RequireRefused(t, rendering.Write(t, "a.jpg", buf.Bytes()[:40]), probe.KindImage, ffmpeg.CodeDamaged, "damaged")
}

// TestProbeTurnedPhoto probes a JPEG as phones write it: stored sideways, with an Exif orientation.
func TestProbeTurnedPhoto(t *testing.T) {
	t.Parallel()

	var buf bytes.Buffer
	require.NoError(t, jpeg.Encode(&buf, image.NewRGBA(image.Rect(0, 0, 96, 64)), nil))

	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	turned := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	turned = append(turned, buf.Bytes()[2:]...)

	v := rendering.Probe(t, rendering.Write(t, "a.jpg", turned), probe.KindImage).Video
	require.Equal(t, [2]int{64, 96}, [2]int{v.Width, v.Height})
}
