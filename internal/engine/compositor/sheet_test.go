package compositor

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

var update = flag.Bool("update", false, "draw docs/pictures/features.png anew")

// The sheet, and the identity of the fonts that it was drawn with.
const (
	sheetPath  = "../../../docs/pictures/features.png"
	sheetFonts = "../../../docs/pictures/features.fonts"
)

// A tile shows a frame of twice its size, under its name. The sheet begins with a title.
const (
	tileWidth, tileHeight   = 256, 144
	frameWidth, frameHeight = 2 * tileWidth, 2 * tileHeight
	tileName, tileGap       = 22, 8
	tileColumns             = 4
	sheetTitle              = 36
)

// feature is one tile of the sheet: what an export shows at a moment of a video.
type feature struct {
	name     string
	artboard plan.Size
	video    timeline.Video
	look     values.Look
	atMs     int64
	near     bool // only the upper left quarter of the frame, twice as large
}

// picture returns the frame of that moment as a player shows it. It is planned like an export, so the planner decides
// every place and size.
func (f feature) picture(tb testing.TB, from recordings) *image.RGBA {
	tb.Helper()

	settings := plan.Defaults(f.artboard)
	settings.Frame = plan.Inside(f.artboard, plan.Size{Width: frameWidth, Height: frameHeight}).Size

	chunks, err := plan.Reel(f.video, f.look, from.sources(), settings, 0, f.atMs*settings.FPS/1000+1)
	require.NoError(tb, err, f.name)

	last := chunks[len(chunks)-1]
	inputs := make([]Frame, len(last.Scene.Inputs))

	for i, in := range last.Scene.Inputs {
		inputs[i] = from.decoded(in)
	}

	painter, err := New(*last.Scene, installed(tb), 0)
	require.NoError(tb, err, f.name)

	frame := blank(settings.Frame.Width, settings.Frame.Height)
	require.NoError(tb, painter.Paint(frame, last.Scene.At(last.Frames-1), inputs), f.name)

	if f.near {
		return toRGBA(frame.within(rect{0, 0, tileWidth, tileHeight}))
	}

	return halved(frame)
}

// halved shows a frame at half its size: a pixel is the mean of four luma samples and the chroma that they share.
//
//go:norace
func halved(f Frame) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, f.Width/2, f.Height/2))

	for y := range f.Height / 2 {
		above, below := f.Planes[0].Row(2*y), f.Planes[0].Row(2*y+1)
		u, v := f.Planes[1].Row(y), f.Planes[2].Row(y)

		for x := range f.Width / 2 {
			luma := int(above[2*x]) + int(above[2*x+1]) + int(below[2*x]) + int(below[2*x+1])
			out.SetRGBA(x, y, played(float64(luma)/4, float64(u[x]), float64(v[x])))
		}
	}

	return out
}

// cell returns where a tile is on the sheet, with its name.
func cell(i int) image.Rectangle {
	x := tileGap + i%tileColumns*(tileWidth+tileGap)
	y := sheetTitle + i/tileColumns*(tileName+tileHeight+tileGap)

	return image.Rect(x, y, x+tileWidth, y+tileName+tileHeight)
}

// drawSheet draws the sheet, or only every n-th of its tiles and their names.
func drawSheet(tb testing.TB, all []feature, every int) *image.RGBA {
	tb.Helper()

	rows := (len(all) + tileColumns - 1) / tileColumns
	end := cell(rows*tileColumns - 1).Max
	out := image.NewRGBA(image.Rect(0, 0, end.X+tileGap, end.Y+tileGap))
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{250, 250, 250, 255}), image.Point{}, draw.Src)

	write := func(text string, size float64, within image.Rectangle) {
		layout, err := installed(tb).Set(text, lettering.Style{Family: "Inter", Size: size, Weight: 600, Width: 100}, 0)
		require.NoError(tb, err)
		require.LessOrEqual(tb, layout.Width, float64(within.Dx()), "%s does not fit", text)

		line := out.SubImage(within).(*image.RGBA) // drawing scans the whole destination for each letter
		layout.Draw(line, float64(within.Min.X), float64(within.Min.Y), color.RGBA{20, 20, 30, 255}, 0, len(text))
	}

	write("Every layout and feature as an export shows it, in fonts "+installed(tb).Identity()[:8], 18,
		image.Rect(tileGap, tileGap, out.Rect.Dx(), sheetTitle))

	from := made(tb)

	for i := 0; i < len(all); i += every {
		at, f := cell(i), all[i]
		write(f.name, 14, image.Rect(at.Min.X, at.Min.Y+1, at.Max.X, at.Min.Y+tileName))

		picture := f.picture(tb, from)
		corner := at.Min.Add(image.Pt((tileWidth-picture.Rect.Dx())/2, tileName+(tileHeight-picture.Rect.Dy())/2))
		edge := picture.Rect.Add(corner).Inset(-1)
		draw.Draw(out, edge, image.NewUniform(color.RGBA{196, 199, 208, 255}), image.Point{}, draw.Src)
		draw.Draw(out, edge.Inset(1), picture, image.Point{}, draw.Src)
	}

	return out
}

// apart returns the mean difference, of 255, in the square of a rectangle where two pictures of the same size differ
// most.
func apart(a, b *image.RGBA, within image.Rectangle, side int) float64 {
	var most float64

	for top := within.Min.Y; top < within.Max.Y; top += side {
		sums := make([]int, (within.Dx()+side-1)/side)
		bottom := min(top+side, within.Max.Y)

		for y := top; y < bottom; y++ {
			from, to := a.PixOffset(within.Min.X, y), a.PixOffset(within.Max.X, y)
			if bytes.Equal(a.Pix[from:to], b.Pix[from:to]) {
				continue
			}

			for i := from; i < to; i++ {
				sums[(i-from)/4/side] += absolute(int(a.Pix[i]) - int(b.Pix[i]))
			}
		}

		for i, sum := range sums {
			across := min(side, within.Dx()-i*side)
			most = max(most, float64(sum)/float64(3*across*(bottom-top)))
		}
	}

	return most
}

// The contact sheet shows every layout and feature as an export would, and the stored sheet matches what is drawn now.
func TestContactSheet(t *testing.T) {
	t.Parallel()

	every := 1
	if race.Detector && !*update {
		every = 2 // the detector is slow: `make proofs` compares all of them
	}

	all := features()
	drawn := drawSheet(t, all, every)

	if *update {
		file, err := os.Create(sheetPath)
		require.NoError(t, err)
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(file, drawn))
		require.NoError(t, file.Close())
		require.NoError(t, os.WriteFile(sheetFonts, []byte(installed(t).Identity()+"\n"), 0o600))

		return
	}

	const stale = "%s of docs/pictures/features.png is out of date; draw it again, and look at it before you commit it: " +
		"go test ./internal/engine/compositor -run ContactSheet -args -update"

	file, err := os.Open(sheetPath)
	require.NoError(t, err)

	defer file.Close()

	decoded, err := png.Decode(file)
	require.NoError(t, err)

	kept := decoded.(*image.RGBA)
	require.Equal(t, drawn.Rect, kept.Rect, stale, "the size")

	// Processors round differently. A missing cursor, or a corner that is no longer round, differs several times as much.
	square, slack := 12, 2.0

	fonts, err := os.ReadFile(sheetFonts)
	require.NoError(t, err)

	if installed(t).Identity() != strings.TrimSpace(string(fonts)) {
		t.Log("the sheet was drawn with other fonts: letters are in other places, so only large differences count")

		square, slack = tileWidth, 12
	}

	for i := 0; i < len(all); i += every {
		require.LessOrEqual(t, apart(drawn, kept, cell(i), square), slack, stale, "“"+all[i].name+"”")
	}
}
