package demo

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A canvas is a picture with the drawing functions that screens need. Lengths are in pixels.
type canvas struct{ *image.RGBA }

func newCanvas(width, height int) canvas {
	return canvas{image.NewRGBA(image.Rect(0, 0, width, height))}
}

// hex returns the color 0xRRGGBB.
func hex(c uint32) color.RGBA {
	return color.RGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

// between returns a color between two others.
func between(from, to color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }

	return color.RGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 0xff}
}

func (c canvas) fill(x, y, w, h int, of color.Color) {
	draw.Draw(c.RGBA, image.Rect(x, y, x+w, y+h), image.NewUniform(of), image.Point{}, draw.Over)
}

// gradient fills a box with a color that changes from top to bottom.
func (c canvas) gradient(x, y, w, h int, top, bottom color.RGBA) {
	for row := range h {
		c.fill(x, y+row, w, 1, between(top, bottom, float64(row)/float64(max(h-1, 1))))
	}
}

// A pen draws a closed shape with smooth edges.
type pen struct {
	*vector.Rasterizer

	to     canvas
	dx, dy float32
}

// pen returns a pen for shapes inside a box.
func (c canvas) pen(box image.Rectangle) pen {
	box = box.Intersect(c.Bounds())

	return pen{Rasterizer: vector.NewRasterizer(box.Dx(), box.Dy()), to: c, dx: float32(box.Min.X), dy: float32(box.Min.Y)}
}

func (p pen) move(x, y float64) { p.MoveTo(float32(x)-p.dx, float32(y)-p.dy) }
func (p pen) line(x, y float64) { p.LineTo(float32(x)-p.dx, float32(y)-p.dy) }
func (p pen) curve(ax, ay, bx, by, x, y float64) {
	p.CubeTo(float32(ax)-p.dx, float32(ay)-p.dy, float32(bx)-p.dx, float32(by)-p.dy, float32(x)-p.dx, float32(y)-p.dy)
}

func (p pen) fill(of color.Color) {
	p.ClosePath()

	size := p.Size()
	at := image.Rect(0, 0, size.X, size.Y).Add(image.Pt(int(p.dx), int(p.dy)))
	p.Draw(p.to.RGBA, at, image.NewUniform(of), image.Point{})
}

// round is the distance of the handles of a curve that draws a quarter circle.
const round = 0.5523

// ellipse draws an ellipse around a center.
func (c canvas) ellipse(x, y, rx, ry float64, of color.Color) {
	p := c.pen(image.Rect(int(x-rx)-1, int(y-ry)-1, int(x+rx)+2, int(y+ry)+2))
	p.move(x+rx, y)
	p.curve(x+rx, y+round*ry, x+round*rx, y+ry, x, y+ry)
	p.curve(x-round*rx, y+ry, x-rx, y+round*ry, x-rx, y)
	p.curve(x-rx, y-round*ry, x-round*rx, y-ry, x, y-ry)
	p.curve(x+round*rx, y-ry, x+rx, y-round*ry, x+rx, y)
	p.fill(of)
}

// box draws a box with round corners.
func (c canvas) box(x, y, w, h, r float64, of color.Color) {
	p := c.pen(image.Rect(int(x)-1, int(y)-1, int(x+w)+2, int(y+h)+2))
	k := r * (1 - round)
	p.move(x+r, y)
	p.line(x+w-r, y)
	p.curve(x+w-k, y, x+w, y+k, x+w, y+r)
	p.line(x+w, y+h-r)
	p.curve(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h)
	p.line(x+r, y+h)
	p.curve(x+k, y+h, x, y+h-k, x, y+h-r)
	p.line(x, y+r)
	p.curve(x, y+k, x+k, y, x+r, y)
	p.fill(of)
}

// frame draws a box with a border.
func (c canvas) frame(x, y, w, h, r float64, border, inside color.Color) {
	c.box(x, y, w, h, r, border)
	c.box(x+1.5, y+1.5, w-3, h-3, r-1, inside)
}

// The font faces of the demo.
const (
	regular = iota
	bold
	mono
)

type faceKey struct {
	family int
	size   float64
}

// faces holds the fonts at the sizes in use. A face may be used by only one goroutine at a time.
type faces struct {
	mu  sync.Mutex
	all map[faceKey]font.Face
}

var drawn = faces{all: map[faceKey]font.Face{}}

func (f *faces) of(family int, size float64) font.Face {
	key := faceKey{family, size}
	if face := f.all[key]; face != nil {
		return face
	}

	parsed, err := opentype.Parse([][]byte{goregular.TTF, gobold.TTF, gomono.TTF}[family])
	if err != nil {
		panic(err) // the fonts are part of the program
	}

	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err)
	}

	f.all[key] = face

	return face
}

// text draws a line whose baseline begins at a point, and returns where the line ends.
func (c canvas) text(family int, size float64, x, y int, of color.Color, s string) int {
	drawn.mu.Lock()
	defer drawn.mu.Unlock()

	d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(of), Face: drawn.of(family, size), Dot: fixed.P(x, y)}
	d.DrawString(s)

	return d.Dot.X.Round()
}

// centered draws a line centered on a point.
func (c canvas) centered(family int, size float64, x, y int, of color.Color, s string) {
	drawn.mu.Lock()
	width := font.MeasureString(drawn.of(family, size), s).Round()
	drawn.mu.Unlock()
	c.text(family, size, x-width/2, y, of, s)
}

// blit copies a part of another picture to the left edge at a given height.
func (c canvas) blit(from canvas, y int, part image.Rectangle) {
	draw.Draw(c.RGBA, image.Rect(0, y, part.Dx(), y+part.Dy()), from.RGBA, part.Min, draw.Src)
}
