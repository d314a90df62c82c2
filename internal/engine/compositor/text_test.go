package compositor

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

func lettered(t plan.Text) plan.View {
	return plan.View{Background: solid("#0000FFFF"), Overlays: []plan.Overlay{{Text: &t}}}
}

func plain(text string) plan.Text {
	return plan.Text{Text: text, Box: box(40, 30, 400, 120), TextStyle: values.TextStyle{
		Color: "#FFFFFFFF", Background: values.Transparent, BackgroundShape: values.TextBackgroundShapeNone,
		FontFamily: "Inter", FontSize: 40, FontWeight: 500, FontWidth: 100, TextAlign: values.TextAlignCenter,
	}}
}

// inkOf returns the box of all pixels that are nearer to white than to the blue background.
func inkOf(f Frame) (x0, y0, x1, y1 int) {
	x0, y0 = f.Width, f.Height

	for y := range f.Height {
		for x, v := range f.Planes[0].Row(y) {
			if v > 130 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}

	return x0, y0, x1, y1
}

// The drawn text fills the glyph boxes of the font's own tables, at the places that the style gives.
func TestTextByGlyphBoxes(t *testing.T) {
	t.Parallel()

	for _, align := range []values.TextAlign{values.TextAlignLeft, values.TextAlignCenter, values.TextAlignRight} {
		text := plain("Hxg")
		text.TextAlign = align
		f := painted(t, 480, 180, lettered(text))

		layout, err := installed(t).Set("Hxg", lettering.Style{Family: "Inter", Size: 40, Weight: 500, Width: 100}, 0)
		require.NoError(t, err)

		first, last := layout.Lines[0].Glyphs[0], layout.Lines[0].Glyphs[2]
		left := map[values.TextAlign]float64{
			values.TextAlignLeft: 40, values.TextAlignCenter: 40 + (400-layout.Lines[0].Width)/2,
			values.TextAlignRight: 440 - layout.Lines[0].Width,
		}[align]
		top := 30 + (120-40*lettering.LineHeight)/2

		x0, y0, x1, y1 := inkOf(f)
		require.InDelta(t, left+first.Left, x0, 1)
		require.InDelta(t, left+last.Right, x1, 1)
		require.InDelta(t, top+first.Top, y0, 1)
		require.InDelta(t, top+last.Bottom, y1, 1)
	}
}

func TestTextWrapsAndOverflowsItsBox(t *testing.T) {
	t.Parallel()

	text := plain("many words in a narrow and low box go on")
	text.Box = box(140, 170, 200, 20)
	x0, y0, x1, y1 := inkOf(painted(t, 480, 360, lettered(text)))

	require.GreaterOrEqual(t, x0, 140)
	require.LessOrEqual(t, x1, 340)
	require.InDelta(t, 180, float64(y0+y1)/2, 40*0.4, "around the middle of its box")
	require.Greater(t, y1-y0, 100)
}

func TestTextBackgrounds(t *testing.T) {
	t.Parallel()

	for shape, corner := range map[values.TextBackgroundShape]plan.Corner{
		values.TextBackgroundShapeSquare:   {},
		values.TextBackgroundShapeRounded:  {Radius: 0.2 * 120},
		values.TextBackgroundShapePill:     {Radius: 60},
		values.TextBackgroundShapeSquircle: {Radius: 60, Squircle: true},
	} {
		text := plain(" ")
		text.Background, text.BackgroundShape = "#FF0000FF", shape
		f := painted(t, 480, 180, lettered(text))
		off := 0

		for y := range 180 {
			for x := range 480 {
				switch fx, fy := float64(x), float64(y); {
				case allIn(text.Box, corner, fx, fy):
					off = max(off, absolute(int(f.Planes[0].Row(y)[x])-63))
				case noneIn(text.Box, corner, fx, fy):
					off = max(off, absolute(int(f.Planes[0].Row(y)[x])-32))
				}
			}
		}

		require.LessOrEqual(t, off, 1, shape)
	}

	text := plain(" ")
	text.Background = "#FF0000FF"
	near(t, painted(t, 480, 180, lettered(text)), 240, 90, Colour{0, 0, 255, 255}, 2, "no shape, no background")

	text.BackgroundShape, text.Background = values.TextBackgroundShapeSquare, "#FF000080"
	near(t, painted(t, 480, 180, lettered(text)), 240, 90, Colour{128, 0, 127, 255}, 4, "half transparent")
}

// Heavier letters have more ink, and condensed ones are narrower.
func TestTextAxes(t *testing.T) {
	t.Parallel()

	ink := func(change func(*plan.Text)) (sum, width float64) {
		text := plain("Hamburg")
		change(&text)

		f := painted(t, 480, 180, plan.View{Background: solid("#000000FF"), Overlays: lettered(text).Overlays})
		sum, _, _ = light(f)
		x0, _, x1, _ := inkOf(f)

		return sum, float64(x1 - x0)
	}

	var before float64

	for _, weight := range []float64{100, 300, 437, 700, 900} {
		sum, _ := ink(func(t *plan.Text) { t.FontWeight = weight })
		require.Greater(t, sum, before*1.05, "weight %v", weight)
		before = sum
	}

	most, _ := ink(func(t *plan.Text) { t.FontWeight = 1000 })
	require.InDelta(t, before, most, 0.01, "beyond the axis it is clamped")

	_, across, ok := installed(t).Ranges("Roboto")
	require.True(t, ok)

	for asked, drawn := range map[float64]float64{1: across.Min, across.Min: across.Min, across.Max: across.Max, 400: across.Max} {
		layout, err := installed(t).Set("Hamburg", lettering.Style{Family: "Roboto", Size: 40, Weight: 500, Width: drawn}, 0)
		require.NoError(t, err)

		glyphs := layout.Lines[0].Glyphs
		_, width := ink(func(t *plan.Text) { t.FontFamily, t.FontWidth = "Roboto", asked })
		require.InDelta(t, glyphs[len(glyphs)-1].Right-glyphs[0].Left, width, 2, "width %v", asked)
	}

	_, wide := ink(func(t *plan.Text) { t.FontFamily = "Roboto" })
	_, narrow := ink(func(t *plan.Text) { t.FontFamily, t.FontWidth = "Roboto", 50 })
	require.Less(t, narrow, 0.95*wide)
}

// Emoji keep their colors and stand between the letters.
func TestTextEmoji(t *testing.T) {
	t.Parallel()

	f := painted(t, 480, 180, lettered(plain("🟥")))
	near(t, f, 240, 90, Colour{221, 46, 68, 255}, 60, "a red square; shades differ between fonts")
}

func caption(active int, highlights bool) *plan.Caption {
	return &plan.Caption{
		Words: []string{"one", "two", "three", "four", "five", "six", "seven", "eight"}, Active: active,
		Style: values.CaptionStyle{BackgroundColor: "#FF0000FF", TextColor: "#FFFFFFFF", WordLevelHighlights: highlights},
		X:     320, Y: 180, FontSize: 32, MaxWidth: 400,
	}
}

// A caption is centered, has at most two lines, and only its active word is marked.
func TestCaption(t *testing.T) {
	t.Parallel()

	view := func(c *plan.Caption) plan.View {
		return plan.View{Background: solid("#000000FF"), Caption: c}
	}

	f := painted(t, 640, 360, view(caption(2, false)))

	x0, y0, x1, y1 := 640, 360, 0, 0

	for y := range 360 {
		for x := range 640 {
			if pixel(f, x, y).R > 128 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}

	require.InDelta(t, 320, float64(x0+x1)/2, 1)
	require.InDelta(t, 180, float64(y0+y1)/2, 1)
	require.LessOrEqual(t, x1-x0, 401)
	require.InDelta(t, 32*(2*lettering.LineHeight+2*captionPadY), y1-y0, 2, "two lines")

	set, err := setCaption(caption(0, true), installed(t), rect{0, 0, 640, 360})
	require.NoError(t, err)

	for active := range 8 {
		lit := painted(t, 640, 360, view(caption(active, true)))

		for word := range 8 {
			b, ok := set.word(word)
			require.True(t, ok)

			sum := 0.0

			for y := int(b.Y) + 4; y < int(b.Y+b.Height)-4; y++ {
				for x := int(b.X); x < int(b.X+b.Width); x++ {
					sum += float64(pixel(lit, x, y).G) / 255
				}
			}

			share := sum / (b.Width * (b.Height - 8))
			if word == active {
				require.Greater(t, share, 0.55, "word %d is on white", word)
			} else {
				require.Less(t, share, 0.5, "word %d is white on red", word)
			}
		}
	}
}

// A lit word looks as if the whole caption had been drawn with it. It changes nothing next to it, and leaves nothing
// behind when another word or another caption follows.
func TestWordsLightUpAlone(t *testing.T) {
	t.Parallel()

	style := values.CaptionStyle{BackgroundColor: "#FF000080", TextColor: "#FFFFFFC0", WordLevelHighlights: true}
	first, second := caption(-1, true), caption(-1, true)
	first.Style, second.Style = style, style
	first.Words[3], first.Words[5] = "🎉four", "ÅÄÖgj"
	second.Words[1], second.Words[3] = "second", "fourth"

	view := func(c *plan.Caption, word int) plan.View {
		lit := *c
		lit.Active = word

		return plan.View{Background: solid("#0000FFFF"), Caption: &lit}
	}
	within := rect{0, 0, 640, 360}
	one, err := New(plan.Scene{
		Frame: plan.Size{Width: 640, Height: 360}, FPS: 30, Frames: 1, Shots: []plan.Shot{{View: view(first, -1)}},
	}, installed(t), 0)
	require.NoError(t, err)

	for _, c := range []*plan.Caption{first, second, first} {
		set, err := setCaption(c, installed(t), within)
		require.NoError(t, err)

		plain := painted(t, 640, 360, view(c, -1))
		x, y := set.origin()

		for _, word := range []int{3, 0, 1, 2, 5, -1, 3, 3, 7, 8, 4, 6, 3} {
			got := NewFrame(640, 360)
			require.NoError(t, one.Paint(got, view(c, word), nil))
			require.Zero(t, furthest(got, painted(t, 640, 360, view(c, word)), image.Rectangle{}), "word %d, after others", word)

			if word < 0 || word >= len(c.Words) {
				require.Zero(t, furthest(got, plain, image.Rectangle{}), "no such word")

				continue
			}

			whole := full(640, 360, Colour{0, 0, 255, 255})
			set.paint(canvas(around(set.box).Union(set.layout.Ink(x, y, 0, set.end())), within), word).draw(whole)

			mark, ok := set.mark(word)
			require.True(t, ok)

			ink := set.layout.Ink(x, y, set.words[word][0], set.words[word][1])
			box := around(mark).Union(ink).Inset(-2) // of whole chroma

			all, beside := furthest(got, whole, image.Rectangle{}), furthest(got, plain, box)
			require.LessOrEqual(t, all, 2, "word %d, drawn with its caption", word)
			require.Zero(t, beside, "beside word %d", word)
		}
	}
}

// furthest returns the greatest difference between two pictures outside a box.
func furthest(a, b Frame, but image.Rectangle) int {
	most := 0

	for i, p := range a.Planes {
		if i == 1 {
			but = image.Rect(but.Min.X/2, but.Min.Y/2, but.Max.X/2, but.Max.Y/2)
		}

		for y := range p.Height {
			for x, v := range p.Row(y) {
				if d := int(v) - int(b.Planes[i].Row(y)[x]); d != 0 && !(image.Point{X: x, Y: y}).In(but) {
					most = max(most, d, -d)
				}
			}
		}
	}

	return most
}

// A caption near an edge is moved inside, and one with too many words gets smaller letters.
func TestCaptionFits(t *testing.T) {
	t.Parallel()

	c := caption(-1, false)
	c.X, c.Y = 10, 355
	set, err := setCaption(c, installed(t), rect{0, 0, 640, 360})
	require.NoError(t, err)
	require.Zero(t, set.box.X)
	require.InDelta(t, 360, set.box.Y+set.box.Height, 0.01)

	for range 2 {
		c.Words = append(c.Words, c.Words...)
	}

	set, err = setCaption(c, installed(t), rect{0, 0, 640, 360})
	require.NoError(t, err)
	require.LessOrEqual(t, len(set.layout.Lines), 2)
	require.Less(t, set.size, 32.0)

	c.Words = []string{"Donaudampfschifffahrtsgesellschaftskapitänsmütze"}
	set, err = setCaption(c, installed(t), rect{0, 0, 640, 360})
	require.NoError(t, err)
	require.Zero(t, set.layout.Broken, "no word is broken")
}

// After the first frames, painting allocates no memory.
//
//nolint:paralleltest // allocations of other tests would be counted
func TestPaintingAllocatesNothing(t *testing.T) {
	inputs := []Frame{fakeCamera(320, 180), fakeCamera(80, 80)}
	v := plan.View{
		Background: plan.Background{Type: values.BackgroundTypeGradient, Color: "#112233FF", Color2: "#445566FF", Angle: 30},
		Layers: []plan.Layer{
			{
				From: box(10.5, 8.25, 200, 112.5), To: box(20, 10, 280, 158), Opacity: 1, Corner: plan.Corner{Radius: 8},
				Border: values.BorderStyleDeepShadow, Cursor: &plan.Cursor{X: 100, Y: 80, Size: 20, Press: 0.5},
				Masks: []plan.Mask{
					{Type: values.MaskTypeBlur, Box: box(30, 30, 90, 40), Cell: 8},
					{Type: values.MaskTypeHighlight, Box: box(10, 10, 100, 100), Dark: 0.5},
				},
			},
			{Input: 1, From: box(0, 0, 80, 80), To: box(230, 90, 80, 80), Opacity: 1, Border: values.BorderStyleSnake, Corner: plan.Corner{Radius: 40}},
		},
		Overlays: lettered(plain("Text")).Overlays,
		Caption:  caption(1, true),
	}
	scene := plan.Scene{
		Frame: plan.Size{Width: 320, Height: 180}, FPS: 30, Frames: 2, Shots: []plan.Shot{{View: v}},
		Inputs: []plan.Input{inputOf(inputs[0]), inputOf(inputs[1])},
	}
	p, err := New(scene, installed(t), 0)
	require.NoError(t, err)

	dst := NewFrame(320, 180)

	for range 2 {
		require.NoError(t, p.Paint(dst, v, inputs))
	}

	require.Zero(t, testing.AllocsPerRun(3, func() { _ = p.Paint(dst, v, inputs) }))
}

// A caption written without spaces has the usual size and two lines, and its letters light up one by one.
func TestCaptionsWithoutSpaces(t *testing.T) {
	t.Parallel()

	for name, text := range map[string]string{
		"Chinese":  "我们在这个视频里介绍如何录制屏幕，编辑剪辑，并且把它分享给同事。谢谢大家",
		"Thai":     "วิดีโอนี้อธิบายวิธีบันทึกหน้าจอและตัดต่อคลิปของคุณให้เพื่อนร่วมงานทุกคนดูได้อย่างง่ายดาย",
		"Japanese": "この動画では画面の録画と編集の方法を説明します。ちょっとしたコツもありますよ。",
		"Khmer":    "វីដេអូនេះពន្យល់ពីរបៀបថតអេក្រង់និងកែសម្រួលឃ្លីបរបស់អ្នកនៅទីនេះជាមួយមិត្តរួមការងារទាំងអស់គ្នា",
	} {
		words := words.Divide([]words.Word{{Text: text, EndMs: 4_000, Cue: 1}})
		c := caption(-1, true)
		c.X, c.Y, c.FontSize, c.MaxWidth, c.Words = 480, 480, 24, 0.84*960, nil

		for _, w := range words {
			c.Words, c.Joined = append(c.Words, w.Text), append(c.Joined, w.Joined)
		}

		require.Greater(t, len(words), 15, name)

		set, err := setCaption(c, installed(t), rect{0, 0, 960, 540})
		require.NoError(t, err)
		require.InDelta(t, 24, set.size, 0, "%s: the usual size", name)
		require.Equal(t, 2, len(set.layout.Lines), name) //nolint:testifylint // the lines themselves would fill pages

		for i := range words {
			box, ok := set.word(i)
			require.True(t, ok, "%s: %q is seen", name, words[i].Text)
			require.Less(t, box.Width, 7*24.0, "%s: %q is lit alone", name, words[i].Text)

			if i > 0 && box.X > 0 {
				before, _ := set.word(i - 1)
				require.True(t, before.Y < box.Y || before.X < box.X, "%s: %q follows", name, words[i].Text)
			}
		}
	}
}

// A caption in Hebrew reads from the right; numbers and names in it read from the left.
func TestCaptionsFromTheRight(t *testing.T) {
	t.Parallel()

	c := caption(0, true)
	c.Words, c.MaxWidth = []string{"הסרט", "Reelgraph", "2.0", "יצא", "היום"}, 600

	set, err := setCaption(c, installed(t), rect{0, 0, 640, 360})
	require.NoError(t, err)
	require.Len(t, set.layout.Lines, 1)

	var left []float64

	for i := range c.Words {
		box, ok := set.word(i)
		require.True(t, ok)

		left = append(left, box.X)
	}

	require.Greater(t, left[0], left[2])
	require.Greater(t, left[2], left[1], "Reelgraph 2.0 is read from the left")
	require.Greater(t, left[1], left[3])
	require.Greater(t, left[3], left[4])
}
