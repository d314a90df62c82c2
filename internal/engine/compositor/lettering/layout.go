package lettering

import (
	"fmt"
	"math"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering/bidi"
	"github.com/reelgraph/reelgraph/internal/video/linebreak"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// LineHeight is the distance between two lines as a multiple of the font size.
const LineHeight = 1.2

// largest is the largest font size that is drawn: its letters are larger than any frame.
const largest = 8192

// Style describes how a text looks. Weight and Width are clamped to the ranges of the font family, and Size to 8,192.
type Style struct {
	Family        string
	Size          float64 // pixels
	Weight, Width float64
	Align         values.TextAlign // empty means left
}

// Layout is a text in lines. Its origin is the upper left corner of the first line. Lines are aligned within Width.
type Layout struct {
	Width, Height float64
	Lines         []Line
	// Broken is the number of lines that had to be broken within a word.
	Broken int
}

// Line is one line of a text.
type Line struct {
	X, Width float64 // of the visible part, without trailing spaces
	Baseline float64
	Glyphs   []Glyph
}

// Glyph is a drawn glyph at its place.
type Glyph struct {
	X, Y    float64 // of its origin, on the baseline
	Advance float64
	// Rune is the index of its first character in the text.
	Rune int
	// Left, Top, Right and Bottom are the box of its ink.
	Left, Top, Right, Bottom float64

	face *font.Face
	id   font.GID
	size float64
}

// Set lays out a text in lines of at most maxWidth pixels and breaks words that are wider. Lines are aligned within
// maxWidth. If maxWidth is zero, lines end only at line feeds and are aligned within the widest line.
func (f *Fonts) Set(text string, s Style, maxWidth float64) (Layout, error) {
	f.mu.Lock()
	defer f.mu.Unlock()

	s.Size = min(s.Size, largest)
	main := f.family(s.Family).nearest(s.Weight, s.Width)

	face, err := main.at(s.Weight, s.Width, s.Size)
	if err != nil {
		return Layout{}, fmt.Errorf("lay out a text: %w", err)
	}

	t := setter{
		fonts: f, style: s, maxWidth: maxWidth, main: main,
		faces: map[*file]*font.Face{main: face}, baseline: baseline(face, s.Size),
	}

	return t.set(text), nil
}

// baseline returns how far below the top of its line the baseline is, so that ascenders and descenders together are
// centered.
func baseline(face *font.Face, size float64) float64 {
	extents, _ := face.FontHExtents()
	scale := size / float64(face.Upem())

	return (LineHeight*size + (float64(extents.Ascender)+float64(extents.Descender))*scale) / 2
}

// setter lays out one text.
type setter struct {
	fonts     *Fonts
	style     Style
	maxWidth  float64
	baseline  float64
	main      *file
	faces     map[*file]*font.Face
	pictorial map[rune]bool

	segmenter shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	out       Layout
}

func (t *setter) set(text string) Layout {
	runes := []rune(text)
	t.pictorial = pictorial(runes)

	from := 0

	for i := 0; i < len(runes); i++ {
		switch {
		case runes[i] == '\t':
			runes[i] = ' '
		case bidi.Separates(runes[i]):
			t.paragraph(runes[from:i], from)

			if runes[i] == '\r' && i+1 < len(runes) && runes[i+1] == '\n' {
				i++
			}

			from = i + 1
		}
	}

	t.paragraph(runes[from:], from)

	t.out.Height = float64(len(t.out.Lines)) * LineHeight * t.style.Size
	t.align()

	return t.out
}

// paragraph lays out the text between two paragraph separators. at is the index of its first character in the whole
// text.
func (t *setter) paragraph(runes []rune, at int) {
	if len(runes) == 0 {
		t.newLine()

		return
	}

	p := paragraph{runes: runes, at: at, breaks: linebreak.Of(runes)}
	p.levels, _ = bidi.Levels(runes)

	for _, in := range t.split(runes, p.levels) {
		run := t.shaper.Shape(in)
		t.adjust(&run, runes)
		p.add(run)
	}

	for from := 0; from < len(p.clusters); {
		to, broken := p.lineEnd(from, t.limit())
		t.line(&p, from, to)

		if broken {
			t.out.Broken++
		}

		from = to
	}
}

// limit returns the greatest width of a line.
func (t *setter) limit() fixed.Int26_6 {
	if t.maxWidth > 0 {
		return fix(t.maxWidth)
	}

	return math.MaxInt32
}

// splitAtOnce is how many characters the segmenter gets per call: its time grows with the square of their number.
const splitAtOnce = 1000

// split divides a paragraph into runs of one level, script and font.
func (t *setter) split(runes []rune, levels []bidi.Level) []shaping.Input {
	var all []shaping.Input

	for from := 0; from < len(runes); {
		direction := di.DirectionLTR
		if levels[from].RightToLeft() {
			direction = di.DirectionRTL
		}

		level, first := levels[from], len(all)

		for from < len(runes) && levels[from] == level {
			to := from + 1
			for to < len(runes) && levels[to] == level && to-from < splitAtOnce {
				to++
			}

			for _, part := range t.segmenter.Split(shaping.Input{
				Text: runes, RunStart: from, RunEnd: to, Direction: direction, Size: fix(t.style.Size), Language: language.NewLanguage("en"),
			}, t) {
				part.Direction = direction

				// The segmenter also divides by direction, and does not know the surrounding text.
				if last := len(all) - 1; last >= first && all[last].Script == part.Script && all[last].Face == part.Face {
					all[last].RunEnd = part.RunEnd
				} else {
					all = append(all, part)
				}
			}

			from = to
		}
	}

	return all
}

// adjust gives spaces after an emoji, which come from its font, the width of the text's own spaces. Control characters,
// which fonts draw as boxes, get no width and no ink.
func (t *setter) adjust(run *shaping.Output, runes []rune) {
	main := t.faces[t.main]
	space, ok := main.NominalGlyph(' ')
	width := fix(float64(main.HorizontalAdvance(space)) * t.style.Size / float64(main.Upem()))

	for i := range run.Glyphs {
		switch r, g := runes[run.Glyphs[i].TextIndex()], &run.Glyphs[i]; {
		case r == ' ' && ok && run.Face != main:
			g.Advance = width
		case unicode.IsControl(r):
			g.GlyphID, g.Advance, g.Width, g.Height = font.EmptyGlyph, 0, 0, 0
		}
	}
}

func (t *setter) newLine() *Line {
	t.out.Lines = append(t.out.Lines, Line{
		Baseline: float64(len(t.out.Lines))*LineHeight*t.style.Size + t.baseline,
	})

	return &t.out.Lines[len(t.out.Lines)-1]
}

// line places the clusters from..to (exclusive), from left to right.
func (t *setter) line(p *paragraph, from, to int) {
	line := t.newLine()

	var x float64

	for _, piece := range p.pieces(from, to) {
		run := &p.runs[piece.run]

		for _, g := range run.Glyphs[piece.from:piece.to] {
			dotX, dotY := x+px(g.XOffset), line.Baseline-px(g.YOffset)
			line.Glyphs = append(line.Glyphs, Glyph{
				X: dotX, Y: dotY, Advance: px(g.Advance), Rune: p.at + g.TextIndex(),
				Left: dotX + px(g.XBearing), Right: dotX + px(g.XBearing+g.Width),
				Top: dotY - px(g.YBearing), Bottom: dotY - px(g.YBearing+g.Height),
				face: run.Face, id: g.GlyphID, size: px(run.Size),
			})
			x += px(g.Advance)
		}
	}

	line.Width = x
}

// align moves the lines horizontally.
func (t *setter) align() {
	t.out.Width = t.maxWidth
	if t.maxWidth == 0 {
		for _, l := range t.out.Lines {
			t.out.Width = max(t.out.Width, l.Width)
		}
	}

	for i := range t.out.Lines {
		l := &t.out.Lines[i]

		switch t.style.Align {
		case values.TextAlignCenter:
			l.X = (t.out.Width - l.Width) / 2
		case values.TextAlignRight:
			l.X = t.out.Width - l.Width
		case values.TextAlignLeft:
		}

		for k := range l.Glyphs {
			g := &l.Glyphs[k]
			g.X, g.Left, g.Right = g.X+l.X, g.Left+l.X, g.Right+l.X
		}
	}
}

// ResolveFace implements shaping.Fontmap: it chooses the font of a character.
func (t *setter) ResolveFace(r rune) *font.Face {
	chosen := t.main

	switch {
	case t.pictorial[r] && t.fonts.emoji.has(r):
		chosen = t.fonts.emoji
	case t.main.has(r):
	case t.fonts.emoji.has(r):
		chosen = t.fonts.emoji
	default:
		if spare := t.fonts.spareFor(r); spare != nil {
			chosen = spare
		}
	}

	if face, ok := t.faces[chosen]; ok {
		return face
	}

	face, err := chosen.at(t.style.Weight, t.style.Width, t.style.Size)
	if err != nil {
		face = t.faces[t.main]
	}

	t.faces[chosen] = face

	return face
}

// pictorial returns the characters of a text that are emoji: those from the first emoji block on, and those that a
// variation selector or a joiner marks.
func pictorial(runes []rune) map[rune]bool {
	const selector, joiner, keycap, firstEmoji = 0xFE0F, 0x200D, 0x20E3, 0x1F000

	out := map[rune]bool{}

	for i, r := range runes {
		switch {
		case r >= firstEmoji:
			out[r] = true
		case i > 0 && (r == selector || r == joiner && runes[i-1] >= 0x2190 || r == keycap):
			out[runes[i-1]], out[r] = true, true
		}
	}

	return out
}

func fix(v float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(v * 64)) }

func px(v fixed.Int26_6) float64 { return float64(v) / 64 }
