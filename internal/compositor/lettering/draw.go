package lettering

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// Ink is the smallest rectangle of whole pixels that holds the ink of the characters from..to, to not among them, when
// the layout's origin stands at a place.
func (l Layout) Ink(x, y float64, from, to int) image.Rectangle {
	var all image.Rectangle

	for _, line := range l.Lines {
		for _, g := range line.Glyphs {
			if g.Rune >= from && g.Rune < to {
				all = all.Union(g.ink(x, y))
			}
		}
	}

	return all
}

func (g Glyph) ink(x, y float64) image.Rectangle {
	return image.Rect(
		int(math.Floor(g.Left+x)), int(math.Floor(g.Top+y)), int(math.Ceil(g.Right+x)), int(math.Ceil(g.Bottom+y)))
}

// Draw draws the glyphs of the characters from..to, to not among them, with the layout's origin at a
// place of dst. Emoji keep their own colours.
func (l Layout) Draw(dst *image.RGBA, x, y float64, c color.Color, from, to int) {
	bounds := dst.Bounds()
	size := bounds.Size()

	if size.X <= 0 || size.Y <= 0 {
		return
	}

	pen := vector.NewRasterizer(size.X, size.Y)
	ox, oy := x-float64(bounds.Min.X), y-float64(bounds.Min.Y)

	for _, line := range l.Lines {
		for _, g := range line.Glyphs {
			if g.Rune < from || g.Rune >= to || !g.ink(x, y).Overlaps(bounds) {
				continue
			}

			if picture, ok := g.face.GlyphDataBitmap(g.id); ok && picture.Format == font.PNG {
				g.picture(dst, picture, x, y)

				continue
			}

			if outline, ok := g.face.GlyphDataOutline(g.id); ok {
				g.trace(pen, outline, ox, oy)
			}
		}
	}

	pen.Draw(dst, bounds, image.NewUniform(c), image.Point{})
}

// trace adds a glyph's outline to what is filled.
func (g Glyph) trace(pen *vector.Rasterizer, outline font.GlyphOutline, ox, oy float64) {
	scale := g.size / float64(g.face.Upem())
	at := func(p opentype.SegmentPoint) (x, y float32) {
		return float32(ox + g.X + float64(p.X)*scale), float32(oy + g.Y - float64(p.Y)*scale)
	}

	open := false

	for _, s := range outline.Segments {
		ax, ay := at(s.Args[0])

		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				pen.ClosePath()
			}

			pen.MoveTo(ax, ay)

			open = true
		case opentype.SegmentOpLineTo:
			pen.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			bx, by := at(s.Args[1])
			pen.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			bx, by := at(s.Args[1])
			cx, cy := at(s.Args[2])
			pen.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}

	if open {
		pen.ClosePath()
	}
}

// picture draws an emoji into the box of its ink.
func (g Glyph) picture(dst *image.RGBA, of font.GlyphBitmap, x, y float64) {
	src, err := png.Decode(bytes.NewReader(of.Data))
	if err != nil {
		return // the font's fault; there is nothing else to draw
	}

	box := image.Rect(
		int(math.Round(g.Left+x)), int(math.Round(g.Top+y)), int(math.Round(g.Right+x)), int(math.Round(g.Bottom+y)))
	draw.CatmullRom.Scale(dst, box, src, src.Bounds(), draw.Over, nil)
}
