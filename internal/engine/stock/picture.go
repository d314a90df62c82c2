package stock

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
)

// Picture describes a background: spots of soft light on a gradient. Sizes and positions are relative to the height
// and width of the picture.
type Picture struct {
	Top, Bottom uint32 // 0xRRGGBB
	Lights      []Light
	// Bands is the number of bright lines that wave across the picture; 0 means none.
	Bands int
}

// Light is a spot of color. In an animation it moves in circles around its position, Turns times per loop.
type Light struct {
	X, Y, Size float64
	Colour     uint32
	Strength   float64
	Orbit      float64
	Turns      int
	Phase      float64 // of a turn
}

// The sizes of pictures.
const (
	Width         = 1920
	Height        = 1080
	PreviewWidth  = 320
	PreviewHeight = 180
	jpegQuality   = 88
)

func rgb(c uint32) [3]float64 {
	return [3]float64{float64(c >> 16 & 255), float64(c >> 8 & 255), float64(c & 255)}
}

// Paint draws a picture at a position of its loop, from 0 to 1. Use 0 for a still.
func (p Picture) Paint(width, height int, at float64) *image.RGBA {
	return p.paint(width, height, at, 1)
}

// paint adds noise of strength grain, which hides the 8-bit steps in a still; animations look better without.
func (p Picture) paint(width, height int, at, grain float64) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	top, bottom := rgb(p.Top), rgb(p.Bottom)
	across, down := p.lit(width, height, at)
	dither := noise(0x853c49e6748fea9b)

	for y := range height {
		v := (float64(y) + 0.5) / float64(height)

		for x := range width {
			u := (float64(x) + 0.5) / float64(width)
			mix := 0.75*v + 0.25*u

			var c [3]float64
			for k := range c {
				c[k] = top[k] + (bottom[k]-top[k])*mix
			}

			for i, l := range p.Lights {
				g := l.Strength * across[i][x] * down[i][y]
				for k, part := range rgb(l.Colour) {
					c[k] += g * (part - c[k])
				}
			}

			shine := p.band(u, v, at)
			noisy := grain * dither.next()

			out.SetRGBA(x, y, color.RGBA{clip(c[0] + shine + noisy), clip(c[1] + shine + noisy), clip(c[2] + shine + noisy), 255})
		}
	}

	return out
}

// lit returns how much of each light reaches each column and each row: their product is a round spot.
func (p Picture) lit(width, height int, at float64) (across, down [][]float64) {
	ratio := float64(width) / float64(height)

	for _, l := range p.Lights {
		turn := 2 * math.Pi * (l.Phase + at*float64(l.Turns))
		cx, cy := l.X*ratio+l.Orbit*math.Cos(turn), l.Y+l.Orbit*math.Sin(turn)
		row, column := make([]float64, width), make([]float64, height)

		for x := range row {
			d := ((float64(x)+0.5)/float64(height) - cx) / l.Size
			row[x] = math.Exp(-d * d)
		}

		for y := range column {
			d := ((float64(y)+0.5)/float64(height) - cy) / l.Size
			column[y] = math.Exp(-d * d)
		}

		across, down = append(across, row), append(down, column)
	}

	return across, down
}

// band returns the brightness of the waving lines at a place.
func (p Picture) band(u, v, at float64) float64 {
	if p.Bands == 0 {
		return 0
	}

	wave := v + 0.08*math.Sin(2*math.Pi*(u+at)) + 0.05*math.Sin(2*math.Pi*(2*u-at)+1)
	line := math.Sin(math.Pi * wave * float64(p.Bands))

	return 26 * math.Pow(math.Abs(line), 24)
}

func clip(v float64) uint8 { return uint8(math.Round(math.Max(0, math.Min(255, v)))) }

// Image returns a still picture of an item as a JPEG: the first picture of an animation, or the drawing of a
// gradient.
func (i Item) Image(width, height int) ([]byte, error) {
	p := i.Picture

	switch {
	case p != nil:
	case i.Colours != nil:
		return encode(paintColours(i, width, height))
	default:
		return nil, fmt.Errorf("stock item %s is not a picture", i.ID)
	}

	return encode(p.Paint(width, height, 0))
}

func encode(img image.Image) ([]byte, error) {
	var b bytes.Buffer

	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}

	return b.Bytes(), nil
}

// paintColours draws a gradient as exports do: along its angle, which turns clockwise from upwards.
func paintColours(i Item, width, height int) *image.RGBA {
	var one, two uint32

	_, _ = fmt.Sscanf(string(i.Colours.GradientColor1), "#%06X", &one)
	_, _ = fmt.Sscanf(string(i.Colours.GradientColor2), "#%06X", &two)

	a, b := rgb(one), rgb(two)
	sin, cos := math.Sincos(float64(i.Colours.GradientAngle) * math.Pi / 180)
	long := math.Abs(float64(width)*sin) + math.Abs(float64(height)*cos)
	out := image.NewRGBA(image.Rect(0, 0, width, height))

	for y := range height {
		for x := range width {
			along := (float64(x)+0.5-float64(width)/2)*sin - (float64(y)+0.5-float64(height)/2)*cos
			at := along/long + 0.5

			out.SetRGBA(x, y, color.RGBA{clip(a[0] + (b[0]-a[0])*at), clip(a[1] + (b[1]-a[1])*at), clip(a[2] + (b[2]-a[2])*at), 255})
		}
	}

	return out
}
