package compositor

import (
	"fmt"
	"image"
	"math"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The corners of a text's background, as shares of its shorter side, and the distance of the lines from its edges, in
// font sizes.
const (
	textRounded  = 0.2
	textSquircle = 0.5
	textPad      = 0.4
)

// drawText draws a text in its box. Its background fills the box, and its lines are centered vertically. Text that does
// not fit is drawn outside the box rather than left out.
func drawText(t *plan.Text, fonts *lettering.Fonts, within rect) (*sprite, error) {
	ink, err := ParseColour(string(t.Color))
	if err != nil {
		return nil, err
	}

	backdrop, shaped, err := textBackdrop(t)
	if err != nil {
		return nil, err
	}

	var pad float64
	if shaped {
		pad = min(textPad*t.FontSize, t.Box.Width/4)
	}

	layout, err := fonts.Set(t.Text, lettering.Style{
		Family: t.FontFamily, Size: t.FontSize, Weight: t.FontWeight, Width: t.FontWidth, Align: t.TextAlign,
	}, t.Box.Width-2*pad)
	if err != nil {
		return nil, err
	}

	x, y := t.Box.X+pad, t.Box.Y+(t.Box.Height-layout.Height)/2
	end := utf8.RuneCountInString(t.Text) + 1
	area := layout.Ink(x, y, 0, end)

	if shaped {
		area = area.Union(around(t.Box))
	}

	dst := canvas(area, within)
	if dst == nil {
		return &sprite{}, nil
	}

	if shaped {
		var m mask

		m.set(t.Box, textCorner(t), 1, within)
		paint(dst, &m, backdrop)
	}

	layout.Draw(dst, x, y, ink.rgba(), 0, end)

	return spriteOf(dst), nil
}

// textBackdrop returns the color behind a text; false if there is none.
func textBackdrop(t *plan.Text) (Colour, bool, error) {
	if t.Background == values.Transparent || t.Background == "" || t.BackgroundShape == values.TextBackgroundShapeNone {
		return Colour{}, false, nil
	}

	c, err := ParseColour(t.Background)

	return c, c.A > 0, err
}

func textCorner(t *plan.Text) plan.Corner {
	side := min(t.Box.Width, t.Box.Height)

	switch t.BackgroundShape {
	case values.TextBackgroundShapeRounded:
		return plan.Corner{Radius: textRounded * side}
	case values.TextBackgroundShapePill:
		return plan.Corner{Radius: side / 2}
	case values.TextBackgroundShapeSquircle:
		return plan.Corner{Radius: textSquircle * side, Squircle: true}
	default:
		return plan.Corner{}
	}
}

// around returns the smallest rectangle of whole pixels that contains the box.
func around(b plan.Rect) image.Rectangle {
	return image.Rect(int(math.Floor(b.X)), int(math.Floor(b.Y)), int(math.Ceil(b.X+b.Width)), int(math.Ceil(b.Y+b.Height)))
}

// checkText reports a text that cannot be drawn.
func checkText(t *plan.Text) error {
	if _, err := ParseColour(string(t.Color)); err != nil {
		return fmt.Errorf("check a text: %w", err)
	}

	if _, _, err := textBackdrop(t); err != nil {
		return fmt.Errorf("check a text: %w", err)
	}

	return nil
}
