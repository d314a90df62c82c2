package bidi

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// sequence is an isolating run sequence (BD13): the characters that rules W and N process together.
type sequence struct {
	p        *paragraph
	at       []int // indices of its characters
	level    Level
	sos, eos bidi.Class
}

// sequences divides the paragraph into isolating run sequences (X10), which contain every character that X9 keeps.
func (p *paragraph) sequences() []*sequence {
	var (
		all     []*sequence
		current *sequence
		kept    []int
		waiting = map[int]*sequence{} // by isolate initiator
	)

	place := make([]int, len(p.classes)) // within kept

	for i, c := range p.classes {
		if removed(c) {
			continue
		}

		if len(kept) == 0 || p.levels[kept[len(kept)-1]] != p.levels[i] {
			current = nil
			if c == bidi.PDI {
				current = waiting[p.partner[i]]
			}
		}

		if current == nil {
			current = &sequence{p: p, level: p.levels[i]}
			all = append(all, current)
		}

		if isolates(c) && p.partner[i] >= 0 {
			waiting[i] = current
		}

		current.at = append(current.at, i)
		place[i] = len(kept)
		kept = append(kept, i)
	}

	for _, s := range all {
		before, after := p.base, p.base
		first, last := s.at[0], s.at[len(s.at)-1]

		if k := place[first]; k > 0 {
			before = p.levels[kept[k-1]]
		}

		if k := place[last]; k+1 < len(kept) && (!isolates(p.classes[last]) || p.partner[last] >= 0) {
			after = p.levels[kept[k+1]]
		}

		s.sos, s.eos = directionOf(max(s.level, before)), directionOf(max(s.level, after))
	}

	return all
}

func directionOf(l Level) bidi.Class {
	if l.RightToLeft() {
		return bidi.R
	}

	return bidi.L
}

// class returns the current class of the sequence's k-th character.
func (s *sequence) class(k int) bidi.Class { return s.p.resolved[s.at[k]] }

func (s *sequence) set(k int, c bidi.Class) { s.p.resolved[s.at[k]] = c }

// weak applies the rules W1 to W7.
func (s *sequence) weak() {
	s.marks()

	strong := s.sos

	for k := range s.at {
		switch c := s.class(k); {
		case c == bidi.L || c == bidi.R || c == bidi.AL:
			strong = c
		case c == bidi.EN && strong == bidi.AL: // W2
			s.set(k, bidi.AN)
		}
	}

	for k := range s.at {
		if s.class(k) == bidi.AL { // W3
			s.set(k, bidi.R)
		}
	}

	s.separators()
	s.terminators()

	strong = s.sos

	for k := range s.at {
		switch c := s.class(k); {
		case c == bidi.L || c == bidi.R:
			strong = c
		case c == bidi.EN && strong == bidi.L: // W7
			s.set(k, bidi.L)
		case c == bidi.ES || c == bidi.ET || c == bidi.CS: // W6
			s.set(k, bidi.ON)
		}
	}
}

// marks gives combining marks the class of their base (W1).
func (s *sequence) marks() {
	before := s.sos

	for k := range s.at {
		c := s.class(k)

		switch {
		case c == bidi.NSM:
			s.set(k, before)
		case isolates(c) || c == bidi.PDI:
			before = bidi.ON
		default:
			before = c
		}
	}
}

// separators merges a single separator between two numbers into them (W4).
func (s *sequence) separators() {
	for k := 1; k+1 < len(s.at); k++ {
		before, c, after := s.class(k-1), s.class(k), s.class(k+1)

		if before == after && (before == bidi.EN && (c == bidi.ES || c == bidi.CS) || before == bidi.AN && c == bidi.CS) {
			s.set(k, before)
		}
	}
}

// terminators merges terminators next to European numbers into them (W5).
func (s *sequence) terminators() {
	for k := 0; k < len(s.at); k++ {
		if s.class(k) != bidi.ET {
			continue
		}

		from := k
		for k < len(s.at) && s.class(k) == bidi.ET {
			k++
		}

		if from > 0 && s.class(from-1) == bidi.EN || k < len(s.at) && s.class(k) == bidi.EN {
			for i := from; i < k; i++ {
				s.set(i, bidi.EN)
			}
		}
	}
}

// maxPairs is how many brackets may be open at the same time (BD16).
const maxPairs = 63

// bracket is a paired bracket; its zero value is any other character.
type bracket struct {
	open bool
	pair rune // the opening bracket of the pair
}

// bracketOf names a pair by its opening bracket. Canonically equivalent brackets belong to the same pair.
func bracketOf(r rune, open bool) bracket {
	if !open {
		r = []rune(bidi.ReverseString(string(r)))[0]
	}

	if r == '\u2329' {
		r = '\u3008'
	}

	return bracket{open, r}
}

// pairs gives paired brackets the direction of what they enclose (N0).
func (s *sequence) pairs() {
	type pair struct{ open, close int }

	var found []pair

	open := make([]int, 0, maxPairs)

scan:
	for k, i := range s.at {
		b := s.p.brackets[i]

		switch {
		case b.pair == 0 || s.class(k) != bidi.ON:
		case b.open:
			if len(open) == maxPairs {
				break scan
			}

			open = append(open, k)
		default:
			for j, o := range slices.Backward(open) {
				if s.p.brackets[s.at[o]].pair == b.pair {
					found, open = append(found, pair{o, k}), open[:j]

					break
				}
			}
		}
	}

	slices.SortFunc(found, func(a, b pair) int { return a.open - b.open })

	own := directionOf(s.level)
	before, seen := s.sos, 0 // the last strong class among the first seen characters

	for _, f := range found {
		for ; seen < f.open; seen++ {
			if c, ok := strongOf(s.class(seen)); ok {
				before = c
			}
		}

		var same, other bool

		for k := f.open + 1; k < f.close && !same; k++ {
			if c, ok := strongOf(s.class(k)); ok {
				same, other = same || c == own, other || c != own
			}
		}

		switch {
		case same:
			s.enclose(f.open, own)
			s.enclose(f.close, own)
		case other && before != own:
			s.enclose(f.open, before)
			s.enclose(f.close, before)
		case other:
			s.enclose(f.open, own)
			s.enclose(f.close, own)
		}
	}
}

// enclose sets the class of a bracket and of the combining marks on it.
func (s *sequence) enclose(k int, c bidi.Class) {
	s.set(k, c)

	for k++; k < len(s.at) && s.p.classes[s.at[k]] == bidi.NSM; k++ {
		s.set(k, c)
	}
}

// strongOf returns the direction that a class has for neutral characters; numbers count as R.
func strongOf(c bidi.Class) (bidi.Class, bool) {
	switch c {
	case bidi.L:
		return bidi.L, true
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R, true
	default:
		return bidi.ON, false
	}
}

// neutral gives neutral characters the direction of both sides, or of their embedding (N1, N2).
func (s *sequence) neutral() {
	before := s.sos

	for k := 0; k < len(s.at); k++ {
		if c, ok := strongOf(s.class(k)); ok {
			before = c

			continue
		}

		from, after := k, s.eos

		for ; k < len(s.at); k++ {
			if c, ok := strongOf(s.class(k)); ok {
				after = c

				break
			}
		}

		c := directionOf(s.level)
		if before == after {
			c = before
		}

		for i := from; i < k; i++ {
			s.set(i, c)
		}

		before = after
	}
}

// implicit raises the levels of characters written against the embedding direction (I1, I2).
func (s *sequence) implicit() {
	for k, i := range s.at {
		switch c := s.class(k); {
		case s.level.RightToLeft():
			if c != bidi.R {
				s.p.levels[i] = s.level + 1
			}
		case c == bidi.R:
			s.p.levels[i] = s.level + 1
		case c == bidi.AN || c == bidi.EN:
			s.p.levels[i] = s.level + 2
		}
	}
}
