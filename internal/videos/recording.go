package videos

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Taken holds the sources for a new clip, and when each one began.
type Taken struct {
	multitrack.Tracks

	offsets values.Offsets
	events  []mouse.Event // given inline, instead of the mouse source
	file    upload.File   // the file of the events, if there are any
	// whenReady also accepts sources that are still being uploaded.
	whenReady bool
}

// FindSources finds the sources that the new clip needs. It returns not_found if the caller may not know of one of
// them. Call it before checking the caller's rights and the state of the sources. The returned function refuse
// returns forbidden if the caller may not use one of the sources.
func (svc *Service) FindSources(ctx context.Context, in model.RecordingInput) (refuse access.Permit, err error) {
	type named struct {
		id   *string
		path string
	}

	var found []func() error

	for _, s := range []named{
		{&in.SourceID, "sourceId"},
		{in.CameraSourceID.Value(), "cameraSourceId"},
		{in.MicrophoneSourceID.Value(), "microphoneSourceId"},
		{in.MouseSourceID.Value(), "mouseSourceId"},
	} {
		if s.id == nil {
			continue
		}

		known, err := svc.Listing.Rights().KnownSource(ctx, *s.id, "source at "+s.path)
		if err != nil {
			return nil, err
		}

		found = append(found, func() error { return svc.Listing.Rights().RefuseUse(ctx, known, "source at "+s.path) })
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

// TakeSources reads the sources that a new clip needs. It reports the first error in the order of the input's fields.
func (svc *Service) TakeSources(ctx context.Context, in model.RecordingInput) (Taken, error) {
	t := Taken{offsets: in.Offsets()}
	if when := in.WhenReady.Value(); when != nil {
		t.whenReady = *when
	}

	main, err := svc.trackSource(ctx, t, in.SourceID, values.SourceKindVideo, "sourceId")
	if err != nil {
		return t, err
	}

	t.Screen = main

	if id := in.CameraSourceID.Value(); id != nil {
		if t.Camera, err = svc.trackSource(ctx, t, *id, values.SourceKindVideo, "cameraSourceId"); err != nil {
			return t, err
		}
	} else if main.Role != nil && *main.Role == values.SourceRoleCamera {
		t.Screen, t.Camera = nil, main
	}

	if id := in.MicrophoneSourceID.Value(); id != nil {
		if t.Microphone, err = svc.trackSource(ctx, t, *id, values.SourceKindAudio, "microphoneSourceId"); err != nil {
			return t, err
		}
	}

	err = svc.takePointer(ctx, in, &t)

	return t, err
}

// trackSource returns a source that a new clip may be made of.
func (svc *Service) trackSource(ctx context.Context, t Taken, id string, kind values.SourceKind, path string) (*ent.Source, error) {
	if !t.whenReady {
		return svc.Upload.ReadySource(ctx, id, kind, path)
	}

	found, err := svc.Listing.Rights().UsableSource(ctx, id, "source at "+path)
	if err != nil {
		return nil, err
	}

	if err := upload.OfKind(found, kind, path); err != nil || found.Status != values.SourceStatusFailed {
		return found, err
	}

	return found, upload.UsableState(found, path)
}

// takePointer reads the pointer events. It refuses them without a screen recording.
func (svc *Service) takePointer(ctx context.Context, in model.RecordingInput, t *Taken) (err error) {
	id, events := in.MouseSourceID.Value(), in.MouseEvents.Value()

	switch {
	case id == nil && len(events) == 0:
		return nil
	case id != nil && t.Screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseSourceId", Rule: "needs a screen recording"}})
	case t.Screen == nil:
		return fault.Invalid([]fault.Field{{Path: "mouseEvents", Rule: "needs a screen recording"}})
	case id != nil:
		t.Mouse, err = svc.trackSource(ctx, *t, *id, values.SourceKindMouse, "mouseSourceId")

		return err
	}

	for _, e := range events {
		t.events = append(t.events, mouse.Event{TimeMs: e.TimeMs, XPct: e.XPct, YPct: e.YPct, Type: string(e.Type)})
	}

	t.file, err = svc.Upload.PutPointer(ctx, t.events)

	return err
}

// Keep prepares the sources of a new clip. Call it in the transaction that creates the clip. If the request contained
// pointer events, Keep stores them as a source. If some sources are still being uploaded, Keep locks all sources and
// checks their state again.
func (t *Taken) Keep(ctx context.Context, r *Service, userID string) (err error) {
	if len(t.events) > 0 {
		if t.Mouse, err = r.Upload.StorePointer(ctx, userID, t.file, t.events); err != nil {
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

		// A source that becomes ready settles the clips that it finds. It finds this clip only after the clip is
		// committed.
		id := (*track).ID

		*track, err = r.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForShare().Only(ctx)

		switch {
		case ent.IsNotFound(err):
			return fault.NotFound("source " + id)
		case err != nil:
			return fmt.Errorf("read source: %w", err)
		case (*track).Status == values.SourceStatusFailed:
			return fault.Conflict("The source " + id + " has just failed: " + (*track).ErrorMessage)
		}
	}

	return nil
}

// Clip returns the values of the new clip that depend on its tracks. While tracks are still being uploaded, the clip
// has no length.
func (t *Taken) Clip() NewClip {
	c := NewClip{Tracks: t.Tracks, offsets: t.offsets}
	if t.Arriving() {
		return c
	}

	c.offsets = t.Align(t.offsets)
	c.lengthMs = t.LengthMs(c.offsets)

	return c
}

// NewClip holds the tracks of a new clip, their offsets, and the clip's length.
type NewClip struct {
	multitrack.Tracks

	offsets  values.Offsets
	lengthMs int64
}

// IDOf returns a pointer to the id of a source, or nil for a nil source.
func IDOf(s *ent.Source) *string {
	if s == nil {
		return nil
	}

	return &s.ID
}

// ClipSources returns the sources that a clip was made from: screen, camera, microphone, pointer. Everyone who may
// read the clip may see them.
func (svc *Service) ClipSources(ctx context.Context, c *ent.Clip) ([]*ent.Source, error) {
	t, err := svc.Listing.TracksOf(ctx, c)

	return t.All(), err
}
