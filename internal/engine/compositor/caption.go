package compositor

import (
	"image"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sizes of captions, in font sizes.
const (
	captionWeight   = 600
	captionPadX     = 0.55
	captionPadY     = 0.28
	captionRound    = 0.3
	captionMarkX    = 0.14
	captionMarkY    = 0.04
	captionMarkEdge = 0.2
	captionLines    = 2
)

// captionText is the layout of a caption. It does not change while its words light up in turn.
type captionText struct {
	layout    lettering.Layout
	size      float64
	box       plan.Rect // the backdrop
	words     [][2]int  // from and to of each word, in characters
	back, ink Colour
}

// setCaption sets a caption in at most two lines, in smaller letters if needed, and places its backdrop inside the
// frame.
func setCaption(c *plan.Caption, fonts *lettering.Fonts, within rect) (captionText, error) {
	t := captionText{size: c.FontSize}
	text := captionLine(c, &t)

	var err error
	if t.back, err = ParseColour(string(c.Style.BackgroundColor)); err != nil {
		return t, err
	}

	if t.ink, err = ParseColour(string(c.Style.TextColor)); err != nil {
		return t, err
	}

	for {
		layout, err := fonts.Set(text, lettering.Style{
			Family: values.DefaultFontFamily, Size: t.size, Weight: captionWeight, Width: 100, Align: values.TextAlignCenter,
		}, c.MaxWidth-2*captionPadX*t.size)
		if err != nil {
			return t, err
		}

		t.layout = layout
		if len(layout.Lines) <= captionLines && layout.Broken == 0 || t.size < 4 {
			break
		}

		t.size *= 0.9
	}

	var widest float64
	for _, l := range t.layout.Lines {
		widest = max(widest, l.Width)
	}

	w, h := widest+2*captionPadX*t.size, t.layout.Height+2*captionPadY*t.size
	t.box = plan.Rect{
		X:     max(0, min(float64(within.x1)-w, c.X-w/2)),
		Y:     max(0, min(float64(within.y1)-h, c.Y-h/2)),
		Width: w, Height: h,
	}

	return t, nil
}

// captionLine returns a caption's text and records where its words are.
func captionLine(c *plan.Caption, t *captionText) string {
	var line strings.Builder

	at := 0

	for i, w := range c.Words {
		if i > 0 && (i >= len(c.Joined) || !c.Joined[i]) {
			line.WriteByte(' ')

			at++
		}

		n := utf8.RuneCountInString(w)
		t.words = append(t.words, [2]int{at, at + n})
		at += n

		line.WriteString(w)
	}

	return line.String()
}

// origin returns the upper left corner of the layout.
func (t *captionText) origin() (x, y float64) {
	return t.box.X + (t.box.Width-t.layout.Width)/2, t.box.Y + captionPadY*t.size
}

// word returns the box of a word; false if the word has no ink.
func (t *captionText) word(i int) (plan.Rect, bool) {
	ox, oy := t.origin()

	for k, line := range t.layout.Lines {
		left, right, found := 0.0, 0.0, false

		for _, g := range line.Glyphs {
			if g.Rune < t.words[i][0] || g.Rune >= t.words[i][1] {
				continue
			}

			if !found {
				left = g.X
			}

			left, right, found = min(left, g.X), max(right, g.X+g.Advance), true
		}

		if found {
			height := lettering.LineHeight * t.size

			return plan.Rect{X: ox + left, Y: oy + float64(k)*height, Width: right - left, Height: height}, true
		}
	}

	return plan.Rect{}, false
}

// end returns the position after the last word.
func (t *captionText) end() int { return t.words[len(t.words)-1][1] + 1 }

// active returns the word that the caption's style marks, or -1.
func (t *captionText) active(c *plan.Caption) int {
	if !c.Style.WordLevelHighlights || c.Active >= len(t.words) {
		return -1
	}

	return max(c.Active, -1)
}

// mark returns the box behind a lit word; false if the word has no ink.
func (t *captionText) mark(i int) (plan.Rect, bool) {
	box, ok := t.word(i)

	return plan.Rect{
		X: box.X - captionMarkX*t.size, Y: box.Y + captionMarkY*t.size,
		Width: box.Width + 2*captionMarkX*t.size, Height: box.Height - 2*captionMarkY*t.size,
	}, ok
}

// plain draws the caption without a lit word.
func (t *captionText) plain(within rect) *sprite {
	x, y := t.origin()

	return t.paint(canvas(around(t.box).Union(t.layout.Ink(x, y, 0, t.end())), within), -1)
}

// lit draws the caption with a lit word: outside that word and its mark it is plain.
func (t *captionText) lit(plain *sprite, word int) *sprite {
	x, y := t.origin()
	area := t.layout.Ink(x, y, t.words[word][0], t.words[word][1])

	if mark, ok := t.mark(word); ok {
		area = area.Union(around(mark))
	}

	return plain.with(t.paint(canvas(area, plain.mask.bounds), word))
}

// paint draws the part of the caption that is on a canvas. It swaps the colors of the word, unless that is -1.
func (t *captionText) paint(dst *image.RGBA, word int) *sprite {
	if dst == nil {
		return &sprite{}
	}

	var m mask

	within := rect{dst.Rect.Min.X, dst.Rect.Min.Y, dst.Rect.Max.X, dst.Rect.Max.Y}
	m.set(t.box, plan.Corner{Radius: captionRound * t.size}, 1, within)
	paint(dst, &m, t.back)

	x, y := t.origin()
	if word < 0 {
		t.layout.Draw(dst, x, y, t.ink.rgba(), 0, t.end())

		return spriteOf(dst)
	}

	if box, ok := t.mark(word); ok {
		m.set(box, plan.Corner{Radius: captionMarkEdge * t.size}, 1, within)
		paint(dst, &m, t.ink)
	}

	from, to := t.words[word][0], t.words[word][1]
	t.layout.Draw(dst, x, y, t.ink.rgba(), 0, from)
	t.layout.Draw(dst, x, y, Colour{t.back.R, t.back.G, t.back.B, t.ink.A}.rgba(), from, to)
	t.layout.Draw(dst, x, y, t.ink.rgba(), to, t.end())

	return spriteOf(dst)
}

// captions keeps what was drawn last: a caption, and one of its words lit.
type captions struct {
	key        plan.Caption
	text       captionText
	plain, lit *sprite
	word       int // the lit word
}

// draw draws a caption. It fails only if a font can no longer be read.
func (k *captions) draw(dst Frame, c *plan.Caption, fonts *lettering.Fonts) error {
	if len(c.Words) == 0 {
		return nil
	}

	if k.plain == nil || !k.sameText(c) {
		text, err := setCaption(c, fonts, dst.bounds())
		if err != nil {
			return err
		}

		k.key, k.text, k.plain, k.lit = *c, text, text.plain(dst.bounds()), nil
	}

	word := k.text.active(c)
	if word < 0 {
		k.plain.draw(dst)

		return nil
	}

	if k.lit == nil || k.word != word {
		k.lit, k.word = k.text.lit(k.plain, word), word
	}

	k.lit.draw(dst)

	return nil
}

func (k *captions) sameText(c *plan.Caption) bool {
	return k.key.X == c.X && k.key.Y == c.Y && k.key.FontSize == c.FontSize && k.key.MaxWidth == c.MaxWidth &&
		k.key.Style == c.Style && slices.Equal(k.key.Words, c.Words) && slices.Equal(k.key.Joined, c.Joined)
}
