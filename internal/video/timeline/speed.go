package timeline

import (
	"fmt"
	"strconv"
	"strings"
)

// Speed is the playback speed of an export as an exact ratio. The zero Speed is not valid; Normal is 1.
type Speed struct {
	Num int64 `json:"num"`
	Den int64 `json:"den"`
}

// Normal returns the speed 1.
func Normal() Speed { return Speed{Num: 1, Den: 1} }

// Speeds returns all allowed speeds of an export, slowest first.
func Speeds() []Speed {
	return []Speed{{1, 2}, {3, 4}, {1, 1}, {5, 4}, {3, 2}, {7, 4}, {2, 1}}
}

// ParseSpeed parses a speed as written in the API, such as "1.25". It returns an error for any other text.
func ParseSpeed(text string) (Speed, error) {
	for _, s := range Speeds() {
		if s.String() == text {
			return s, nil
		}
	}

	return Speed{}, fmt.Errorf("unknown speed %q; use one of %v", text, Speeds())
}

// String returns the speed as written in the API, such as "1" or "0.75".
func (s Speed) String() string {
	thousandths := s.Num * 1000 / max(s.Den, 1)
	text := strconv.FormatInt(thousandths/1000, 10) + "." + fmt.Sprintf("%03d", thousandths%1000)

	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
