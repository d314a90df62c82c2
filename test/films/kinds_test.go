package films_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// yuv converts a color to that of frames: BT.709, limited range.
func yuv(c color.NRGBA) []byte {
	r, g, b := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
	y := 0.2126*r + 0.7152*g + 0.0722*b

	return []byte{
		byte(math.Round(16 + 219*y)), byte(math.Round(128 + 224*(b-y)/1.8556)), byte(math.Round(128 + 224*(r-y)/1.5748)),
	}
}

var ( //nolint:gochecknoglobals // constants
	red  = color.NRGBA{R: 255, A: 255}
	blue = color.NRGBA{B: 255, A: 255}
	hole = color.NRGBA{R: 255, G: 255, B: 255}
)

// pixel returns the color of a frame at a place.
func pixel(f compositor.Frame, x, y int) []byte {
	return []byte{f.Planes[0].Row(y)[x], f.Planes[1].Row(y / 2)[x/2], f.Planes[2].Row(y / 2)[x/2]}
}

// asItIs is the size of the overlaid pictures in these tests.
var asItIs = plan.Size{Width: 64, Height: 36} //nolint:gochecknoglobals // a constant

// overBlue returns the first frames of a blue recording that is fully covered by a source.
func overBlue(t *testing.T, path, kind string, frames int64, size plan.Size) []compositor.Frame {
	t.Helper()

	s := rendering.New(t)
	s.Frame = plan.Size{}
	s.Add(t, "su_blue", rendering.Make(t, "blue.mkv", "-f", "lavfi", "-i", "color=blue:s=64x36:r=30:d=1,format=rgb24", "-c:v", "ffv1", "-pix_fmt", "bgr0"))
	s.AddAs(t, "su_over", path, kind)

	settings := rendering.Wide()
	settings.Frame = size

	look := values.ClipLook{Effects: []values.ShownEffect{{
		Kind: values.EffectKindMediaOverlay, EndMs: 1000, SourceID: "su_over", Params: values.EffectParams{
			Overlay: &values.OverlayParams{Dimensions: values.Size{Width: 1920, Height: 1080}},
		},
	}}}

	chunks, err := plan.Reel(timeline.Video{Clips: []timeline.Clip{s.Clip("su_blue")}}, values.Look{Clips: []values.ClipLook{look}},
		s.Sources, settings, 0, frames)
	require.NoError(t, err)

	var raw bytes.Buffer

	require.NoError(t, s.Engine.Paint(t.Context(), chunks, s.Files, settings.Frame, frames, &raw))

	var all []compositor.Frame

	for b := range slices.Chunk(raw.Bytes(), still.FrameBytes(settings.Frame)) {
		f, err := compositor.FrameOf(b, settings.Frame.Width, settings.Frame.Height)
		require.NoError(t, err)

		all = append(all, f)
	}

	require.Len(t, all, int(frames))

	return all
}

// pngChunks adds chunks to a PNG after its header.
func pngChunks(file []byte, chunks ...string) []byte {
	const header = 8 + 25

	out := slices.Clone(file[:header])

	for i := 0; i < len(chunks); i += 2 {
		named := append([]byte(chunks[i]), chunks[i+1]...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(chunks[i+1])))
		out = append(out, named...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(named))
	}

	return append(out, file[header:]...)
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()

	var out bytes.Buffer

	require.NoError(t, png.Encode(&out, m))

	return out.Bytes()
}

// halves is a picture whose left half is red and whose right half is transparent.
func halves(in color.Palette) image.Image {
	box := image.Rect(0, 0, 64, 36)

	m := interface {
		image.Image
		Set(x, y int, c color.Color)
	}(image.NewNRGBA(box))
	if in != nil {
		m = image.NewPaletted(box, in)
	}

	for y := range 36 {
		for x := range 64 {
			if x < 32 {
				m.Set(x, y, red)
			} else {
				m.Set(x, y, hole)
			}
		}
	}

	return m
}

// greyHalves is a grayscale PNG of that bit depth, black on the left and white on the right, where white is
// transparent.
func greyHalves(t *testing.T, depth byte) []byte {
	t.Helper()

	m := image.NewGray(image.Rect(0, 0, 64, 36))

	for y := range 36 {
		for x := range 64 {
			m.SetGray(x, y, color.Gray{Y: uint8(x / 32 * 255)})
		}
	}

	file := pngOf(t, m)
	if depth < 8 { // below eight, FFmpeg writes only depth one
		path := rendering.Make(t, "grey.png", "-i", rendering.Write(t, "eight.png", file), "-pix_fmt", "monob")
		one, err := os.ReadFile(path)
		require.NoError(t, err)

		file = one
	}

	level := uint16(1)<<depth - 1

	return pngChunks(file, "tRNS", string(binary.BigEndian.AppendUint16(nil, level)))
}

// Transparency is kept however a file stores it: in the codec's own pictures, in a palette, as a transparent color, or
// in a separate plane.
func TestTransparencyIsKept(t *testing.T) {
	t.Parallel()

	const drawn = "color=red:s=64x36:r=30:d=0.5,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,32),255,0)'"

	encoded := func(name string, settings string) func(t *testing.T) string {
		return func(t *testing.T) string {
			t.Helper()

			return rendering.Make(t, name, append([]string{"-f", "lavfi", "-i", drawn}, strings.Fields(settings)...)...)
		}
	}
	file := func(name string, content func(t *testing.T) []byte) func(t *testing.T) string {
		return func(t *testing.T) string {
			t.Helper()

			return rendering.Write(t, name, content(t))
		}
	}

	for name, tc := range map[string]struct {
		make func(t *testing.T) string
		kind string
		left color.NRGBA
		loss float64
	}{
		"VP9 in WebM":         {encoded("a.webm", "-c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0 -deadline realtime -b:v 1M"), probe.KindVideo, red, 6},
		"VP8 in WebM":         {encoded("a.webm", "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -deadline realtime -b:v 1M"), probe.KindVideo, red, 6},
		"VP9 in Matroska":     {encoded("a.mkv", "-c:v libvpx-vp9 -pix_fmt yuva420p -lossless 1 -deadline realtime"), probe.KindVideo, red, 2},
		"ProRes 4444":         {encoded("a.mov", "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le"), probe.KindVideo, red, 4},
		"QuickTime animation": {encoded("a.mov", "-c:v qtrle"), probe.KindVideo, red, 2},
		"FFV1":                {encoded("a.mkv", "-c:v ffv1 -pix_fmt yuva420p"), probe.KindVideo, red, 3},
		"animated PNG":        {encoded("a.apng", "-c:v apng -plays 0"), probe.KindVideo, red, 2},
		"WebP":                {encoded("a.webp", "-frames:v 1 -c:v libwebp -quality 90"), probe.KindImage, red, 6},
		"lossless WebP":       {encoded("a.webp", "-frames:v 1 -c:v libwebp -lossless 1"), probe.KindImage, red, 2},
		"PNG": {file("a.png", func(t *testing.T) []byte {
			t.Helper()

			return pngOf(t, halves(nil))
		}), probe.KindImage, red, 2},
		"PNG of 16 bits": {encoded("a.png", "-frames:v 1 -pix_fmt rgba64be"), probe.KindImage, red, 2},
		"PNG with a palette": {file("a.png", func(t *testing.T) []byte {
			t.Helper()

			return pngOf(t, halves(color.Palette{red, hole}))
		}), probe.KindImage, red, 2},
		"PNG8": {file("a.png", func(t *testing.T) []byte {
			t.Helper()

			return pngOf(t, halves(eight()))
		}), probe.KindImage, red, 2},
		"grey PNG with a key": {file("a.png", func(t *testing.T) []byte {
			t.Helper()

			return greyHalves(t, 8)
		}), probe.KindImage, color.NRGBA{}, 2},
		"PNG of one bit, same": {file("a.png", func(t *testing.T) []byte {
			t.Helper()

			return greyHalves(t, 1)
		}), probe.KindImage, color.NRGBA{}, 2},
		"GIF": {file("a.gif", func(t *testing.T) []byte {
			t.Helper()

			return gifOf(t, gif.GIF{
				Image: []*image.Paletted{halves(color.Palette{red, color.NRGBA{}}).(*image.Paletted)}, Delay: []int{0},
			})
		}), probe.KindImage, red, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			path := tc.make(t)

			for _, size := range []plan.Size{asItIs, {Width: 48, Height: 28}} {
				frame := overBlue(t, path, tc.kind, 1, size)[0]
				require.InDeltaSlice(t, yuv(tc.left), pixel(frame, 10, 14), tc.loss, "the left half, in %v", size)
				require.InDeltaSlice(t, yuv(blue), pixel(frame, size.Width-10, 14), tc.loss, "behind the right half, in %v", size)
			}
		})
	}
}

// eight is a palette with more colors than four bits hold.
func eight() color.Palette {
	p := color.Palette{red, hole}
	for i := range 100 {
		p = append(p, color.NRGBA{G: uint8(i), B: 40, A: 255})
	}

	return p
}

func gifOf(t *testing.T, g gif.GIF) []byte {
	t.Helper()

	var out bytes.Buffer

	require.NoError(t, gif.EncodeAll(&out, &g))

	return out.Bytes()
}

// White stays white and gray stays gray, whatever range and matrix a file uses.
func TestWhiteIsWhite(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct{ file, settings string }{
		"JPEG":                        {"a.jpg", "-frames:v 1 -pix_fmt yuvj420p -q:v 2"},
		"JPEG of all colours":         {"a.jpg", "-frames:v 1 -pix_fmt yuvj444p -q:v 2"},
		"grey JPEG":                   {"a.jpg", "-frames:v 1 -pix_fmt gray -q:v 2"},
		"grey PNG":                    {"a.png", "-frames:v 1 -pix_fmt gray"},
		"PNG of 16 bits":              {"a.png", "-frames:v 1 -pix_fmt rgba64be"},
		"BMP":                         {"a.bmp", "-frames:v 1"},
		"WebP":                        {"a.webp", "-frames:v 1 -c:v libwebp -quality 95"},
		"Motion JPEG":                 {"a.avi", "-c:v mjpeg -q:v 2"},
		"H.264, full range":           {"a.mp4", "-vf scale=out_range=full:out_color_matrix=bt709 -pix_fmt yuv420p -color_range pc -colorspace bt709 -c:v libx264"},
		"H.264, full range of BT.601": {"a.mkv", "-vf scale=out_range=full:out_color_matrix=bt601 -pix_fmt yuv420p -color_range pc -colorspace smpte170m -c:v libx264"},
		"VP9, full range":             {"a.webm", "-vf scale=out_range=full:out_color_matrix=bt709 -pix_fmt yuv420p -color_range pc -colorspace bt709 -c:v libvpx-vp9 -lossless 1"},
		"H.264 that does not say":     {"a.mp4", "-vf scale=out_range=tv:out_color_matrix=bt601 -pix_fmt yuv420p -c:v libx264"},
	} {
		for colour, want := range map[string]byte{"white": 255, "0x808080": 128} {
			t.Run(name+" "+colour, func(t *testing.T) {
				t.Parallel()

				path := rendering.Make(t, tc.file, append([]string{"-f", "lavfi", "-i", "color=" + colour + ":s=64x36:d=0.1:r=30,format=rgb24"},
					strings.Fields(tc.settings)...)...)

				kind := probe.KindVideo
				if strings.Contains(tc.settings, "-frames:v") {
					kind = probe.KindImage
				}

				for _, size := range []plan.Size{{Width: 64, Height: 36}, {Width: 32, Height: 18}} {
					frame := shownAt(t, path, kind, 0, size)
					require.Equal(t, yuv(color.NRGBA{R: want, G: want, B: want}), pixel(frame, size.Width/2, size.Height/2), "%v", size)
				}

				require.Equal(t, yuv(color.NRGBA{R: want, G: want, B: want}), pixel(overBlue(t, path, kind, 1, asItIs)[0], 30, 18), "as an overlay")
			})
		}
	}
}

// shownAt returns the frame of a source at a time.
func shownAt(t *testing.T, path, kind string, atMs int64, size plan.Size) compositor.Frame {
	t.Helper()

	e := &encode.Engine{Tools: rendering.Tools(t)}

	recording, err := probe.Open(t.Context(), e.Tools, probe.Source{Path: path, Info: rendering.Probe(t, path, kind)})
	require.NoError(t, err)

	var raw bytes.Buffer

	require.NoError(t, still.Film(t.Context(), e.Runner(), recording, plan.Sample{FromUs: atMs * 1000, Frames: 1, FPS: 30, Frame: size, Fill: true}, &raw))

	frame, err := compositor.FrameOf(raw.Bytes(), size.Width, size.Height)
	require.NoError(t, err)

	return frame
}
