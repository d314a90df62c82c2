package compositor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/render"
)

// Captions, in font sizes.
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

// captionText is a caption that has been set: it stays the same while its words light up in turn.
type captionText struct {
	layout lettering.Layout
	size   float64
	box    render.Rect // the backdrop
	words  [][2]int    // from and to of each word, in characters
}

// setCaption sets a caption in at most two lines, in smaller letters if it must, and places its
// backdrop inside the frame.
func setCaption(c *render.Caption, fonts *lettering.Fonts, within rect) (captionText, error) {
	t := captionText{size: c.FontSize}
	text := strings.Join(c.Words, " ")

	for {
		layout, err := fonts.Set(text, lettering.Style{
			Family: domain.DefaultFontFamily, Size: t.size, Weight: captionWeight, Width: 100, Align: domain.TextAlignCenter,
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

	at := 0
	for _, w := range c.Words {
		n := utf8.RuneCountInString(w)
		t.words = append(t.words, [2]int{at, at + n})
		at += n + 1
	}

	var widest float64
	for _, l := range t.layout.Lines {
		widest = max(widest, l.Width)
	}

	w, h := widest+2*captionPadX*t.size, t.layout.Height+2*captionPadY*t.size
	t.box = render.Rect{
		X:     max(0, min(float64(within.x1)-w, c.X-w/2)),
		Y:     max(0, min(float64(within.y1)-h, c.Y-h/2)),
		Width: w, Height: h,
	}

	return t, nil
}

// origin is where the layout's upper left corner stands.
func (t *captionText) origin() (x, y float64) {
	return t.box.X + (t.box.Width-t.layout.Width)/2, t.box.Y + captionPadY*t.size
}

// word is the box of a word, false for one without ink.
func (t *captionText) word(i int) (render.Rect, bool) {
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

			return render.Rect{X: ox + left, Y: oy + float64(k)*height, Width: right - left, Height: height}, true
		}
	}

	return render.Rect{}, false
}

// drawCaption draws a caption with the active word, if its style marks it, in the colours turned round.
func drawCaption(c *render.Caption, t *captionText, within rect) (*sprite, error) {
	back, err := ParseColour(string(c.Style.BackgroundColor))
	if err != nil {
		return nil, err
	}

	ink, err := ParseColour(string(c.Style.TextColor))
	if err != nil {
		return nil, err
	}

	x, y := t.origin()

	dst := canvas(around(t.box).Union(t.layout.Ink(x, y)), within)
	if dst == nil {
		return &sprite{}, nil
	}

	var m mask

	m.set(t.box, render.Corner{Radius: captionRound * t.size}, 1, within)
	paint(dst, &m, back)

	end := t.words[len(t.words)-1][1] + 1

	if !c.Style.WordLevelHighlights || c.Active < 0 || c.Active >= len(t.words) {
		t.layout.Draw(dst, x, y, ink.rgba(), 0, end)

		return spriteOf(dst), nil
	}

	if box, ok := t.word(c.Active); ok {
		box = render.Rect{
			X: box.X - captionMarkX*t.size, Y: box.Y + captionMarkY*t.size,
			Width: box.Width + 2*captionMarkX*t.size, Height: box.Height - 2*captionMarkY*t.size,
		}
		m.set(box, render.Corner{Radius: captionMarkEdge * t.size}, 1, within)
		paint(dst, &m, ink)
	}

	word := t.words[c.Active]
	t.layout.Draw(dst, x, y, ink.rgba(), 0, word[0])
	t.layout.Draw(dst, x, y, Colour{back.R, back.G, back.B, ink.A}.rgba(), word[0], word[1])
	t.layout.Draw(dst, x, y, ink.rgba(), word[1], end)

	return spriteOf(dst), nil
}

// captions keep what was drawn last.
type captions struct {
	key    render.Caption
	text   captionText
	sprite *sprite
}

// draw draws a caption. It fails only as fonts do that can no longer be read.
func (k *captions) draw(dst Frame, c *render.Caption, fonts *lettering.Fonts) error {
	if len(c.Words) == 0 {
		return nil
	}

	same := k.sprite != nil && k.sameText(c)
	if !same {
		text, err := setCaption(c, fonts, dst.bounds())
		if err != nil {
			return err
		}

		k.text = text
	}

	if !same || k.key.Active != c.Active {
		s, err := drawCaption(c, &k.text, dst.bounds())
		if err != nil {
			return err
		}

		k.sprite, k.key = s, *c
	}

	k.sprite.draw(dst)

	return nil
}

func (k *captions) sameText(c *render.Caption) bool {
	return k.key.X == c.X && k.key.Y == c.Y && k.key.FontSize == c.FontSize && k.key.MaxWidth == c.MaxWidth &&
		k.key.Style == c.Style && slices.Equal(k.key.Words, c.Words)
}
