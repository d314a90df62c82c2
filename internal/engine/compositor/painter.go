package compositor

import (
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ErrInput means that an input of a scene is missing or has the wrong size.
var ErrInput = errors.New("an input is missing or has the wrong size")

// Painter paints the frames of one scene, in any order. It keeps the parts that do not change between frames. Only
// one goroutine may use it.
type Painter struct {
	scene plan.Scene
	fonts *lettering.Fonts

	backdrop backdrop
	layers   []layer
	pictures []layer
	texts    map[plan.Text]*sprite
	captions captions
	pointer  pointer
	before   Frame
	given    func() error // returns an error when painting should stop; may be nil
}

// GiveUp lets the caller stop Paint early, because a view may have very many texts. Paint calls the function asked
// before it lays out each text. If asked returns an error, Paint stops and returns that error.
func (p *Painter) GiveUp(asked func() error) { p.given = asked }

// New returns the painter of a scene. fonts may be nil if the scene has no text. threads is the number of threads that
// draw a moving layer. 0 means one thread, which is best when several chunks are drawn in parallel.
func New(scene plan.Scene, fonts *lettering.Fonts, threads int) (*Painter, error) {
	p := &Painter{scene: scene, fonts: fonts, texts: map[plan.Text]*sprite{}}

	views := make([]plan.View, 0, len(scene.Shots)+1)
	for _, shot := range scene.Shots {
		views = append(views, shot.View)
	}

	if frozen, ok := scene.Frozen(); ok {
		views = append(views, frozen)
	}

	for _, v := range views {
		if err := p.check(v); err != nil {
			return nil, fmt.Errorf("check a scene: %w", err)
		}

		for len(p.layers) < len(v.Layers) {
			p.layers = append(p.layers, layer{scale: scaler{threads: threads}})
		}

		for len(p.pictures) < len(v.Overlays) {
			p.pictures = append(p.pictures, layer{scale: scaler{threads: threads}})
		}
	}

	return p, nil
}

// After takes over the unchanging parts that the painter of the previous scene has drawn, if this scene has the same
// parts. before is that painter, or nil. The caller must not use before again.
func (p *Painter) After(before *Painter) {
	if before != nil && before.scene.Frame == p.scene.Frame {
		p.backdrop.after(&before.backdrop)
	}
}

// Paint paints a view of the scene into dst and overwrites all of it. dst must have the size of the scene. inputs
// holds one frame for each input of the scene, in order; the zero Frame means that the input has no frame at this
// time. Paint may modify the frames of inputs that are not stills. It returns ErrInput for a missing or wrong input,
// or an error if a font can no longer be read.
func (p *Painter) Paint(dst Frame, v plan.View, inputs []Frame) error {
	if dst.Width != p.scene.Frame.Width || dst.Height != p.scene.Frame.Height {
		return fmt.Errorf("paint %d×%d: %w", dst.Width, dst.Height, ErrFrame)
	}

	if v.Fade < 1 {
		if err := p.view(dst, v, inputs); err != nil {
			return err
		}
	}

	frozen, ok := p.scene.Frozen()
	if v.Fade <= 0 || !ok {
		return nil
	}

	if err := p.paintBefore(frozen, inputs); err != nil {
		return err
	}

	Mix(dst, dst, p.before, v.Fade)

	return nil
}

// paintBefore paints the view that fades out, only once: it is frozen.
func (p *Painter) paintBefore(frozen plan.View, inputs []Frame) error {
	if !p.before.empty() {
		return nil
	}

	once, err := New(p.scene, p.fonts, 0)
	if err != nil {
		return err
	}

	once.given = p.given

	frame := NewFrame(p.scene.Frame.Width, p.scene.Frame.Height)
	if err := once.view(frame, frozen, inputs); err != nil {
		return err
	}

	p.before = frame

	return nil
}

// view paints everything except the fade.
func (p *Painter) view(dst Frame, v plan.View, inputs []Frame) error {
	unit := p.scene.Unit()

	for i := range v.Layers {
		if err := p.layers[i].prepare(&v.Layers[i], p.scene.Inputs, inputs, unit, dst.bounds()); err != nil {
			return err
		}
	}

	below, err := p.input(v.Background, inputs)
	if err != nil {
		return err
	}

	drawn := p.backdrop.draw(dst, v, below, p.layers)

	for i := range v.Layers {
		if i > 0 || !drawn {
			p.layers[i].border.draw(dst, v.Seconds)
		}

		p.layers[i].draw(dst, v.Layers[i].From, v.Layers[i].To)

		if c := v.Layers[i].Cursor; c != nil {
			p.pointer.draw(dst, c, &p.layers[i].mask)
		}
	}

	if err := p.overlays(dst, v, inputs, unit); err != nil {
		return err
	}

	if v.Caption != nil {
		return p.captions.draw(dst, v.Caption, p.fonts)
	}

	return nil
}

// input returns the picture of a background; the zero Frame if the background is drawn.
func (p *Painter) input(b plan.Background, inputs []Frame) (Frame, error) {
	if b.Type != values.BackgroundTypeImage && b.Type != values.BackgroundTypeVideo {
		return Frame{}, nil
	}

	f, err := inputAt(inputs, b.Input)
	if err == nil && (f.Width != p.scene.Frame.Width || f.Height != p.scene.Frame.Height) {
		err = ErrInput
	}

	if err != nil {
		return Frame{}, fmt.Errorf("use a background picture: %w", err)
	}

	return f, nil
}

func inputAt(inputs []Frame, i int) (Frame, error) {
	if i < 0 || i >= len(inputs) || inputs[i].empty() {
		return Frame{}, fmt.Errorf("input %d: %w", i, ErrInput)
	}

	return inputs[i], nil
}

// overlays draws the pictures and texts over the layers.
func (p *Painter) overlays(dst Frame, v plan.View, inputs []Frame, unit float64) error {
	for i, o := range v.Overlays {
		switch {
		case o.Picture != nil:
			l := &p.pictures[i]
			if err := l.prepare(o.Picture, p.scene.Inputs, inputs, unit, dst.bounds()); err != nil {
				return err
			}

			l.border.draw(dst, v.Seconds)
			l.draw(dst, o.Picture.From, o.Picture.To)
		case o.Text != nil:
			s, err := p.text(o.Text, dst.bounds())
			if err != nil {
				return err
			}

			s.draw(dst)
		}
	}

	return nil
}

// text returns the sprite of a text, drawn on first use.
func (p *Painter) text(t *plan.Text, within rect) (*sprite, error) {
	if s, ok := p.texts[*t]; ok {
		return s, nil
	}

	if p.given != nil {
		if err := p.given(); err != nil {
			return nil, err
		}
	}

	s, err := drawText(t, p.fonts, within)
	if err != nil {
		return nil, fmt.Errorf("draw a text: %w", err)
	}

	p.texts[*t] = s

	return s, nil
}

// check rejects invalid colors, and text without fonts, so that Paint need not.
func (p *Painter) check(v plan.View) error {
	for _, c := range []values.Color{v.Background.Color, v.Background.Color2} {
		if c == "" {
			continue
		}

		if _, err := ParseColour(string(c)); err != nil {
			return err
		}
	}

	for _, o := range v.Overlays {
		if o.Text == nil {
			continue
		}

		if err := checkText(o.Text); err != nil {
			return err
		}

		if p.fonts == nil {
			return lettering.ErrNoFonts
		}
	}

	if v.Caption != nil {
		for _, c := range []values.Color{v.Caption.Style.BackgroundColor, v.Caption.Style.TextColor} {
			if _, err := ParseColour(string(c)); err != nil {
				return err
			}
		}

		if p.fonts == nil {
			return lettering.ErrNoFonts
		}
	}

	return nil
}
