package bidi

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// Level is an embedding level: even levels are written from left to right, odd ones from right to left.
type Level int8

// RightToLeft reports whether text of the level is written from right to left.
func (l Level) RightToLeft() bool { return l%2 == 1 }

// implicit means that the text determines the paragraph level (rules P2 and P3).
const implicit Level = -1

// maxDepth is the deepest explicit level (BD2).
const maxDepth Level = 125

// Separates reports whether a character ends a paragraph (class B). The text for Levels must not contain such
// characters.
func Separates(r rune) bool {
	p, _ := bidi.LookupRune(r)

	return p.Class() == bidi.B
}

// Levels returns the level of each character of a paragraph, and the level of the paragraph itself. Characters that
// only control the direction get the level of the character before them.
func Levels(text []rune) ([]Level, Level) {
	return levels(text, implicit)
}

func levels(text []rune, base Level) ([]Level, Level) {
	p := paragraph{classes: make([]bidi.Class, len(text)), brackets: make([]bracket, len(text)), base: base}

	for i, r := range text {
		props, _ := bidi.LookupRune(r)
		p.classes[i] = props.Class()

		if props.IsBracket() {
			p.brackets[i] = bracketOf(r, props.IsOpeningBracket())
		}
	}

	p.resolve()

	return p.levels, p.base
}

// Reorder returns the display order, from left to right, of the pieces of a line (rule L2). levels holds the level of
// each piece; the result holds their indices.
func Reorder(levels []Level) []int {
	order := make([]int, len(levels))

	var highest Level

	for i, l := range levels {
		order[i], highest = i, max(highest, l)
	}

	for level := highest; level > 0; level-- {
		for i := 0; i < len(levels); i++ {
			from := i
			for i < len(levels) && levels[i] >= level {
				i++
			}

			slices.Reverse(order[from:i])
		}
	}

	return order
}

// paragraph is the state of the algorithm.
type paragraph struct {
	classes  []bidi.Class // the original classes of the characters
	brackets []bracket
	base     Level

	resolved []bidi.Class // after overrides and the rules W, N
	levels   []Level
	partner  []int // of isolate initiators and their PDI; -1 without one
}

func (p *paragraph) resolve() {
	p.resolved, p.levels = slices.Clone(p.classes), make([]Level, len(p.classes))

	p.matchIsolates()

	if p.base == implicit {
		p.base = p.firstStrong(0, len(p.classes), 0)
	}

	p.explicit()

	for _, s := range p.sequences() {
		s.weak()
		s.pairs()
		s.neutral()
		s.implicit()
	}

	last := p.base

	for i, c := range p.classes {
		if removed(c) {
			p.levels[i] = last
		}

		last = p.levels[i]
	}
}

// removed reports whether rule X9 removes characters of a class.
func removed(c bidi.Class) bool {
	switch c {
	case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.BN:
		return true
	default:
		return false
	}
}

func isolates(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// matchIsolates finds the partners of isolate initiators (BD9).
func (p *paragraph) matchIsolates() {
	p.partner = make([]int, len(p.classes))

	var open []int

	for i, c := range p.classes {
		p.partner[i] = -1

		switch {
		case isolates(c):
			open = append(open, i)
		case c == bidi.PDI && len(open) > 0:
			start := open[len(open)-1]
			open = open[:len(open)-1]
			p.partner[start], p.partner[i] = i, start
		}
	}
}

// firstStrong returns the level of the first strong character outside isolates (P2, P3). If there is no such
// character, it returns the last parameter.
func (p *paragraph) firstStrong(from, to int, or Level) Level {
	for i := from; i < to; i++ {
		switch c := p.classes[i]; {
		case c == bidi.L:
			return 0
		case c == bidi.R || c == bidi.AL:
			return 1
		case isolates(c) && p.partner[i] < 0:
			return or
		case isolates(c):
			i = p.partner[i]
		}
	}

	return or
}

// status is an entry of the directional status stack.
type status struct {
	level    Level
	override bidi.Class // ON means no override
	isolate  bool
}

// explicit applies the rules X1 to X8.
func (p *paragraph) explicit() {
	stack := []status{{p.base, bidi.ON, false}}

	var lostIsolates, lostEmbeddings, validIsolates int

	for i, c := range p.classes {
		top := stack[len(stack)-1]

		switch {
		case c == bidi.RLE || c == bidi.LRE || c == bidi.RLO || c == bidi.LRO:
			p.levels[i] = top.level

			next := status{level: deeper(top.level, c == bidi.RLE || c == bidi.RLO), override: bidi.ON}
			if c == bidi.RLO || c == bidi.LRO {
				next.override = directionOf(next.level)
			}

			if next.level <= maxDepth && lostIsolates == 0 && lostEmbeddings == 0 {
				stack = append(stack, next)
			} else if lostIsolates == 0 {
				lostEmbeddings++
			}
		case isolates(c):
			p.enter(i, top)

			next := deeper(top.level, p.turnsRight(i))
			if next <= maxDepth && lostIsolates == 0 && lostEmbeddings == 0 {
				validIsolates++

				stack = append(stack, status{next, bidi.ON, true})
			} else {
				lostIsolates++
			}
		case c == bidi.PDI:
			switch {
			case lostIsolates > 0:
				lostIsolates--
			case validIsolates > 0:
				lostEmbeddings = 0
				validIsolates--

				for !stack[len(stack)-1].isolate {
					stack = stack[:len(stack)-1]
				}

				stack = stack[:len(stack)-1]
			}

			p.enter(i, stack[len(stack)-1])
		case c == bidi.PDF:
			switch {
			case lostIsolates > 0:
			case lostEmbeddings > 0:
				lostEmbeddings--
			case !top.isolate && len(stack) > 1:
				stack = stack[:len(stack)-1]
			}
		case c == bidi.B:
			p.levels[i] = p.base
		case c != bidi.BN:
			p.enter(i, top)
		}
	}
}

// enter gives a character the level and the override of its embedding.
func (p *paragraph) enter(i int, in status) {
	p.levels[i] = in.level
	if in.override != bidi.ON {
		p.resolved[i] = in.override
	}
}

// turnsRight reports whether an isolate initiator begins right-to-left text; for FSI its first strong character decides
// (X5c).
func (p *paragraph) turnsRight(i int) bool {
	switch p.classes[i] {
	case bidi.RLI:
		return true
	case bidi.FSI:
		end := p.partner[i]
		if end < 0 {
			end = len(p.classes)
		}

		return p.firstStrong(i+1, end, 0) == 1
	default:
		return false
	}
}

// deeper returns the next odd level, or the next even one.
func deeper(l Level, odd bool) Level {
	if l.RightToLeft() == odd {
		return l + 2
	}

	return l + 1
}
