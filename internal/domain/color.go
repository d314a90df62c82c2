package domain

import (
	"fmt"
	"strings"
)

// Color is #RRGGBBAA in upper case, the one spelling in which colours are stored and answered.
type Color string

// ParseColor accepts #RGB, #RRGGBB and #RRGGBBAA in any case and returns the stored spelling.
func ParseColor(s string) (Color, error) {
	hex, found := strings.CutPrefix(s, "#")
	if !found || strings.Trim(strings.ToLower(hex), "0123456789abcdef") != "" {
		return "", fmt.Errorf("must be a hex colour such as #RRGGBB or #RRGGBBAA")
	}

	switch len(hex) {
	case 3:
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]}) + "FF"
	case 6:
		hex += "FF"
	case 8:
	default:
		return "", fmt.Errorf("must be a hex colour such as #RRGGBB or #RRGGBBAA")
	}

	return Color("#" + strings.ToUpper(hex)), nil
}
