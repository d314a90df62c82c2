package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// Effect is one edit laid on a clip: any of the types below.
type Effect interface {
	IsEffect()
	placed() *Placed
}

// Placed is what every effect has: an identifier, and when it is seen in playback time.
type Placed struct {
	ID          string `json:"id"`
	StartTimeMs int64  `json:"startTimeMs"`
	DurationMs  int64  `json:"durationMs"`

	ClipID string            `json:"-"`
	Kind   values.EffectKind `json:"-"`
	Place  EffectPlace       `json:"-"`
}

// EffectPlace is where an effect stands among those of its clip: by when it begins in recording time,
// and then in the order of creation.
type EffectPlace struct{ StartMs, Z int64 }

// IsEffect marks the members of the union.
func (*Placed) IsEffect() {}

func (p *Placed) placed() *Placed { return p }

// PlacedOf is what an effect has as every effect.
func PlacedOf(e Effect) *Placed { return e.placed() }

// Layout is an arrangement of the clip's layers for a while, or, as the base, wherever no other is.
type Layout struct {
	Placed

	Base            bool                     `json:"base"`
	Layout          *values.LayoutShape      `json:"layout"`
	Media           *ClipMedia               `json:"media,omitempty"`
	TransitionStyle *values.LayoutTransition `json:"transitionStyle,omitempty"`
}

// ClipMedia is the picture or film of a b-roll layout.
type ClipMedia struct {
	Type     values.MediaType `json:"type"`
	SourceID string           `json:"sourceId"`
	URL      *string          `json:"url,omitempty"`
	Width    int              `json:"width"`
	Height   int              `json:"height"`
}

// Zoom enlarges a part of the screen.
type Zoom struct {
	Placed

	Type       values.ZoomType `json:"type"`
	Scale      float64         `json:"scale"`
	FocusPoint *values.Point   `json:"focusPoint,omitempty"`
}

// Mask hides or brings out a part of the screen.
type Mask struct {
	Placed

	Type       values.MaskType `json:"type"`
	Point      values.Point    `json:"point"`
	Dimensions values.Extent   `json:"dimensions"`
	Intensity  float64         `json:"intensity"`
}

// MediaOverlay is a picture or film laid over the artboard.
type MediaOverlay struct {
	Placed

	Type       values.MediaType `json:"type"`
	SourceID   string           `json:"sourceId"`
	URL        *string          `json:"url,omitempty"`
	Name       string           `json:"name"`
	Point      values.Point     `json:"point"`
	Dimensions values.Size      `json:"dimensions"`
}

// TextOverlay is a text laid over the artboard.
type TextOverlay struct {
	Placed

	values.TextStyle

	Text       string       `json:"text"`
	Point      values.Point `json:"point"`
	Dimensions values.Size  `json:"dimensions"`
}

// SoundEffect is a sound laid under a stretch of a clip.
type SoundEffect struct {
	Placed

	SourceID string  `json:"sourceId"`
	Name     string  `json:"name"`
	Volume   float64 `json:"volume"`
}

// TextPreset is a look for texts.
type TextPreset struct {
	PresetID string           `json:"presetId"`
	Name     string           `json:"name"`
	Style    values.TextStyle `json:"style"`
}
