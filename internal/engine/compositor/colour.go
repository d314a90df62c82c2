package compositor

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// ErrColour is returned by ParseColour for text that is not a color.
var ErrColour = errors.New("a color must be #RRGGBB or #RRGGBBAA")

// Colour is an sRGB color with straight alpha: 0 is invisible, 255 is opaque.
type Colour struct{ R, G, B, A uint8 }

// The compositor's own colors.
var (
	Black = Colour{0, 0, 0, 255}
	White = Colour{255, 255, 255, 255}
)

// ParseColour parses #RRGGBB or #RRGGBBAA in any case. It returns ErrColour for any other text.
func ParseColour(s string) (Colour, error) {
	if len(s) != 7 && len(s) != 9 || s[0] != '#' {
		return Colour{}, fmt.Errorf("%q: %w", s, ErrColour)
	}

	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return Colour{}, fmt.Errorf("%q: %w", s, ErrColour)
	}

	if len(s) == 7 {
		v = v<<8 | 255
	}

	return Colour{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}, nil
}

// over returns the opaque color of c over another color.
func (c Colour) over(below Colour) Colour {
	mixed := func(top, bottom uint8) uint8 {
		return uint8((int(top)*int(c.A) + int(bottom)*(255-int(c.A)) + 127) / 255)
	}

	return Colour{mixed(c.R, below.R), mixed(c.G, below.G), mixed(c.B, below.B), 255}
}

// The luma weights of BT.709.
const (
	lumaRed   = 0.2126
	lumaGreen = 0.7152
	lumaBlue  = 0.0722
)

// exactYUV returns the color's samples in limited range, before rounding.
func exactYUV(r, g, b float64) [3]float64 {
	luma := lumaRed*r + lumaGreen*g + lumaBlue*b

	return [3]float64{
		16 + luma*219/255,
		128 + (b-luma)/(2-2*lumaBlue)*224/255,
		128 + (r-luma)/(2-2*lumaRed)*224/255,
	}
}

func (c Colour) exact() [3]float64 { return exactYUV(float64(c.R), float64(c.G), float64(c.B)) }

// yuv returns the color's samples.
func (c Colour) yuv() [3]byte {
	var out [3]byte
	for i, v := range c.exact() {
		out[i] = rounded(v)
	}

	return out
}

func rounded(v float64) byte { return byte(max(0, min(255, math.Floor(v+0.5)))) }
