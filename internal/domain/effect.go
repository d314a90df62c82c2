package domain

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

// LayoutParams are a layout's shape. Which fields apply depends on Kind and on the clip's scene type.
type LayoutParams struct {
	Kind          LayoutKind       `json:"kind"`
	Position      string           `json:"position,omitempty"`
	Size          string           `json:"size,omitempty"`
	Shape         string           `json:"shape,omitempty"`
	Style         string           `json:"style,omitempty"`
	ScreenFit     string           `json:"screenFit,omitempty"`
	PunchIn       bool             `json:"punchIn,omitempty"`
	MediaSourceID string           `json:"mediaSourceId,omitempty"`
	Intro         LayoutTransition `json:"intro,omitempty"` // how it begins
	Outro         LayoutTransition `json:"outro,omitempty"` // how the next one begins
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

// OverlayParams are a picture or film laid over the artboard.
type OverlayParams struct {
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Point      Point  `json:"point"`
	Dimensions Size   `json:"dimensions"`
}

// TextParams are a text laid over the artboard.
type TextParams struct {
	Text            string              `json:"text"`
	Point           Point               `json:"point"`
	Dimensions      Size                `json:"dimensions"`
	Color           Color               `json:"color"`
	Background      Color               `json:"background,omitempty"` // empty is transparent
	BackgroundShape TextBackgroundShape `json:"backgroundShape"`
	FontFamily      string              `json:"fontFamily"`
	FontSize        float64             `json:"fontSize"`   // artboard pixels
	FontWeight      float64             `json:"fontWeight"` // clamped to the font's axis when drawn
	FontWidth       float64             `json:"fontWidth"`  // percent, clamped when drawn
	TextAlign       TextAlign           `json:"textAlign"`
}

// SoundParams are a sound laid under a stretch of a clip.
type SoundParams struct {
	SourceID string  `json:"sourceId"`
	Name     string  `json:"name"`
	Volume   float64 `json:"volume"` // 0 mutes, 1 is the original
}
