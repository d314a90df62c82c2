package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/recorded"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// taken are the sources a new clip is made of, and when they began.
type taken struct {
	recorded.Tracks

	offsets values.Offsets
	events  []mouse.Event // given inline, in place of the mouse source
	file    file          // of the events, if there are any
	// whenReady takes sources whose bytes still arrive.
	whenReady bool
}

// findSources answers not_found unless the caller knows of every source of a new clip. It comes before the caller's rights,
// and those before the state a source is in. What it returns answers forbidden unless the caller may use them all.
func (r *Resolver) findSources(ctx context.Context, in model.RecordingInput) (refuse permit, err error) {
	type named struct {
		id   *string
		path string
	}

	var found []func() error

	for _, s := range []named{
		{&in.SourceID, "sourceId"}, {in.CameraSourceID.Value(), "cameraSourceId"},
		{in.MicrophoneSourceID.Value(), "microphoneSourceId"}, {in.MouseSourceID.Value(), "mouseSourceId"},
	} {
		if s.id == nil {
			continue
		}

		known, err := r.knownSource(ctx, *s.id, "source at "+s.path)
		if err != nil {
			return nil, err
		}

		found = append(found, func() error { return r.refuseUse(ctx, known, "source at "+s.path) })
	}

	return func(auth.Viewer, *ent.Video) error {
		for _, usable := range found {
			if err := usable(); err != nil {
				return err
			}
		}

		return nil
	}, nil
}

// takeSources reads the sources of a new clip, in the order of the request.
func (r *Resolver) takeSources(ctx context.Context, in model.RecordingInput) (taken, error) {
	t := taken{offsets: in.Offsets()}
	if when := in.WhenReady.Value(); when != nil {
		t.whenReady = *when
	}

	main, err := r.trackSource(ctx, t, in.SourceID, values.SourceKindVideo, "sourceId")
	if err != nil {
		return t, err
	}

	t.Screen = main

	if id := in.CameraSourceID.Value(); id != nil {
		if t.Camera, err = r.trackSource(ctx, t, *id, values.SourceKindVideo, "cameraSourceId"); err != nil {
			return t, err
		}
	} else if main.Role != nil && *main.Role == values.SourceRoleCamera {
		t.Screen, t.Camera = nil, main
	}

	if id := in.MicrophoneSourceID.Value(); id != nil {
		if t.Microphone, err = r.trackSource(ctx, t, *id, values.SourceKindAudio, "microphoneSourceId"); err != nil {
			return t, err
		}
	}

	err = r.takePointer(ctx, in, &t)

	return t, err
}

// trackSource is a source that a new clip may be made of.
func (r *Resolver) trackSource(ctx context.Context, t taken, id string, kind values.SourceKind, path string) (*ent.Source, error) {
	if !t.whenReady {
		return r.readySource(ctx, id, kind, path)
	}

	found, err := r.usableSource(ctx, id, "source at "+path)
	if err != nil {
		return nil, err
	}

	if err := ofKind(found, kind, path); err != nil || found.Status != values.SourceStatusFailed {
		return found, err
	}

	return found, usableState(found, path)
}

// takePointer reads what the pointer did, which only a screen recording can show.
func (r *Resolver) takePointer(ctx context.Context, in model.RecordingInput, t *taken) (err error) {
	id, events := in.MouseSourceID.Value(), in.MouseEvents.Value()

	switch {
	case id == nil && len(events) == 0:
		return nil
	case id != nil && t.Screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseSourceId", Rule: "needs a screen recording"}})
	case t.Screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseEvents", Rule: "needs a screen recording"}})
	case id != nil:
		t.Mouse, err = r.trackSource(ctx, *t, *id, values.SourceKindMouse, "mouseSourceId")

		return err
	}

	for _, e := range events {
		t.events = append(t.events, mouse.Event{TimeMs: e.TimeMs, XPct: e.XPct, YPct: e.YPct, Type: string(e.Type)})
	}

	t.file, err = r.putPointer(ctx, t.events)

	return err
}

// keep makes a source of its own of the events that were given inline, and makes sure of the state that the others are in,
// in the transaction of the clip that is made of them.
func (t *taken) keep(ctx context.Context, r *Resolver, userID string) (err error) {
	if len(t.events) > 0 {
		if t.Mouse, err = r.storePointer(ctx, userID, t.file, t.events); err != nil {
			return err
		}
	}

	if !t.Arriving() {
		return nil
	}

	for _, track := range []**ent.Source{&t.Screen, &t.Camera, &t.Microphone, &t.Mouse} {
		if *track == nil {
			continue
		}

		// A source that becomes ready now settles the clips that it finds, and this one among them only once it is there.
		id := (*track).ID

		*track, err = r.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForShare().Only(ctx)

		switch {
		case ent.IsNotFound(err):
			return fault.NotFound("source " + id)
		case err != nil:
			return fmt.Errorf("read source: %w", err)
		case (*track).Status == values.SourceStatusFailed:
			return fault.Conflict("The source " + id + " has failed just now: " + (*track).ErrorMessage)
		}
	}

	return nil
}

// clip are the tracks as parts of a new clip, which has no length yet while some of them arrive.
func (t *taken) clip() newClip {
	c := newClip{Tracks: t.Tracks, offsets: t.offsets}
	if t.Arriving() {
		return c
	}

	c.offsets = t.Align(t.offsets)
	c.lengthMs = t.LengthMs(c.offsets)

	return c
}

// newClip is what a clip is made of.
type newClip struct {
	recorded.Tracks

	offsets  values.Offsets
	lengthMs int64
}

func idOf(s *ent.Source) *string {
	if s == nil {
		return nil
	}

	return &s.ID
}

// clipSources are what a clip was made of: screen, camera, microphone, pointer. Everybody who may read the clip may
// see them.
func (r *Resolver) clipSources(ctx context.Context, c *ent.Clip) ([]*ent.Source, error) {
	t, err := r.tracksOf(ctx, c)

	return t.All(), err
}

// tracksOf are the tracks of a clip, as they were loaded with it or else read now.
func (r *Resolver) tracksOf(ctx context.Context, c *ent.Clip) (recorded.Tracks, error) {
	t := recorded.Of(c)

	var missing []string

	tracks := []struct {
		id     *string
		loaded **ent.Source
	}{
		{c.ScreenSourceID, &t.Screen}, {c.CameraSourceID, &t.Camera}, {c.MicrophoneSourceID, &t.Microphone}, {c.MouseSourceID, &t.Mouse},
	}

	for _, track := range tracks {
		if track.id != nil && *track.loaded == nil {
			missing = append(missing, *track.id)
		}
	}

	if len(missing) == 0 {
		return t, nil
	}

	q := r.Store.Client(ctx).Source.Query().Where(source.IDIn(missing...))
	if who, asked := auth.From(ctx); asked {
		q.Modify(tellUsable(who))
	}

	rows, err := q.All(ctx)
	if err != nil {
		return t, fmt.Errorf("read sources of clip: %w", err)
	}

	for _, row := range rows {
		for _, track := range tracks {
			if track.id != nil && *track.id == row.ID {
				*track.loaded = row
			}
		}
	}

	return t, nil
}
