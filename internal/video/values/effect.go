package values

import (
	"encoding/json"
	"fmt"
)

// EffectKind is the family of an effect; the value is also the type of a batch result.
type EffectKind string

// The values of EffectKind.
const (
	EffectKindLayout       EffectKind = "layout"
	EffectKindZoom         EffectKind = "zoom"
	EffectKindBlur         EffectKind = "blur"
	EffectKindHighlight    EffectKind = "highlight"
	EffectKindMediaOverlay EffectKind = "media_overlay"
	EffectKindTextOverlay  EffectKind = "text_overlay"
	EffectKindSoundEffect  EffectKind = "sound_effect"
)

// Values lists every EffectKind, as stored and as on the wire.
func (EffectKind) Values() []string {
	return values(
		EffectKindLayout, EffectKindZoom, EffectKindBlur, EffectKindHighlight,
		EffectKindMediaOverlay, EffectKindTextOverlay, EffectKindSoundEffect,
	)
}

// Point is a place in percent of the layer or artboard, from the top left.
type Point struct {
	XPct float64 `json:"xPct"`
	YPct float64 `json:"yPct"`
}

// Extent is a size in percent of the screen layer.
type Extent struct {
	WidthPct  float64 `json:"widthPct"`
	HeightPct float64 `json:"heightPct"`
}

// Size is a size in artboard pixels.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// EffectParams are what an effect is beyond its kind and its time. Exactly one field is set, that
// of the effect's kind: blur and highlight share Mask.
type EffectParams struct {
	Layout  *LayoutParams  `json:"layout,omitempty"`
	Zoom    *ZoomParams    `json:"zoom,omitempty"`
	Mask    *MaskParams    `json:"mask,omitempty"`
	Overlay *OverlayParams `json:"overlay,omitempty"`
	Text    *TextParams    `json:"text,omitempty"`
	Sound   *SoundParams   `json:"sound,omitempty"`
}

// LayoutShape is an arrangement of a clip's layers. Which fields apply depends on the kind and on the
// clip's scene type; those that do not are nil.
type LayoutShape struct {
	Kind      LayoutKind      `json:"kind"`
	Position  *LayoutPosition `json:"position,omitempty"`
	Size      *LayoutSize     `json:"size,omitempty"`
	Shape     *CameraShape    `json:"shape,omitempty"`
	Style     *LayoutStyle    `json:"style,omitempty"`
	ScreenFit *ScreenFit      `json:"screenFit,omitempty"`
	PunchIn   *bool           `json:"punchIn,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler: layouts that were stored when shapes had other names have their own.
func (s *LayoutShape) UnmarshalJSON(b []byte) error {
	type stored LayoutShape

	if err := json.Unmarshal(b, (*stored)(s)); err != nil {
		return fmt.Errorf("read layout: %w", err)
	}

	if s.Shape != nil {
		s.Shape = new(s.Shape.Named())
	}

	return nil
}

// LayoutParams are the shape of a layout and how it comes and goes. Its media, if it is b-roll, is the
// source of the effect.
type LayoutParams struct {
	Shape LayoutShape      `json:"shape"`
	Intro LayoutTransition `json:"intro"` // how it begins
	Outro LayoutTransition `json:"outro"` // how the one behind it begins
}

// ZoomParams are a zoom's scale and, for a manual one, its focus.
type ZoomParams struct {
	Type  ZoomType `json:"type"`
	Scale float64  `json:"scale"` // 1 to 3.5
	Focus *Point   `json:"focus,omitempty"`
}

// MaskParams are the box of a blur or highlight on the uncropped screen source.
type MaskParams struct {
	Point      Point   `json:"point"`
	Dimensions Extent  `json:"dimensions"`
	Intensity  float64 `json:"intensity"` // 0 to 1
}

// OverlayParams are the box of a picture or film, the source of the effect, on the artboard.
type OverlayParams struct {
	Name       string `json:"name"`
	Point      Point  `json:"point"`
	Dimensions Size   `json:"dimensions"`
}

// Transparent is the background of a text that has none.
const Transparent = "transparent"

// MaxTextLetters is how many characters a text over the artboard has at most, code points in NFC. Inputs say so with a
// check tag.
const MaxTextLetters = 5000

// TextParams are a text laid over the artboard.
type TextParams struct {
	TextStyle

	Text       string `json:"text"`
	Point      Point  `json:"point"`
	Dimensions Size   `json:"dimensions"`
}

// TextStyle is how a text looks.
type TextStyle struct {
	Color           Color               `json:"color"`
	Background      string              `json:"background"` // transparent, or a colour as stored
	BackgroundShape TextBackgroundShape `json:"backgroundShape"`
	FontFamily      string              `json:"fontFamily"` // a name of Fonts
	FontSize        float64             `json:"fontSize"`   // artboard pixels
	FontWeight      float64             `json:"fontWeight"` // clamped to the font's axis when drawn
	FontWidth       float64             `json:"fontWidth"`  // percent, clamped when drawn
	TextAlign       TextAlign           `json:"textAlign"`
}

// SoundParams are what is done with a sound, the source of the effect, that is laid under a stretch of a clip.
type SoundParams struct {
	Name   string  `json:"name"`
	Volume float64 `json:"volume"` // 0 mutes, 1 is the original
}
