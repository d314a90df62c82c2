package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/heard"
	"github.com/reelgraph/reelgraph/internal/pointer"
)

// taken are the sources a new clip is made of.
type taken struct {
	screen, camera, mouse *ent.Source
	events                []pointer.Event // given inline, in place of mouse
	file                  file            // of the events, if there are any
}

// newClip is what a clip is made of.
type newClip struct {
	screen, camera, mouse *string
	lengthMs              int64
	microphone, system    bool
	heard                 *ent.Source // whose sound is listened to for speech; nil without sound
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
		{&in.SourceID, "sourceId"}, {in.CameraSourceID.Value(), "cameraSourceId"}, {in.MouseSourceID.Value(), "mouseSourceId"},
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
	var t taken

	main, err := r.readySource(ctx, in.SourceID, domain.SourceKindVideo, "sourceId")
	if err != nil {
		return t, err
	}

	t.screen = main

	if id := in.CameraSourceID.Value(); id != nil {
		if t.camera, err = r.readySource(ctx, *id, domain.SourceKindVideo, "cameraSourceId"); err != nil {
			return t, err
		}
	} else if main.Role != nil && *main.Role == domain.SourceRoleCamera {
		t.screen, t.camera = nil, main
	}

	err = r.takePointer(ctx, in, &t)

	return t, err
}

// takePointer reads what the pointer did, which only a screen recording can show.
func (r *Resolver) takePointer(ctx context.Context, in model.RecordingInput, t *taken) (err error) {
	id, events := in.MouseSourceID.Value(), in.MouseEvents.Value()

	switch {
	case id == nil && len(events) == 0:
		return nil
	case id != nil && t.screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseSourceId", Rule: "needs a screen recording"}})
	case t.screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseEvents", Rule: "needs a screen recording"}})
	case id != nil:
		t.mouse, err = r.readySource(ctx, *id, domain.SourceKindMouse, "mouseSourceId")

		return err
	}

	for _, e := range events {
		t.events = append(t.events, pointer.Event{TimeMs: e.TimeMs, XPct: e.XPct, YPct: e.YPct, Type: string(e.Type)})
	}

	t.file, err = r.putPointer(ctx, t.events)

	return err
}

// keep makes a source of its own of the events that were given inline, in the transaction of the
// clip that is made of it.
func (t *taken) keep(ctx context.Context, r *Resolver, userID string) (err error) {
	if len(t.events) > 0 {
		t.mouse, err = r.storePointer(ctx, userID, t.file, t.events)
	}

	return err
}

func (t *taken) main() *ent.Source {
	if t.screen != nil {
		return t.screen
	}

	return t.camera
}

// clip is what the sources make of a clip.
func (t *taken) clip() newClip {
	c := newClip{
		screen: idOf(t.screen), camera: idOf(t.camera), mouse: idOf(t.mouse), heard: heard.Source(t.screen, t.camera),
	}

	for _, s := range []*ent.Source{t.screen, t.camera} {
		if s == nil {
			continue
		}

		c.lengthMs = max(c.lengthMs, s.DurationMs)

		if s.HasAudio {
			microphone := s.Audio != nil && *s.Audio == domain.SourceAudioMicrophone
			c.microphone = c.microphone || microphone
			c.system = c.system || !microphone
		}
	}

	return c
}

func idOf(s *ent.Source) *string {
	if s == nil {
		return nil
	}

	return &s.ID
}

// clipSources are what a clip was made of: screen, camera, pointer. Whoever reads the clip may know of them.
func (r *Resolver) clipSources(ctx context.Context, c *ent.Clip) ([]*ent.Source, error) {
	loaded := map[string]*ent.Source{}

	for _, s := range []*ent.Source{c.Edges.ScreenSource, c.Edges.CameraSource, c.Edges.MouseSource} {
		if s != nil {
			loaded[s.ID] = s
		}
	}

	named := recordedOf(c)

	if missing := slices.DeleteFunc(slices.Clone(named), func(id string) bool { return loaded[id] != nil }); len(missing) > 0 {
		q := r.Store.Client(ctx).Source.Query().Where(source.IDIn(missing...))
		if who, asked := auth.From(ctx); asked {
			q.Modify(tellUsable(who))
		}

		rows, err := q.All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read sources of clip: %w", err)
		}

		for _, s := range rows {
			loaded[s.ID] = s
		}
	}

	all := make([]*ent.Source, 0, len(named))
	for _, id := range named {
		all = append(all, loaded[id])
	}

	return all, nil
}
