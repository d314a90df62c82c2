package values

import "cmp"

// Background is the background behind a clip's layers, as stored. Only the fields of its type are set.
type Background struct {
	Type           BackgroundType `json:"type"`
	Color          Color          `json:"color,omitempty"`
	GradientAngle  int            `json:"gradientAngle,omitempty"` // degrees
	GradientColor1 Color          `json:"gradientColor1,omitempty"`
	GradientColor2 Color          `json:"gradientColor2,omitempty"`
	SourceID       string         `json:"sourceId,omitempty"`  // an uploaded picture or video
	CatalogID      string         `json:"catalogId,omitempty"` // or a default of the catalogue
	// VideoDurationMs is the loop's length; zero when the type is not video.
	VideoDurationMs int64 `json:"videoDurationMs,omitempty"`
}

// Source returns the id of the background's source or catalog item. It is empty for colors.
func (b Background) Source() string { return cmp.Or(b.SourceID, b.CatalogID) }

// DefaultBackground returns the background of a new clip.
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
