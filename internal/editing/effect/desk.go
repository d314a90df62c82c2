package effect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/rights"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Desk holds a video in memory while edits are applied to its effects. It contains only the clips that the edits
// name. For each clip, it contains only the effects of the kinds that the edits add, change or remove.
type Desk struct {
	Video   *ent.Video
	Strips  map[string]*Strip // by clip id
	Sources map[string]*ent.Source
	presets map[string]*library.Preset
	Habits  *ent.User // the user whose preferred layout transitions apply
	now     time.Time
}

// Strip is a clip that is being edited in a Desk.
type Strip struct {
	*ent.Clip

	clock   timeline.Clock
	Effects []*ent.Effect
	was     map[string]ent.Effect
	Base    *values.LayoutShape // nil means the default of the scene type
	top     int64               // the highest z
}

// layOut reads everything that the edits refer to. It returns not_found for the first edit that refers to something
// unknown.
func (svc *Service) layOut(ctx context.Context, v *ent.Video, edits []Edit) (*Desk, error) {
	d := &Desk{Video: v, Strips: map[string]*Strip{}, now: svc.Store.Now()}
	named := map[string]bool{}

	for _, e := range edits {
		if !ids.Is(ids.Clip, e.clipID) {
			return nil, e.missingClip()
		}

		named[e.clipID] = true
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	clips, err := svc.Store.Client(ctx).Clip.Query().
		Where(clip.VideoID(v.ID), clip.IDIn(slices.Collect(maps.Keys(named))...)).
		WithEffects(func(q *ent.EffectQuery) {
			q.Where(listing.OfKinds(concerned(edits))).WithSource(rights.WithUsable(who))
		}).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	for _, c := range clips {
		d.Strips[c.ID] = StripOf(c)
	}

	for _, e := range edits {
		c, there := d.Strips[e.clipID]
		if !there {
			return nil, e.missingClip()
		}

		if e.add == nil && !e.all && !c.has(e) {
			return nil, e.missingEffect()
		}
	}

	if err := svc.readPresets(ctx, d, edits); err != nil {
		return nil, err
	}

	return d, svc.readTops(ctx, d)
}

// concerned returns the kinds that the edits are about; nil means all.
func concerned(edits []Edit) []values.EffectKind {
	kinds := map[values.EffectKind]bool{}

	for _, e := range edits {
		if e.kind == "" {
			return nil
		}

		kinds[e.kind] = true
	}

	return slices.Collect(maps.Keys(kinds))
}

// StripOf returns a Strip for a clip. The clip must have been loaded together with its effects.
func StripOf(c *ent.Clip) *Strip {
	s := &Strip{Clip: c, clock: listing.ClockOf(c), Effects: c.Edges.Effects, Base: c.BaseLayout, was: map[string]ent.Effect{}}
	for _, e := range s.Effects {
		s.was[e.ID] = *e
	}

	return s
}

// readTops reads the highest z of each clip over all kinds.
func (svc *Service) readTops(ctx context.Context, d *Desk) error {
	var tops []struct {
		ClipID string `json:"clip_id"`
		Max    int64  `json:"max"`
	}

	err := svc.Store.Client(ctx).Effect.Query().Where(effect.ClipIDIn(slices.Collect(maps.Keys(d.Strips))...)).
		GroupBy(effect.FieldClipID).Aggregate(ent.As(ent.Max(effect.FieldZ), "max")).Scan(ctx, &tops)
	if err != nil {
		return fmt.Errorf("read effects: %w", err)
	}

	for _, t := range tops {
		d.Strips[t.ClipID].top = t.Max
	}

	return nil
}

// has reports whether the effect that the edit changes or removes exists.
func (s *Strip) has(e Edit) bool {
	return s.find(e) != nil || listing.IsBase(s.ID, e.id) && (e.kind == "" || e.kind == values.EffectKindLayout)
}

// find returns the effect that the edit changes or removes. It returns nil when no effect of that kind has the id.
func (s *Strip) find(e Edit) *ent.Effect {
	i := slices.IndexFunc(s.Effects, func(row *ent.Effect) bool {
		return row.ID == e.id && (e.kind == "" || row.Kind == e.kind)
	})
	if i < 0 {
		return nil
	}

	return s.Effects[i]
}

// Result identifies the effect that an edit added, changed or removed.
type Result struct {
	id   string
	kind values.EffectKind
}

// Apply applies an edit to the video in memory. The edit is validated after all earlier edits have been applied.
func (d *Desk) Apply(e Edit) (Result, error) {
	s := d.Strips[e.clipID]
	base := Result{listing.BaseID(s.ID), values.EffectKindLayout}

	if k, _ := effects.Of(e.kind); k.OnScreen && s.ScreenSourceID == nil {
		return base, e.Invalid(fault.Field{Path: "clipId", Rule: "must name a clip with a screen recording"})
	}

	switch {
	case e.add != nil && e.add.Layout != nil && e.add.Layout.StartTimeMs == nil:
		return base, d.shapeBase(s, e, e.add.Layout.Layout)
	case e.add != nil:
		return d.add(s, e)
	case !s.has(e): // an earlier edit has removed it
		return base, e.missingEffect()
	case listing.IsBase(s.ID, e.id) && e.update != nil:
		return base, d.changeBase(s, e)
	case listing.IsBase(s.ID, e.id):
		s.Base = nil

		return base, nil
	}

	row := s.find(e)
	about := Result{row.ID, row.Kind}

	if e.update != nil {
		return about, d.change(s, e, row)
	}

	s.Effects = slices.DeleteFunc(s.Effects, func(other *ent.Effect) bool { return other == row })

	return about, nil
}

// add adds a new effect to a clip.
func (d *Desk) add(s *Strip, e Edit) (Result, error) {
	params, source, faults := makers[e.kind].begin(d, s, e.add)

	start, length := e.add.Times()

	at, err := s.clock.ToRecording(values.SpanOf(*start, *length))
	if faults = append(faults, timeFaults(s, err)...); len(faults) > 0 {
		return Result{}, e.Invalid(faults...)
	}

	s.top++
	row := &ent.Effect{
		ID: ids.New(ids.Effect), CreatedAt: d.now, ClipID: s.ID, Kind: e.kind,
		StartMs: at.StartMs, EndMs: at.EndMs, Z: s.top, Params: params, SourceID: videos.IDOf(source),
	}
	row.Edges.Source = source

	if faults := s.crowded(row); faults != nil {
		return Result{}, e.Invalid(faults...)
	}

	s.claim(row)
	s.Effects = append(s.Effects, row)

	return Result{row.ID, row.Kind}, nil
}

// change changes the fields of an effect that the edit gives.
func (d *Desk) change(s *Strip, e Edit, row *ent.Effect) error {
	next := *row

	faults := makers[e.kind].alter(d, s, e.update, &next)

	if start, length := e.update.Times(); start != nil || length != nil {
		at, err := s.clock.Move(listing.SpanOf(row), start, length)
		faults = append(faults, timeFaults(s, err)...)
		next.StartMs, next.EndMs = at.StartMs, at.EndMs
		faults = append(faults, s.crowded(&next)...)
	}

	if len(faults) > 0 {
		return e.Invalid(faults...)
	}

	s.claim(&next)
	*row = next

	return nil
}

// crowded returns a fault if, at any time during the effect, more effects of its kind overlap than an export can
// show or play.
func (s *Strip) crowded(e *ent.Effect) []fault.Field {
	k, _ := effects.Of(e.Kind)
	if k.AtOnce == 0 {
		return nil
	}

	var beside []values.Span

	for _, other := range s.Effects {
		if other.ID != e.ID && other.Kind == e.Kind && listing.SpanOf(other).Overlaps(listing.SpanOf(e)) {
			beside = append(beside, listing.SpanOf(other))
		}
	}

	moments := []int64{e.StartMs} // the maximum is reached at one of these times
	for _, other := range beside {
		moments = append(moments, max(other.StartMs, e.StartMs))
	}

	for _, at := range moments {
		n := 0

		for _, other := range beside {
			if other.StartMs <= at && at < other.EndMs {
				n++
			}
		}

		if n >= k.AtOnce {
			rule := fmt.Sprintf("must not result in more than %d effects of this kind at the same moment", k.AtOnce)

			return []fault.Field{{Path: "startTimeMs", Rule: rule}}
		}
	}

	return nil
}

// claim removes the range of an exclusive effect from the other effects of its kind. When an effect is split, the
// earlier part keeps the id.
func (s *Strip) claim(taker *ent.Effect) {
	k, _ := effects.Of(taker.Kind)
	if !k.Exclusive {
		return
	}

	var kept []*ent.Effect

	for _, row := range s.Effects {
		if row.ID == taker.ID || row.Kind != taker.Kind {
			kept = append(kept, row)

			continue
		}

		for i, piece := range listing.SpanOf(row).Without(listing.SpanOf(taker), k.LeastMs) {
			part := row
			if i > 0 {
				later := *row
				later.ID, later.CreatedAt = ids.New(ids.Effect), taker.CreatedAt
				part = &later
			}

			part.StartMs, part.EndMs = piece.StartMs, piece.EndMs
			kept = append(kept, part)
		}
	}

	s.Effects = kept
}

// timeFaults returns the faults of an effect's start and end.
func timeFaults(s *Strip, err error) []fault.Field {
	wrong, isRange := errors.AsType[*timeline.RangeError](err)

	switch {
	case !isRange:
		return nil
	case wrong.Problem == timeline.ProblemEmpty:
		return []fault.Field{{
			Path: "durationMs", Rule: "is required, because the whole effect is cut and has no duration to keep",
		}}
	default:
		rule := fmt.Sprintf("must be before the end of the clip, which is at %d ms", s.clock.DurationMs())

		return []fault.Field{{Path: "startTimeMs", Rule: rule}}
	}
}

// changes returns what must be written for a clip.
func (s *Strip) changes() (written []*ent.Effect, gone []string, base bool) {
	left := maps.Clone(s.was)

	for _, row := range s.Effects {
		was, existed := left[row.ID]
		delete(left, row.ID)

		if !existed || listing.SpanOf(row) != listing.SpanOf(&was) || optional.Deref(row.SourceID) != optional.Deref(was.SourceID) ||
			!reflect.DeepEqual(row.Params, was.Params) {
			written = append(written, row)
		}
	}

	return written, slices.Collect(maps.Keys(left)), !reflect.DeepEqual(s.Base, s.BaseLayout)
}

// dropped returns the sources that the effects in the Desk no longer use.
func (d *Desk) dropped() []string {
	var gone []string

	kept := map[string]bool{}

	for _, s := range d.Strips {
		for _, row := range s.Effects {
			kept[optional.Deref(row.SourceID)] = true
		}
	}

	for _, s := range d.Strips {
		for _, was := range s.was {
			if was.SourceID != nil && !kept[*was.SourceID] {
				gone = append(gone, *was.SourceID)
			}
		}
	}

	return gone
}
