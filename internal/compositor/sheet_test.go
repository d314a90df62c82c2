package compositor

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/reelgraph/reelgraph/internal/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/render"
)

var sheet = flag.String("sheet", "", "write the contact sheet of all features to this PNG")

// The size that features are drawn in for the sheet, and that they are shown in.
const (
	sheetWidth, sheetHeight = 960, 540
	tileWidth, tileHeight   = 264, 148
)

// feature is one tile of the sheet.
type feature struct {
	name string
	view render.View
}

// fakeScreen is a made-up window with lines of text.
func fakeScreen(tb testing.TB, w, h int) Frame {
	tb.Helper()

	c := image.NewRGBA(image.Rect(0, 0, w, h))
	fill := func(x, y, width, height int, col color.Color) {
		draw.Draw(c, image.Rect(x, y, x+width, y+height), image.NewUniform(col), image.Point{}, draw.Src)
	}

	fill(0, 0, w, h, color.RGBA{245, 246, 250, 255})
	fill(0, 0, w, h/12, color.RGBA{38, 43, 64, 255})
	fill(0, h/12, w/5, h, color.RGBA{226, 229, 240, 255})

	for i := range 3 {
		fill(h/40+i*h/20, h/36, h/36, h/36, []color.Color{
			color.RGBA{255, 95, 86, 255}, color.RGBA{255, 189, 46, 255}, color.RGBA{39, 201, 63, 255},
		}[i])
	}

	for i := range 7 {
		fill(w/40, h/6+i*h/9, w/8, h/30, color.RGBA{160, 168, 200, 255})
	}

	size := float64(h) / 16
	for i, line := range []string{"Quarterly figures", "Account  4711-0815-2342", "Balance  1 234 567.89", "Password  correct horse"} {
		layout, err := installed(tb).Set(line, lettering.Style{Family: "Inter", Size: size, Weight: 500, Width: 100}, 0)
		require.NoError(tb, err)
		layout.Draw(c, float64(w)/4, float64(h)/6+float64(i)*2*size, color.RGBA{30, 34, 50, 255}, 0, 100)
	}

	for i, v := range []float64{0.3, 0.55, 0.42, 0.8, 0.66, 0.95} {
		bar := int(v * float64(h) / 4)
		fill(w/4+i*w/9, h*19/20-bar, w/14, bar, color.RGBA{88, 101, 242, 255})
	}

	return spriteOf(c).frame
}

// fakeCamera is a made-up speaker.
func fakeCamera(w, h int) Frame {
	f := NewFrame(w, h)
	gradient(f, Colour{240, 200, 160, 255}, Colour{120, 150, 190, 255}, 30)

	var m mask

	s := float64(min(w, h))
	x, y := float64(w)/2, float64(h)/2
	m.set(box(x-0.42*s, y+0.18*s, 0.84*s, s), render.Corner{Radius: 0.4 * s}, 1, f.bounds())
	stain(f, &m, Colour{60, 90, 140, 255})
	m.set(box(x-0.19*s, y-0.32*s, 0.38*s, 0.46*s), render.Corner{Radius: 0.19 * s}, 1, f.bounds())
	stain(f, &m, Colour{205, 150, 115, 255})

	return f
}

// fakeLogo is a picture with transparency.
func fakeLogo(side int) Frame {
	f := full(side, side, Colour{255, 99, 71, 255})
	f.Alpha = Plane{make([]byte, side*side), side, side, side}

	for y := range side {
		for x := range side {
			d := math.Hypot(float64(x)+0.5-float64(side)/2, float64(y)+0.5-float64(side)/2)
			f.Alpha.Pix[y*side+x] = byte(255 * max(0, min(1, float64(side)/2-d)) * max(0.2, min(1, d/float64(side)*2)))
		}
	}

	return f
}

// Inputs of the sheet: a screen of the whole frame, one for an inset, a camera square and wide, a logo.
const (
	sheetScreen = iota
	sheetInset
	sheetCamera
	sheetWide
	sheetLogo
)

func sheetInputs(tb testing.TB) []Frame {
	tb.Helper()

	return []Frame{
		fakeScreen(tb, sheetWidth, sheetHeight), fakeScreen(tb, 800, 450), fakeCamera(240, 240), fakeCamera(320, 180), fakeLogo(160),
	}
}

func insetLayer(border domain.BorderStyle, corner render.Corner) render.Layer {
	return render.Layer{
		Input: sheetInset, From: box(0, 0, 800, 450), To: box(80, 44, 800, 450), Corner: corner, Border: border, Opacity: 1,
	}
}

func features() []feature {
	blue := render.Background{Type: domain.BackgroundTypeGradient, Color: "#4F46E5FF", Color2: "#EC4899FF", Angle: 120}
	pale := solid("#E5E7EBFF")
	round := render.Corner{Radius: 20}
	wholeScreen := render.Layer{Input: sheetScreen, From: sized(sheetWidth, sheetHeight), To: sized(sheetWidth, sheetHeight), Opacity: 1}
	bubble := func(c render.Corner) render.Layer {
		return render.Layer{
			Input: sheetCamera, From: box(0, 0, 240, 240), To: box(690, 270, 240, 240), Corner: c, Opacity: 1,
			Border: domain.BorderStyleDeepShadow,
		}
	}

	with := func(l render.Layer, change func(*render.Layer)) render.Layer {
		change(&l)

		return l
	}

	masks := func(masks ...render.Mask) render.Layer {
		return with(wholeScreen, func(l *render.Layer) { l.Masks = masks })
	}

	text := func(s, family string, change func(*render.Text)) render.Overlay {
		t := &render.Text{Text: s, Box: box(180, 190, 600, 160), TextStyle: domain.TextStyle{
			Color: "#FFFFFFFF", Background: "#111827E6", BackgroundShape: domain.TextBackgroundShapeRounded,
			FontFamily: family, FontSize: 52, FontWeight: 500, FontWidth: 100, TextAlign: domain.TextAlignCenter,
		}}
		if change != nil {
			change(t)
		}

		return render.Overlay{Text: t}
	}

	caption := func(active int, highlights bool, back, ink domain.Color) *render.Caption {
		return &render.Caption{
			Words: []string{"Every", "word", "that", "is", "said", "lights", "up", "when", "it", "is", "heard"}, Active: active,
			Style: domain.CaptionStyle{BackgroundColor: back, TextColor: ink, WordLevelHighlights: highlights},
			X:     480, Y: 450, FontSize: 40, MaxWidth: 640,
		}
	}

	cursor := func(press float64) render.Layer {
		return with(wholeScreen, func(l *render.Layer) {
			l.From = box(250, 40, 480, 270)
			l.Cursor = &render.Cursor{X: 430, Y: 210, Size: 70, Press: press}
		})
	}

	layers := func(l ...render.Layer) []render.Layer { return l }
	gap := func(b domain.BorderStyle, bg render.Background, c render.Corner) render.View {
		return render.View{Background: bg, Layers: layers(insetLayer(b, c)), Seconds: 1.9}
	}

	return []feature{
		{"solid", render.View{Background: solid("#0EA5E9FF")}},
		{"gradient 120°", render.View{Background: blue}},
		{"shader gradient", render.View{Background: render.Background{
			Type: domain.BackgroundTypeShaderGradient, Color: "#0F172AFF", Color2: "#22D3EEFF",
		}, Seconds: 3}},
		{"image or video", render.View{Background: render.Background{Type: domain.BackgroundTypeImage, Input: sheetScreen}, Layers: layers(bubble(round))}},
		{"corners none", gap(domain.BorderStyleNone, blue, render.Corner{})},
		{"corners regular", gap(domain.BorderStyleNone, blue, render.Corner{Radius: 36})},
		{"corners squircle", gap(domain.BorderStyleNone, blue, render.Corner{Radius: 110, Squircle: true})},
		{"subtle shadow", gap(domain.BorderStyleSubtleShadow, pale, round)},
		{"deep shadow", gap(domain.BorderStyleDeepShadow, pale, round)},
		{"transparent", gap(domain.BorderStyleTransparent, blue, round)},
		{"solid shadow left", gap(domain.BorderStyleSolidShadowLeft, pale, round)},
		{"solid shadow right", gap(domain.BorderStyleSolidShadowRight, pale, round)},
		{"snake", gap(domain.BorderStyleSnake, solid("#111827FF"), round)},
		{"camera round", render.View{Background: blue, Layers: layers(wholeScreen, bubble(render.Corner{Radius: 120}))}},
		{"camera squircle", render.View{Background: blue, Layers: layers(wholeScreen, bubble(render.Corner{Radius: 120, Squircle: true}))}},
		{"camera wide", render.View{Background: blue, Layers: layers(wholeScreen, render.Layer{
			Input: sheetWide, From: box(0, 0, 320, 180), To: box(610, 330, 320, 180), Corner: round, Opacity: 1, Border: domain.BorderStyleSubtleShadow,
		})}},
		{"moving, half there", render.View{Background: blue, Layers: layers(wholeScreen, with(bubble(render.Corner{Radius: 70.3}), func(l *render.Layer) {
			l.To, l.Opacity = box(420.4, 200.7, 140.6, 140.6), 0.5
		}))}},
		{"zoom 2×", render.View{Background: blue, Layers: layers(with(insetLayer(domain.BorderStyleDeepShadow, round), func(l *render.Layer) {
			l.From = box(150.3, 40.2, 400, 225)
		}))}},
		{"blur", render.View{Background: blue, Layers: layers(masks(
			render.Mask{Type: domain.MaskTypeBlur, Box: box(232, 148, 460, 50), Cell: 16},
			render.Mask{Type: domain.MaskTypeBlur, Box: box(232, 280, 460, 50), Cell: 48},
		))}},
		{"highlight", render.View{Background: blue, Layers: layers(masks(
			render.Mask{Type: domain.MaskTypeHighlight, Box: box(232, 148, 460, 50), Dark: 0.7},
			render.Mask{Type: domain.MaskTypeHighlight, Box: box(232, 340, 660, 180), Dark: 0.7},
		))}},
		{"picture with alpha", render.View{Background: blue, Layers: layers(wholeScreen), Overlays: []render.Overlay{
			{Picture: &render.Layer{Input: sheetLogo, From: box(0, 0, 160, 160), To: box(740, 40, 160, 160), Opacity: 1}},
		}}},
		{"text, thin to black", render.View{Background: blue, Overlays: []render.Overlay{
			text("Thin 100", "Inter", func(t *render.Text) { t.FontWeight, t.Box.Y, t.Background = 100, 20, domain.Transparent }),
			text("Medium 500", "Inter", func(t *render.Text) { t.Box.Y, t.Background = 190, domain.Transparent }),
			text("Black 900", "Inter", func(t *render.Text) { t.FontWeight, t.Box.Y, t.Background = 900, 360, domain.Transparent }),
		}}},
		{"text, square, left", render.View{Background: blue, Overlays: []render.Overlay{
			text("Set in lines that break between words", "Noto Serif", func(t *render.Text) {
				t.BackgroundShape, t.TextAlign, t.Box = domain.TextBackgroundShapeSquare, domain.TextAlignLeft, box(130, 130, 700, 280)
			}),
		}}},
		{"text, rounded, right", render.View{Background: blue, Overlays: []render.Overlay{
			text("Condensed\nRoboto 75", "Roboto", func(t *render.Text) { t.FontWidth, t.TextAlign = 75, domain.TextAlignRight }),
		}}},
		{"text, pill, emoji", render.View{Background: blue, Overlays: []render.Overlay{
			text("Ship it 🚀 👩‍💻 ❤️", "Comfortaa", func(t *render.Text) { t.BackgroundShape = domain.TextBackgroundShapePill }),
		}}},
		{"text, squircle", render.View{Background: blue, Overlays: []render.Overlay{
			text("Lobster", "Lobster", func(t *render.Text) { t.BackgroundShape, t.FontSize = domain.TextBackgroundShapeSquircle, 90 }),
		}}},
		{"captions", render.View{Background: blue, Layers: layers(wholeScreen), Caption: caption(-1, false, "#000000CC", "#FFFFFFFF")}},
		{"captions, a word lit", render.View{Background: blue, Layers: layers(wholeScreen), Caption: caption(5, true, "#000000CC", "#FFFFFFFF")}},
		{"cursor", render.View{Background: blue, Layers: layers(cursor(0))}},
		{"click", render.View{Background: blue, Layers: layers(cursor(0.55))}},
	}
}

// The contact sheet shows every feature, drawn by the painter as an export would be.
func TestContactSheet(t *testing.T) {
	t.Parallel()

	if *sheet == "" {
		t.Log("nothing to write: -sheet names no file")

		return
	}

	all := features()

	const columns, label = 5, 26

	rows := (len(all) + columns - 1) / columns
	out := image.NewRGBA(image.Rect(0, 0, columns*(tileWidth+8)+8, rows*(tileHeight+label+6)+8))
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{250, 250, 250, 255}), image.Point{}, draw.Src)

	inputs := sheetInputs(t)

	for i, f := range all {
		x, y := 8+i%columns*(tileWidth+8), 8+i/columns*(tileHeight+label+6)
		layout, err := installed(t).Set(f.name, lettering.Style{Family: "Inter", Size: 15, Weight: 600, Width: 100}, 0)
		require.NoError(t, err)
		layout.Draw(out, float64(x), float64(y+2), color.RGBA{20, 20, 30, 255}, 0, 100)

		shown := toRGBA(painted(t, sheetWidth, sheetHeight, f.view, inputs...))
		draw.CatmullRom.Scale(out, image.Rect(x, y+label-4, x+tileWidth, y+label-4+tileHeight), shown, shown.Rect, draw.Src, nil)
	}

	file, err := os.Create(*sheet)
	require.NoError(t, err)
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(file, out))
	require.NoError(t, file.Close())
}
