package effect

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// pointerOf returns the pointer events of a clip in recording time, ascending, or none if there is no mouse data.
func (svc *Service) pointerOf(ctx context.Context, c *ent.Clip) ([]mouse.Event, error) {
	if c.MouseSourceID == nil {
		return nil, nil
	}

	source := c.Edges.MouseSource
	if source == nil {
		var err error
		if source, err = svc.Store.Client(ctx).Source.Get(ctx, *c.MouseSourceID); err != nil {
			return nil, fmt.Errorf("read mouse source: %w", err)
		}
	}

	if source.BlobKey == "" {
		return nil, nil
	}

	object, err := svc.Blobs.Open(ctx, source.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open mouse events: %w", err)
	}
	defer object.Content.Close() //nolint:errcheck // it has been read

	events, err := mouse.Read(object.Content)
	if err != nil {
		return nil, fmt.Errorf("mouse events of %s: %w", source.ID, err)
	}

	for i := range events {
		events[i].TimeMs += c.Offsets.Mouse.Ms
	}

	return mouse.Select(events, mouse.Query{UntilMs: c.RecordingMs}), nil
}

// MouseEvents returns those pointer events of a clip that are not cut. Their times are in the playback time of the
// clip.
func (svc *Service) MouseEvents(ctx context.Context, c *ent.Clip, w model.MouseWindow, clicks bool) ([]*model.MouseEvent, error) {
	if err := input.Validate(&w); err != nil {
		return nil, err
	}

	events, err := svc.pointerOf(ctx, c)
	if err != nil {
		return nil, err
	}

	clock := listing.ClockOf(c)
	played := events[:0]

	for _, e := range events {
		if !clock.Cutout(e.TimeMs) {
			e.TimeMs = clock.Play(e.TimeMs)
			played = append(played, e)
		}
	}

	q := mouse.Query{FromMs: w.StartTimeMs, EveryMs: w.IntervalMs, Clicks: clicks}
	if w.EndTimeMs != nil {
		q.UntilMs = *w.EndTimeMs
	}

	out := []*model.MouseEvent{}
	for _, e := range mouse.Select(played, q) {
		out = append(out, &model.MouseEvent{TimeMs: e.TimeMs, XPct: e.XPct, YPct: e.YPct, Type: values.MouseEventType(e.Type)})
	}

	return out, nil
}
