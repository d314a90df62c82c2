package analytics

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Slices is the number of percents of a video, plus one for its end.
const Slices = 101

// digits is the number of decimal digits of one count in a packed number, more than any count will need.
const digits = 10

// Percents holds a count for each percent.
type Percents [Slices]int64

// Add adds other counts, multiplied by sign.
func (p *Percents) Add(others Percents, sign int64) {
	for i, n := range others {
		p[i] += sign * n
	}
}

// Packed returns a single number that holds all counts, the first in its lowest digits. The sum of such numbers holds
// the sums of the counts.
func (p *Percents) Packed() string {
	plus, minus := p.pack(1), p.pack(-1)
	if minus == "0" {
		return plus
	}

	var a, b big.Int

	a.SetString(plus, 10)
	b.SetString(minus, 10)

	return a.Sub(&a, &b).String()
}

// pack writes the counts of one sign.
func (p *Percents) pack(sign int64) string {
	var text strings.Builder

	for i := Slices - 1; i >= 0; i-- {
		fmt.Fprintf(&text, "%0*d", digits, max(0, sign*p[i]))
	}

	if number := strings.TrimLeft(text.String(), "0"); number != "" {
		return number
	}

	return "0"
}

// Unpacked returns the counts of a packed number, none of which may be negative.
func Unpacked(number string) (p Percents, err error) {
	if len(number) > Slices*digits || strings.HasPrefix(number, "-") {
		return p, fmt.Errorf("unpack counts: invalid packed number %q", number)
	}

	for i := 0; number != ""; i++ {
		at := max(0, len(number)-digits)

		if p[i], err = strconv.ParseInt(number[at:], 10, 64); err != nil {
			return p, fmt.Errorf("unpack counts: %w", err)
		}

		number = number[:at]
	}

	return p, nil
}
