package graph

import (
	"bytes"
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// pointerOf is what the pointer did during a clip, in recording time, ascending; none without such data.
func (r *Resolver) pointerOf(ctx context.Context, c *ent.Clip) ([]mouse.Event, error) {
	if c.MouseSourceID == nil {
		return nil, nil
	}

	source := c.Edges.MouseSource
	if source == nil {
		var err error
		if source, err = r.Store.Client(ctx).Source.Get(ctx, *c.MouseSourceID); err != nil {
			return nil, fmt.Errorf("read mouse source: %w", err)
		}
	}

	if source.BlobKey == "" {
		return nil, nil
	}

	object, err := r.Blobs.Open(ctx, source.BlobKey)
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

// mouseEvents are what is seen of the pointer, in the clip's playback time.
func (r *Resolver) mouseEvents(ctx context.Context, c *ent.Clip, w model.MouseWindow, clicks bool) ([]*model.MouseEvent, error) {
	if err := input.Validate(&w); err != nil {
		return nil, err
	}

	events, err := r.pointerOf(ctx, c)
	if err != nil {
		return nil, err
	}

	clock := clockOf(c)
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

// putPointer stores events in the form in which they are uploaded.
func (r *Resolver) putPointer(ctx context.Context, events []mouse.Event) (file, error) {
	lines, err := mouse.Lines(events)
	if err != nil {
		return file{}, err
	}

	return r.putFile(ctx, ".jsonl", bytes.NewReader(lines))
}

// storePointer makes a ready source of events that were put into a file, so that all pointer data is found in one
// place.
func (r *Resolver) storePointer(ctx context.Context, userID string, put file, events []mouse.Event) (*ent.Source, error) {
	made, err := r.sourceOf(ctx, put).SetUserID(userID).SetKind(values.SourceKindMouse).
		SetContentType("application/jsonl").SetDurationMs(events[len(events)-1].TimeMs).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create mouse source: %w", err)
	}

	return made, nil
}
