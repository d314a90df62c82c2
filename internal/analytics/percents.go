package analytics

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Slices is the number of counts for a video: one for each percent, from 0 to 99, and one for the end of the video.
const Slices = 101

// digits is the number of decimal digits of one count in a packed number, more than any count will need.
const digits = 10

// Percents holds one count for each percent of a video, and one for its end.
type Percents [Slices]int64

// Add adds the counts in others to the counts in p. It multiplies them by sign first, so -1 subtracts them.
func (p *Percents) Add(others Percents, sign int64) {
	for i, n := range others {
		p[i] += sign * n
	}
}

// Packed returns all counts in a single decimal number. The lowest digits hold the first count. The sum of two such
// numbers holds the sums of their counts, so the database can add counts.
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

// Unpacked returns the counts that Packed put into a number. None of the counts may be negative.
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
