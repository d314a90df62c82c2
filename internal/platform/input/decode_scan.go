package input

import "unicode/utf8"

// literal reads null, true or false.
func (d *decoder) literal(word string) bool {
	end := d.at + len(word)
	if end > len(d.in) || string(d.in[d.at:end]) != word {
		d.broke("unknown word")

		return false
	}

	d.at = end

	return true
}

// skip reads over a value that has a fault, so that faults after it are found too.
func (d *decoder) skip() {
	switch c := d.peek(); {
	case c == '{':
		d.each('}', func() {
			if d.name(); !d.broken {
				d.skip()
			}
		})
	case c == '[':
		d.each(']', d.skip)
	case c == '"':
		d.text()
	case c == '-' || c >= '0' && c <= '9':
		d.digits()
	case c == 't':
		d.literal("true")
	case c == 'f':
		d.literal("false")
	case c == 'n':
		d.literal("null")
	default:
		d.broke("a value is missing")
	}
}

// digits reads a number of the JSON grammar.
func (d *decoder) digits() []byte {
	start := d.at

	if d.peek() == '-' {
		d.at++
	}

	switch c := d.peek(); {
	case c == '0':
		d.at++
	case c >= '1' && c <= '9':
		d.run()
	default:
		d.broke("a digit is missing")
	}

	if d.peek() == '.' {
		d.at++
		d.run()
	}

	if c := d.peek(); c == 'e' || c == 'E' {
		d.at++

		if c := d.peek(); c == '+' || c == '-' {
			d.at++
		}

		d.run()
	}

	return d.in[start:d.at]
}

// run reads one or more digits.
func (d *decoder) run() {
	start := d.at

	for d.peek() >= '0' && d.peek() <= '9' {
		d.at++
	}

	if d.at == start {
		d.broke("a digit is missing")
	}
}

// text reads a string. It returns a slice of the input if it can. rule is the rule that the string breaks
// although it is readable as JSON.
func (d *decoder) text() ([]byte, string) {
	d.at++
	start := d.at

	for {
		c := d.peek()

		switch {
		case c == '"':
			s := d.in[start:d.at]
			d.at++

			if !utf8.Valid(s) {
				return s, "must be valid UTF-8"
			}

			return s, ""
		case c == '\\':
			return d.escaped(start)
		case c < ' ':
			d.broke("a control character stands in a string")

			return nil, ""
		default:
			d.at++
		}
	}
}
