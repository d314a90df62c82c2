package clip

import (
	"context"
	"net/url"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// takeBackground waits for the source of a new background, outside the transaction. It returns nil when the input names
// no source.
func (s *Service) takeBackground(ctx context.Context, videoID, id string, in model.UpdateClipInput) (*ent.Source, error) {
	b := in.Background.Value()
	if b == nil || b.SourceID == nil {
		return nil, nil //nolint:nilnil // no source is a valid outcome
	}

	kind, path := values.SourceKindImage, "background.sourceId"

	switch b.Type {
	case values.BackgroundTypeImage:
	case values.BackgroundTypeVideo:
		kind = values.SourceKindVideo
	default:
		return nil, fault.Invalid([]fault.Field{{Path: path, Rule: "does not apply to type " + string(b.Type)}})
	}

	// Check whether the caller may do this at all before reporting the state of the source.
	if err := s.foreseeEdit(ctx, videoID, id, *b.SourceID, path); err != nil {
		return nil, err
	}

	return s.Upload.ReadySource(ctx, *b.SourceID, kind, path)
}

// foreseeEdit returns the error that an edit of the clip with this source would return now. It takes no lock.
func (s *Service) foreseeEdit(ctx context.Context, videoID, id, sourceID, path string) error {
	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id", "revision"))
	if err != nil {
		return err
	}

	if _, err := s.Listing.ClipOf(ctx, videoID, id); err != nil {
		return err
	}

	known, err := s.Listing.Rights().KnownSource(ctx, sourceID, "source at "+path)
	if err != nil {
		return err
	}

	return s.Listing.Rights().RefuseEdit(ctx, v, func(auth.Viewer, *ent.Video) error {
		return s.Listing.Rights().RefuseUse(ctx, known, "source at "+path)
	})
}

// applyBackground sets the background unless it equals the one that the API returned.
func (s *Service) applyBackground(
	ctx context.Context, c *ent.Clip, in model.UpdateClipInput, picture *ent.Source, m *ent.ClipMutation,
) error {
	b := in.Background.Value()
	if b == nil || s.echoes(c, b) {
		return nil
	}

	next := values.Background{Type: b.Type}

	switch {
	case b.Type == values.BackgroundTypeSolid:
		next.Color = videos.Colour(*b.Color)
	case b.Type == values.BackgroundTypeGradient:
		next.GradientAngle = *b.GradientAngle
		next.GradientColor1, next.GradientColor2 = videos.Colour(*b.GradientColor1), videos.Colour(*b.GradientColor2)
	case picture != nil:
		if err := s.Listing.Rights().HoldSource(ctx, picture.ID, "source at background.sourceId"); err != nil {
			return err
		}

		next.SourceID = picture.ID
		if b.Type == values.BackgroundTypeVideo {
			next.VideoDurationMs = picture.DurationMs
		}
	case b.Type == values.BackgroundTypeShaderGradient:
		return library.BackgroundFault("type", "must not be shaderGradient: this value can be read but not set")
	default:
		var err error
		if next, err = s.Library.CatalogBackground(ctx, b); err != nil {
			return err
		}
	}

	if next != c.Background {
		m.SetBackground(next)
	}

	return nil
}

// echoes reports whether the input equals the background that the API returned, apart from signatures.
func (s *Service) echoes(c *ent.Clip, b *model.BackgroundInput) bool {
	was := s.Library.Background(c)

	return b.Type == was.Type && b.SourceID == nil &&
		sameColour(b.Color, was.Color) && sameColour(b.GradientColor1, was.GradientColor1) &&
		sameColour(b.GradientColor2, was.GradientColor2) &&
		optional.Same(b.GradientAngle, was.GradientAngle) &&
		sameAddress(b.ImageURL, was.ImageURL) && sameAddress(b.VideoURL, was.VideoURL)
}

func sameColour(a, b *values.Color) bool {
	return a == b || a != nil && b != nil && videos.Colour(*a) == videos.Colour(*b)
}

// sameAddress compares addresses without their signatures.
func sameAddress(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}

	return unsigned(*a) == unsigned(*b)
}

func unsigned(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}

	u.RawQuery = ""

	return u.String()
}

// ShownBackground returns a clip's background in the format of the API. The address of the background's picture or
// film is included only if the caller may use its source.
func (s *Service) ShownBackground(ctx context.Context, c *ent.Clip) (*model.Background, error) {
	may, err := s.Listing.Rights().MayUseBehind(ctx, c)
	if err != nil {
		return nil, err
	}

	out := s.Library.Background(c)
	if !may {
		out.ImageURL, out.VideoURL = nil, nil
	}

	return out, nil
}
