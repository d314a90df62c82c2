package values

import "cmp"

// Background is what stands behind a clip's layers, as stored. Only the fields of its type are set.
type Background struct {
	Type           BackgroundType `json:"type"`
	Color          Color          `json:"color,omitempty"`
	GradientAngle  int            `json:"gradientAngle,omitempty"` // degrees
	GradientColor1 Color          `json:"gradientColor1,omitempty"`
	GradientColor2 Color          `json:"gradientColor2,omitempty"`
	SourceID       string         `json:"sourceId,omitempty"`  // an uploaded picture or loop
	CatalogID      string         `json:"catalogId,omitempty"` // or one of the defaults
	// VideoDurationMs is the loop's length; zero when the type is not video.
	VideoDurationMs int64 `json:"videoDurationMs,omitempty"`
}

// Source names what the background shows: a source or a default of the catalogue; empty for colours.
func (b Background) Source() string { return cmp.Or(b.SourceID, b.CatalogID) }

// DefaultBackground is that of a new clip.
func DefaultBackground() Background {
	return Background{Type: BackgroundTypeSolid, Color: "#000000FF"}
}

// CropBox is the part of the screen source that is shown, in percent of the uncropped source.
type CropBox struct {
	XPct      float64 `json:"xPct"`
	YPct      float64 `json:"yPct"`
	WidthPct  float64 `json:"widthPct"`
	HeightPct float64 `json:"heightPct"`
}
