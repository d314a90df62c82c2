package lettering

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering/bidi"
	"github.com/reelgraph/reelgraph/internal/video/linebreak"
)

// paragraph is a shaped paragraph, in reading order.
type paragraph struct {
	runes  []rune
	at     int // of its first character in the text
	levels []bidi.Level
	breaks []linebreak.Break

	runs     []shaping.Output
	clusters []cluster
}

// cluster is a group of characters that are drawn together, such as a letter and its marks, or a ligature.
type cluster struct {
	rune     int // the first of its characters
	run      int
	from, to int // its glyphs in the run
	advance  fixed.Int26_6
}

// add appends a run. In a right-to-left run the clusters are in the opposite order of the glyphs.
func (p *paragraph) add(run shaping.Output) {
	first := len(p.clusters)

	for i := 0; i < len(run.Glyphs); {
		c := cluster{rune: run.Glyphs[i].TextIndex(), run: len(p.runs), from: i}

		for ; i < len(run.Glyphs) && run.Glyphs[i].TextIndex() == c.rune; i++ {
			c.advance += run.Glyphs[i].Advance
		}

		c.to = i
		p.clusters = append(p.clusters, c)
	}

	if p.levels[run.Runes.Offset].RightToLeft() {
		slices.Reverse(p.clusters[first:])
	}

	p.runs = append(p.runs, run)
}

// lineEnd finds the end of a line that begins at cluster from: the last allowed break at which the line is no wider
// than the limit, not counting trailing blanks. It reports whether it had to break a word.
func (p *paragraph) lineEnd(from int, limit fixed.Int26_6) (end int, broken bool) {
	var (
		width           fixed.Int26_6
		allowed, letter = -1, -1
	)

	for k := from; k < len(p.clusters); k++ {
		c := p.clusters[k]

		if k > from {
			switch p.breaks[c.rune] {
			case linebreak.Always:
				return k, false
			case linebreak.Allowed:
				allowed = k
			case linebreak.Letter:
				letter = k
			case linebreak.Never:
			}
		}

		width += c.advance

		if width <= limit || blank(p.runes[c.rune]) {
			continue
		}

		switch {
		case allowed > 0:
			return allowed, false
		case letter > 0:
			return letter, true
		}
	}

	return len(p.clusters), false
}

// piece is the part of a line that is in one run: the glyphs from..to (exclusive).
type piece struct {
	run, from, to int
}

// pieces returns the parts of a line from left to right, without the blanks at its end.
func (p *paragraph) pieces(from, to int) []piece {
	for to > from && p.blank(to-1) {
		to--
	}

	var (
		all    []piece
		levels []bidi.Level
	)

	for _, c := range p.clusters[from:to] {
		if last := len(all) - 1; last >= 0 && all[last].run == c.run {
			all[last].from, all[last].to = min(all[last].from, c.from), max(all[last].to, c.to)
		} else {
			all, levels = append(all, piece{c.run, c.from, c.to}), append(levels, p.levels[c.rune])
		}
	}

	ordered := make([]piece, len(all))
	for i, k := range bidi.Reorder(levels) {
		ordered[i] = all[k]
	}

	return ordered
}

// blank reports whether a cluster is invisible at the end of a line.
func (p *paragraph) blank(k int) bool {
	end := len(p.runes)
	if k+1 < len(p.clusters) {
		end = p.clusters[k+1].rune
	}

	return !slices.ContainsFunc(p.runes[p.clusters[k].rune:end], func(r rune) bool { return !blank(r) })
}

// blank reports whether a character is invisible and has no width at the end of a line: breakable spaces, control
// characters, and marks of direction.
func blank(r rune) bool {
	switch r {
	case 0x00A0, 0x2007, 0x202F: // no-break spaces
		return false
	}

	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
