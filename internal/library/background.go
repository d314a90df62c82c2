package library

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// BackgroundFault returns a bad_request about a field of a background.
func BackgroundFault(field, rule string) error {
	return fault.Invalid([]fault.Field{{Path: "background." + field, Rule: rule}})
}

// Background returns a clip's background in the format of the API.
func (svc *Service) Background(c *ent.Clip) *model.Background {
	b := c.Background
	out := &model.Background{Type: b.Type}

	switch b.Type {
	case values.BackgroundTypeSolid:
		out.Color = &b.Color
	case values.BackgroundTypeGradient:
		out.GradientAngle, out.GradientColor1, out.GradientColor2 = &b.GradientAngle, &b.GradientColor1, &b.GradientColor2
	case values.BackgroundTypeShaderGradient:
		out.GradientColor1, out.GradientColor2 = &b.GradientColor1, &b.GradientColor2
	case values.BackgroundTypeImage:
		address := svc.pictureBehind(b)
		out.ImageURL = &address
	case values.BackgroundTypeVideo:
		address, seconds := svc.pictureBehind(b), model.Seconds(b.VideoDurationMs)
		out.VideoURL, out.VideoDurationSeconds = &address, &seconds
	}

	return out
}

// pictureBehind returns the address of a background's picture or loop.
func (svc *Service) pictureBehind(b values.Background) string {
	if b.CatalogID != "" {
		return svc.Addresses.Catalog(b.CatalogID)
	}

	return svc.Listing.MediaURL(b.SourceID)
}
