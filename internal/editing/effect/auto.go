package effect

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/autoedit"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// redo replaces all effects of one kind on a clip. It reads the pointer data first: the data never changes, and its
// file must not be read while the video is locked.
func (svc *Service) redo(ctx context.Context, videoID, clipID string, kind values.EffectKind,
	change func(ctx context.Context, d *Desk, s *Strip, events []mouse.Event) error,
) (*Strip, *Desk, error) {
	if _, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id")); err != nil {
		return nil, nil, err
	}

	c, err := svc.Listing.ClipOf(ctx, videoID, clipID)
	if err != nil {
		return nil, nil, err
	}

	events, err := svc.pointerOf(ctx, c)
	if err != nil {
		return nil, nil, err
	}

	d, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*Desk, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		d, err := svc.layOut(ctx, v, []Edit{{clipID: clipID, kind: kind, all: true}})
		if err != nil {
			return nil, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		if err := listing.RefuseArriving(d.Strips[clipID].Clip); err != nil {
			return nil, err
		}

		if err := change(ctx, d, d.Strips[clipID], events); err != nil {
			return nil, err
		}

		return d, svc.putAway(ctx, d)
	})
	if err != nil {
		return nil, nil, err
	}

	s := d.Strips[clipID]
	s.Edges.Video, s.Edges.Effects = d.Video, nil

	return s, d, nil
}

// replace replaces the existing effects with new ones. An effect that is equal to a new one is kept, so that
// repeating the same choice changes nothing.
func (s *Strip) replace(d *Desk, wanted []*ent.Effect) {
	was := s.Effects
	s.Effects = nil

	for _, w := range wanted {
		if i := slices.IndexFunc(was, func(e *ent.Effect) bool {
			return listing.SpanOf(e) == listing.SpanOf(w) && optional.Deref(e.SourceID) == optional.Deref(w.SourceID) &&
				reflect.DeepEqual(e.Params, w.Params)
		}); i >= 0 {
			s.Effects = append(s.Effects, was[i])

			continue
		}

		s.top++
		w.ID, w.CreatedAt, w.ClipID, w.Z = ids.New(ids.Effect), d.now, s.ID, s.top
		s.Effects = append(s.Effects, w)
	}
}

// shown returns the visible effects of a clip, sorted by start.
func (svc *Service) shown(s *Strip) []effects.Effect {
	rows := slices.SortedStableFunc(slices.Values(s.Effects), func(a, b *ent.Effect) int { return int(a.StartMs - b.StartMs) })
	rows = slices.DeleteFunc(rows, func(e *ent.Effect) bool {
		_, visible := s.clock.ToPlayback(listing.SpanOf(e))

		return !visible
	})

	return svc.Listing.Effects().EffectsOf(s.Clip, rows)
}

// AutoZooms adds a tracking zoom around each cluster of clicks.
func (svc *Service) AutoZooms(ctx context.Context, videoID, clipID string, in model.AutoZoomsInput) (*model.AutoZoomsPayload, error) {
	s, d, err := svc.redo(ctx, videoID, clipID, values.EffectKindZoom, func(
		_ context.Context, d *Desk, s *Strip, events []mouse.Event,
	) error {
		if s.MouseSourceID == nil {
			return fault.Invalid([]fault.Field{{Path: "clipId", Rule: "must name a clip with mouse data"}})
		}

		clicks, _ := played(s.clock, events)
		windows := make([]values.Span, 0, len(clicks))

		for _, w := range autoedit.Zooms(s.clock.DurationMs(), clicks, autoedit.HoldMs(in.Intensity)) {
			at, err := s.clock.ToRecording(w)
			if err != nil {
				return fmt.Errorf("store a zoom: %w", err)
			}

			windows = append(windows, at)
		}

		var wanted []*ent.Effect

		if !in.ReplaceExisting {
			wanted = slices.Clone(s.Effects)
			windows = autoedit.Fill(windows, spansOf(s.Effects))
		}

		for _, at := range windows {
			wanted = append(wanted, &ent.Effect{
				Kind: values.EffectKindZoom, StartMs: at.StartMs, EndMs: at.EndMs,
				Params: values.EffectParams{Zoom: &values.ZoomParams{Type: values.ZoomTypeTrackingZoom, Scale: in.Scale}},
			})
		}

		s.replace(d, wanted)

		return nil
	})
	if err != nil {
		return nil, err
	}

	out := &model.AutoZoomsPayload{Zooms: []*effects.Zoom{}, Clip: s.Clip, Video: d.Video}
	for _, e := range svc.shown(s) {
		out.Zooms = append(out.Zooms, e.(*effects.Zoom)) //nolint:forcetypeassert // the strip has one kind
	}

	return out, nil
}

func spansOf(rows []*ent.Effect) []values.Span {
	spans := make([]values.Span, len(rows))
	for i, row := range rows {
		spans[i] = listing.SpanOf(row)
	}

	return spans
}

// played returns the playback times of clicks and of all pointer events.
func played(clock timeline.Clock, events []mouse.Event) (clicks, moves []int64) {
	for _, e := range events {
		if clock.Cutout(e.TimeMs) {
			continue
		}

		at := clock.Play(e.TimeMs)
		moves = append(moves, at)

		if e.Type == mouse.Click {
			clicks = append(clicks, at)
		}
	}

	return clicks, moves
}

// AutoLayouts chooses the layouts of a clip.
func (svc *Service) AutoLayouts(ctx context.Context, videoID, clipID string, in model.AutoLayoutsInput) (*model.AutoLayoutsPayload, error) {
	loud, err := svc.loudParts(ctx, videoID, clipID)
	if err != nil {
		return nil, err
	}

	var choice autoedit.Choice

	s, d, err := svc.redo(ctx, videoID, clipID, values.EffectKindLayout, func(
		ctx context.Context, d *Desk, s *Strip, events []mouse.Event,
	) error {
		footage, err := svc.footage(ctx, d, s, events, loud)
		if err != nil {
			return err
		}

		choice = autoedit.Layouts(footage, autoedit.Asked{Style: in.Style, Instructions: optional.Deref(in.Instructions)})

		if d.Habits, err = svc.habits(ctx); err != nil {
			return err
		}

		return s.direct(d, choice)
	})
	if err != nil {
		return nil, err
	}

	out := &model.AutoLayoutsPayload{
		Layouts: []*effects.Layout{listing.BaseLayout(s.Clip)}, EditingStyle: choice.Style, Clip: s.Clip, Video: d.Video,
	}
	for _, e := range svc.shown(s) {
		out.Layouts = append(out.Layouts, e.(*effects.Layout)) //nolint:forcetypeassert // the strip has one kind
	}

	return out, nil
}

const (
	// pauseMs is the shortest silence that ends a stretch of speech.
	pauseMs = 500
	// syllableMs is the length of the parts into which speech without known words is divided.
	syllableMs = 250
)

// loudParts returns when somebody speaks in a clip whose words are not known, in recording time: whenever it is not
// silent. It measures this, which takes a while, before the video is locked.
func (svc *Service) loudParts(ctx context.Context, videoID, clipID string) ([]values.Span, error) {
	v, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	c, err := svc.Listing.ClipOf(ctx, videoID, clipID)
	if err != nil {
		return nil, err
	}

	if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
		return nil, err
	}

	if err := listing.RefuseArriving(c); err != nil {
		return nil, err
	}

	all, err := svc.Listing.Words().WordsOf(ctx, c)
	if err != nil {
		return nil, err
	}

	known := transcripts.Count(all[c.ID]) > 0

	tracks, err := svc.Listing.TracksOf(ctx, c)
	if err != nil {
		return nil, err
	}

	sound := tracks.Speech(c.Offsets)
	if known || sound.Source == nil {
		return nil, nil
	}

	silences, err := svc.Listing.Words().SilencesIn(ctx, c, sound)

	switch {
	case fault.Is(err, fault.NotImplementedCode): // without a media engine the other data decide
		return nil, nil
	case err != nil:
		return nil, err
	}

	silences = slices.DeleteFunc(silences, func(s values.Span) bool { return s.LengthMs() < pauseMs })

	var parts []values.Span

	for _, loud := range (values.Span{EndMs: c.RecordingMs}).Free(silences) {
		for at := loud.StartMs; at < loud.EndMs; at += syllableMs {
			parts = append(parts, values.Span{StartMs: at, EndMs: min(at+syllableMs, loud.EndMs)})
		}
	}

	return parts, nil
}

// footage collects what is known about a clip. Loud parts replace words that are not known.
func (svc *Service) footage(
	ctx context.Context, d *Desk, s *Strip, events []mouse.Event, loud []values.Span,
) (autoedit.Footage, error) {
	f := autoedit.Footage{Scene: listing.SceneType(s.Clip), DurationMs: s.clock.DurationMs(), Wide: d.Video.Width > d.Video.Height}
	f.Clicks, f.Moves = played(s.clock, events)

	all, err := svc.Listing.Words().WordsOf(ctx, s.Clip)
	if err != nil {
		return f, err
	}

	for _, w := range transcripts.All(all[s.ID]) {
		loud = append(loud, values.Span{StartMs: w.StartMs, EndMs: w.EndMs})
	}

	for _, spoken := range loud {
		if said, heard := s.clock.ToPlayback(spoken); heard {
			f.Speech = append(f.Speech, said)
		}
	}

	return f, nil
}

// direct applies the chosen layouts to a clip.
func (s *Strip) direct(d *Desk, choice autoedit.Choice) error {
	scene, on := listing.SceneType(s.Clip), listing.Artboard(d.Video)

	shape, faults := fillShape(choice.Base, scene, on)
	if len(faults) > 0 {
		return fmt.Errorf("the automatic base layout is invalid: %v", faults)
	}

	s.setBase(shape)

	var wanted []*ent.Effect

	for _, cut := range choice.Cuts {
		at, err := s.clock.ToRecording(cut.At)
		if err != nil {
			return fmt.Errorf("store a layout: %w", err)
		}

		shape, faults := fillShape(cut.Shape, scene, on)
		if len(faults) > 0 {
			return fmt.Errorf("an automatic layout is invalid: %v", faults)
		}

		wanted = append(wanted, &ent.Effect{
			Kind: values.EffectKindLayout, StartMs: at.StartMs, EndMs: at.EndMs,
			Params: values.EffectParams{Layout: &values.LayoutParams{Shape: shape, Intro: d.Habits.LayoutIntro, Outro: d.Habits.LayoutOutro}},
		})
	}

	s.replace(d, wanted)

	return nil
}
