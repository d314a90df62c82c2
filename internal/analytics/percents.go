package analytics

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Slices are the percents of a video, and its end.
const Slices = 101

// digits is how many a count has in a packed number: more than anybody will ever watch.
const digits = 10

// Percents are counts by percent.
type Percents [Slices]int64

// Add adds others, sign times.
func (p *Percents) Add(others Percents, sign int64) {
	for i, n := range others {
		p[i] += sign * n
	}
}

// Packed is one number that holds all counts, the first in its lowest digits: sums of such numbers hold
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

// Unpacked are the counts of a packed number, none of which is negative.
func Unpacked(number string) (p Percents, err error) {
	if len(number) > Slices*digits || strings.HasPrefix(number, "-") {
		return p, fmt.Errorf("unpack counts: %q", number)
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
