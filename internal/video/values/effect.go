package values

import (
	"encoding/json"
	"fmt"
)

// EffectKind is the kind of an effect. Batch results use the same values as their type.
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

// Values returns every EffectKind as it is stored and sent.
func (EffectKind) Values() []string {
	return values(
		EffectKindLayout, EffectKindZoom, EffectKindBlur, EffectKindHighlight,
		EffectKindMediaOverlay, EffectKindTextOverlay, EffectKindSoundEffect,
	)
}

// Point is a position in percent of the layer or artboard, from the top left.
type Point struct {
	XPct float64 `json:"xPct"`
	YPct float64 `json:"yPct"`
}

// Extent is a size in percent of the uncropped screen source.
type Extent struct {
	WidthPct  float64 `json:"widthPct"`
	HeightPct float64 `json:"heightPct"`
}

// Size is a size in artboard pixels.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// EffectParams holds the parameters of an effect. Exactly one field is set; the kind of the effect determines which
// one. Blur and highlight both use Mask.
type EffectParams struct {
	Layout  *LayoutParams  `json:"layout,omitempty"`
	Zoom    *ZoomParams    `json:"zoom,omitempty"`
	Mask    *MaskParams    `json:"mask,omitempty"`
	Overlay *OverlayParams `json:"overlay,omitempty"`
	Text    *TextParams    `json:"text,omitempty"`
	Sound   *SoundParams   `json:"sound,omitempty"`
}

// LayoutShape is an arrangement of the layers of a clip. The kind and the clip's scene type determine which fields
// apply; the other fields are nil.
type LayoutShape struct {
	Kind      LayoutKind      `json:"kind"`
	Position  *LayoutPosition `json:"position,omitempty"`
	Size      *LayoutSize     `json:"size,omitempty"`
	Shape     *CameraShape    `json:"shape,omitempty"`
	Style     *LayoutStyle    `json:"style,omitempty"`
	ScreenFit *ScreenFit      `json:"screenFit,omitempty"`
	PunchIn   *bool           `json:"punchIn,omitempty"`
}

// UnmarshalJSON implements json.Unmarshaler. It also accepts the former names of shapes in stored layouts.
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

// LayoutParams holds the shape and the transitions of a layout. For b-roll, the source of the effect is the media.
type LayoutParams struct {
	Shape LayoutShape      `json:"shape"`
	Intro LayoutTransition `json:"intro"` // how it begins
	Outro LayoutTransition `json:"outro"` // transition into the layout after it
}

// ZoomParams holds the scale of a zoom and, for a manual zoom, its focus.
type ZoomParams struct {
	Type  ZoomType `json:"type"`
	Scale float64  `json:"scale"` // 1 to 3.5
	Focus *Point   `json:"focus,omitempty"`
}

// MaskParams holds the box of a blur or highlight on the uncropped screen source.
type MaskParams struct {
	Point      Point   `json:"point"`
	Dimensions Extent  `json:"dimensions"`
	Intensity  float64 `json:"intensity"` // 0 to 1
}

// OverlayParams holds the box of an image or video overlay on the artboard. The source of the effect is the image or
// video.
type OverlayParams struct {
	Name       string `json:"name"`
	Point      Point  `json:"point"`
	Dimensions Size   `json:"dimensions"`
}

// Transparent is the value for a text without a background.
const Transparent = "transparent"

// MaxTextLetters is the maximum number of characters of a text overlay, counted as code points in NFC. The check tags
// of inputs repeat this number.
const MaxTextLetters = 5000

// TextParams holds a text overlay on the artboard.
type TextParams struct {
	TextStyle

	Text       string `json:"text"`
	Point      Point  `json:"point"`
	Dimensions Size   `json:"dimensions"`
}

// TextStyle is the appearance of a text.
type TextStyle struct {
	Color           Color               `json:"color"`
	Background      string              `json:"background"` // transparent, or a color as stored
	BackgroundShape TextBackgroundShape `json:"backgroundShape"`
	FontFamily      string              `json:"fontFamily"` // a name of Fonts
	FontSize        float64             `json:"fontSize"`   // artboard pixels
	FontWeight      float64             `json:"fontWeight"` // clamped to the font's axis when drawn
	FontWidth       float64             `json:"fontWidth"`  // percent, clamped when drawn
	TextAlign       TextAlign           `json:"textAlign"`
}

// SoundParams holds the settings of a sound effect. The source of the effect is the sound.
type SoundParams struct {
	Name   string  `json:"name"`
	Volume float64 `json:"volume"` // 0 mutes, 1 is the original
}
