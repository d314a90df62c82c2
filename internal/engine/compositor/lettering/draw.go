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

// Ink returns the smallest rectangle of whole pixels that contains the ink of some characters if the origin of the
// layout is at (x, y). The characters are those with an index i for which from <= i < to.
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

// Draw draws the glyphs of the characters with an index i for which from <= i < to. The origin of the layout is at (x,
// y) of dst. Emoji keep their own colors.
func (l Layout) Draw(dst *image.RGBA, x, y float64, c color.Color, from, to int) {
	bounds := dst.Bounds()
	size := bounds.Size()

	if size.X <= 0 || size.Y <= 0 {
		return
	}

	pen, emoji := vector.NewRasterizer(size.X, size.Y), pictures{}
	ox, oy := x-float64(bounds.Min.X), y-float64(bounds.Min.Y)

	for _, line := range l.Lines {
		for _, g := range line.Glyphs {
			if g.Rune < from || g.Rune >= to || !g.ink(x, y).Overlaps(bounds) {
				continue
			}

			if picture, ok := g.face.GlyphDataBitmap(g.id); ok && picture.Format == font.PNG {
				emoji.draw(dst, g, picture, x, y)

				continue
			}

			if outline, ok := g.face.GlyphDataOutline(g.id); ok {
				g.trace(pen, outline, ox, oy)
			}
		}
	}

	pen.Draw(dst, bounds, image.NewUniform(c), image.Point{})
}

// trace adds a glyph's outline to the filled path.
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

// pictures caches the emoji of one drawing by glyph and size: a text may repeat one a thousand times.
type pictures map[pictureKey]*image.RGBA

type pictureKey struct {
	face          *font.Face
	id            font.GID
	width, height int // zero for the font's own size
}

// draw draws an emoji into the box of its ink.
func (p pictures) draw(dst *image.RGBA, g Glyph, of font.GlyphBitmap, x, y float64) {
	box := image.Rect(
		int(math.Round(g.Left+x)), int(math.Round(g.Top+y)), int(math.Round(g.Right+x)), int(math.Round(g.Bottom+y)))

	if box.Dx() > largeEmoji || box.Dy() > largeEmoji { // not cached: few fit at once, and most of one may be outside
		if src := p.decode(pictureKey{face: g.face, id: g.id}, of); src != nil {
			draw.CatmullRom.Scale(dst, box, src, src.Rect, draw.Over, nil)
		}

		return
	}

	key := pictureKey{g.face, g.id, box.Dx(), box.Dy()}

	scaled, ok := p[key]
	if !ok {
		scaled = p.scale(key, of)
		p[key] = scaled
	}

	if scaled != nil {
		draw.Draw(dst, box, scaled, image.Point{}, draw.Over)
	}
}

// largeEmoji is the longest side in pixels of an emoji that is cached at its size.
const largeEmoji = 512

// scale returns an emoji at a size; nil if the font's picture is damaged, and then nothing is drawn.
func (p pictures) scale(key pictureKey, of font.GlyphBitmap) *image.RGBA {
	src := p.decode(pictureKey{face: key.face, id: key.id}, of)
	if src == nil || key.width <= 0 || key.height <= 0 {
		return nil
	}

	scaled := image.NewRGBA(image.Rect(0, 0, key.width, key.height))
	draw.CatmullRom.Scale(scaled, scaled.Rect, src, src.Rect, draw.Src, nil)

	return scaled
}

// decode returns an emoji at the font's size; nil if it is damaged.
func (p pictures) decode(key pictureKey, of font.GlyphBitmap) *image.RGBA {
	src, ok := p[key]
	if ok {
		return src
	}

	if decoded, err := png.Decode(bytes.NewReader(of.Data)); err == nil {
		src = image.NewRGBA(decoded.Bounds()) // scales many times faster than a palette
		draw.Draw(src, src.Rect, decoded, decoded.Bounds().Min, draw.Src)
	}

	p[key] = src

	return src
}
