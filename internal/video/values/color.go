package values

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
)

// Color is a color as #RRGGBBAA in upper case. Colors are stored and returned in this form.
type Color string

// ParseColor parses #RGB, #RRGGBB or #RRGGBBAA in any case. It returns an error for any other text.
func ParseColor(s string) (Color, error) {
	hex, found := strings.CutPrefix(s, "#")
	if !found || strings.Trim(strings.ToLower(hex), "0123456789abcdef") != "" {
		return "", fmt.Errorf("must be a hex color such as #RRGGBB or #RRGGBBAA")
	}

	switch len(hex) {
	case 3:
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]}) + "FF"
	case 6:
		hex += "FF"
	case 8:
	default:
		return "", fmt.Errorf("must be a hex color such as #RRGGBB or #RRGGBBAA")
	}

	return Color("#" + strings.ToUpper(hex)), nil
}

// ColorOf derives a color from a name. The same name always gives the same color, and white text on it is readable.
func ColorOf(name string) Color {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails

	hue := float64(h.Sum32()%360) / 60
	channel := func(turn float64) int { // HSL to RGB at full circle, saturation 0.6, lightness 0.4
		at := math.Mod(hue+turn, 6)
		wave := max(0, min(1, math.Abs(at-3)-1))

		return int(math.Round(255 * (0.16 + 0.48*wave)))
	}

	return Color(fmt.Sprintf("#%02X%02X%02XFF", channel(0), channel(4), channel(2)))
}
