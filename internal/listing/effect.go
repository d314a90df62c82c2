package listing

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/rights"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SpanOf returns the start and the end of an effect, in recording time.
func SpanOf(e *ent.Effect) values.Span { return values.Span{StartMs: e.StartMs, EndMs: e.EndMs} }

// BaseID returns the id under which a clip's base layout appears as an effect. The base layout is not stored as an
// effect.
func BaseID(clipID string) string {
	return string(ids.Effect) + strings.TrimPrefix(clipID, string(ids.Clip))
}

// IsBase reports whether an id is that of the clip's base layout.
func IsBase(clipID, id string) bool { return id == "base" || id == BaseID(clipID) }

// BaseShape returns the base layout of a clip, which is used whenever no other layout applies.
func BaseShape(c *ent.Clip) *values.LayoutShape {
	if c.BaseLayout != nil {
		return c.BaseLayout
	}

	shape := values.DefaultLayout(SceneType(c))

	return &shape
}

// BaseLayout returns a clip's base layout in the format of the API. The layout is as long as the clip.
func BaseLayout(c *ent.Clip) *effects.Layout {
	return &effects.Layout{
		Placed: effects.Placed{ID: BaseID(c.ID), DurationMs: ClockOf(c).DurationMs(), ClipID: c.ID, Kind: values.EffectKindLayout},
		Base:   true, Layout: BaseShape(c),
	}
}

// EffectOf returns an effect in the format of the API, with playback times and its source.
func (svc Effects) EffectOf(clock timeline.Clock, e *ent.Effect) effects.Effect {
	at, _ := clock.ToPlayback(SpanOf(e))
	placed := effects.Placed{
		ID: e.ID, StartTimeMs: at.StartMs, DurationMs: at.LengthMs(),
		ClipID: e.ClipID, Kind: e.Kind, Place: effects.Place{StartMs: e.StartMs, Z: e.Z},
	}

	kind, _ := effects.Of(e.Kind)

	return kind.Show(placed, effects.Stored{
		Params: e.Params, SourceID: optional.Deref(e.SourceID), Media: func() *effects.ClipMedia { return svc.mediaOf(e) },
	})
}

// mediaOf returns the media that an effect shows, or nil when it shows none. The address is signed only for callers who
// may use the source, as was noted when the source was read with the effect.
func (svc Effects) mediaOf(e *ent.Effect) *effects.ClipMedia {
	s := e.Edges.Source
	if s == nil {
		return nil
	}

	media := &effects.ClipMedia{Type: values.MediaType(s.Kind), SourceID: s.ID, Width: s.Width, Height: s.Height}
	if s.UserID == nil || optional.Deref(s.Extra.Usable) {
		media.URL = new(svc.MediaURL(s.ID))
	}

	return media
}

// ReadableEffect returns an effect as a node if the caller may read the video of the effect.
func (svc Effects) ReadableEffect(ctx context.Context, id string) (model.Node, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	row, err := svc.Store.Client(ctx).Effect.Query().
		Where(effect.ID(id), effect.HasClipWith(clip.HasVideoWith(access.Readable(who)))).WithClip().WithSource(rights.WithUsable(who)).Only(ctx)
	if ent.IsNotFound(err) {
		return svc.readableBase(ctx, id)
	}

	if err != nil {
		return nil, fmt.Errorf("read effect: %w", err)
	}

	return svc.EffectOf(ClockOf(row.Edges.Clip), row), nil
}

// readableBase returns the base layout with the given id.
func (svc Effects) readableBase(ctx context.Context, id string) (model.Node, error) {
	c, err := svc.Rights().ReadableClip(ctx, string(ids.Clip)+strings.TrimPrefix(id, string(ids.Effect)))
	if err != nil {
		return nil, err
	}

	return BaseLayout(c), nil
}
