package timeline

import (
	"fmt"
	"strconv"
	"strings"
)

// Speed is how fast an export plays, as an exact ratio. The zero Speed is not valid; Normal is 1.
type Speed struct {
	Num int64 `json:"num"`
	Den int64 `json:"den"`
}

// Normal is the speed at which nothing changes.
func Normal() Speed { return Speed{Num: 1, Den: 1} }

// Speeds are the speeds an export may have, slowest first.
func Speeds() []Speed {
	return []Speed{{1, 2}, {3, 4}, {1, 1}, {5, 4}, {3, 2}, {7, 4}, {2, 1}}
}

// ParseSpeed reads a speed as the interface writes it, such as "1.25". Any other value is an error.
func ParseSpeed(text string) (Speed, error) {
	for _, s := range Speeds() {
		if s.String() == text {
			return s, nil
		}
	}

	return Speed{}, fmt.Errorf("unknown speed %q; use one of %v", text, Speeds())
}

// String is the speed as the interface writes it: "1", "0.75".
func (s Speed) String() string {
	thousandths := s.Num * 1000 / max(s.Den, 1)
	text := strconv.FormatInt(thousandths/1000, 10) + "." + fmt.Sprintf("%03d", thousandths%1000)

	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
