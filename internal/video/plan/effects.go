package plan

import (
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// planners sort effects by kind. Other kinds are not drawn.
var planners = map[values.EffectKind]func(s *shown, t timed){ //nolint:gochecknoglobals // a constant
	values.EffectKindLayout:       func(s *shown, t timed) { s.layouts = append(s.layouts, t) },
	values.EffectKindZoom:         (*shown).zoom,
	values.EffectKindBlur:         (*shown).mask,
	values.EffectKindHighlight:    (*shown).mask,
	values.EffectKindMediaOverlay: (*shown).lay,
	values.EffectKindTextOverlay:  (*shown).lay,
}

func (s *shown) zoom(t timed) {
	if s.clip.Screen == "" {
		return
	}

	z := zoom{timed: t}
	if t.effect.Params.Zoom.Type == values.ZoomTypeTrackingZoom && len(s.track) > 0 {
		z.chase = chaseOf(s.track, s.clock, t.Span)
	}

	s.zooms = append(s.zooms, z)
}

func (s *shown) mask(t timed) { s.masks = append(s.masks, t) }

func (s *shown) lay(t timed) { s.overlays = append(s.overlays, t) }

// Overlay is a picture or a text above the layers. Exactly one field is set.
type Overlay struct {
	Picture *Layer `json:"picture,omitempty"`
	Text    *Text  `json:"text,omitempty"`
}

// Text is a text in a box. The FontSize of its style is in pixels of the frame.
type Text struct {
	values.TextStyle

	Text string `json:"text"`
	Box  Rect   `json:"box"`
}

// laid is an overlay, or the figure that becomes its picture.
type laid struct {
	Overlay

	figure *figure
}

// overlay returns a picture or text as drawn; false when all of it lies outside the frame.
func (s *shown) overlay(t timed) (laid, bool) {
	if p := t.effect.Params.Text; p != nil {
		text := &Text{TextStyle: p.TextStyle, Text: p.Text, Box: s.box(p.Point, p.Dimensions)}
		text.FontSize *= s.scaleY

		return laid{Overlay: Overlay{Text: text}}, true
	}

	p := t.effect.Params.Overlay
	to := s.box(p.Point, p.Dimensions)
	even := evenBox(to.X+1, to.Y+1, to.Width+1, to.Height+1)
	f, seen := figure{
		stream: stream{source: t.effect.SourceID, role: roleOverlay, own: true, fromMs: t.StartMs, slot: t.slot},
		part:   wholePart(), to: rectOf(even), opacity: 1,
	}.clipped(s.stage.Frame)

	return laid{figure: &f}, seen
}
