package graph

import (
	"context"
	"net/url"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// takeBackground waits for the source of a new background, outside the transaction. It is nil when
// the input names none.
func (r *Resolver) takeBackground(ctx context.Context, videoID, id string, in model.UpdateClipInput) (*ent.Source, error) {
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

	// Whether the caller may do this at all is said before what state the source is in.
	if err := r.foreseeEdit(ctx, videoID, id, *b.SourceID, path); err != nil {
		return nil, err
	}

	return r.readySource(ctx, *b.SourceID, kind, path)
}

// foreseeEdit answers as an edit of the clip would that names a source, without a lock.
func (r *Resolver) foreseeEdit(ctx context.Context, videoID, id, sourceID, path string) error {
	v, err := r.readableVideo(ctx, videoID, selection.Fields("id", "revision"))
	if err != nil {
		return err
	}

	if _, err := r.clipOf(ctx, videoID, id); err != nil {
		return err
	}

	known, err := r.knownSource(ctx, sourceID, "source at "+path)
	if err != nil {
		return err
	}

	return r.refuseEdit(ctx, v, func(auth.Viewer, *ent.Video) error { return r.refuseUse(ctx, known, "source at "+path) })
}

// applyBackground sets the background unless it is the one that was answered.
func (r *Resolver) applyBackground(
	ctx context.Context, c *ent.Clip, in model.UpdateClipInput, picture *ent.Source, m *ent.ClipMutation,
) error {
	b := in.Background.Value()
	if b == nil || r.echoes(c, b) {
		return nil
	}

	next := values.Background{Type: b.Type}

	switch {
	case b.Type == values.BackgroundTypeSolid:
		next.Color = colour(*b.Color)
	case b.Type == values.BackgroundTypeGradient:
		next.GradientAngle = *b.GradientAngle
		next.GradientColor1, next.GradientColor2 = colour(*b.GradientColor1), colour(*b.GradientColor2)
	case picture != nil:
		if err := r.holdSource(ctx, picture.ID, "source at background.sourceId"); err != nil {
			return err
		}

		next.SourceID = picture.ID
		if b.Type == values.BackgroundTypeVideo {
			next.VideoDurationMs = picture.DurationMs
		}
	case b.Type == values.BackgroundTypeShaderGradient:
		return backgroundFault("type", "must not be shaderGradient, which is read-only")
	default:
		var err error
		if next, err = r.catalogBackground(ctx, b); err != nil {
			return err
		}
	}

	if next != c.Background {
		m.SetBackground(next)
	}

	return nil
}

func backgroundFault(field, rule string) error {
	return fault.Invalid([]fault.Field{{Path: "background." + field, Rule: rule}})
}

// echoes reports whether the input is the background as it is answered, signatures aside.
func (r *Resolver) echoes(c *ent.Clip, b *model.BackgroundInput) bool {
	was := r.background(c)

	return b.Type == was.Type && b.SourceID == nil &&
		sameColour(b.Color, was.Color) && sameColour(b.GradientColor1, was.GradientColor1) &&
		sameColour(b.GradientColor2, was.GradientColor2) &&
		same(b.GradientAngle, was.GradientAngle) &&
		sameAddress(b.ImageURL, was.ImageURL) && sameAddress(b.VideoURL, was.VideoURL)
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func sameColour(a, b *values.Color) bool {
	return a == b || a != nil && b != nil && colour(*a) == colour(*b)
}

// sameAddress compares addresses without what signs them.
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

// background is a clip's background as it is answered.
func (r *Resolver) background(c *ent.Clip) *model.Background {
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
		address := r.pictureBehind(b)
		out.ImageURL = &address
	case values.BackgroundTypeVideo:
		address, seconds := r.pictureBehind(b), model.Seconds(b.VideoDurationMs)
		out.VideoURL, out.VideoDurationSeconds = &address, &seconds
	}

	return out
}

// shownBackground is a clip's background as it is answered to the caller: where its picture or film is, only those are told
// who may use its source.
func (r *Resolver) shownBackground(ctx context.Context, c *ent.Clip) (*model.Background, error) {
	may, err := r.mayUseBehind(ctx, c)
	if err != nil {
		return nil, err
	}

	out := r.background(c)
	if !may {
		out.ImageURL, out.VideoURL = nil, nil
	}

	return out, nil
}

// pictureBehind is where the picture or loop of a background is.
func (r *Resolver) pictureBehind(b values.Background) string {
	if b.CatalogID != "" {
		return r.Addresses.Catalog(b.CatalogID)
	}

	return r.Addresses.Media(b.SourceID, r.Store.Now().Add(mediaSigned))
}
