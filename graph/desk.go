package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// desk is where the effects of a video are edited, in memory: the clips that edits name, and their
// effects of the kinds concerned, as the edits so far leave them.
type desk struct {
	video   *ent.Video
	strips  map[string]*strip // by clip
	sources map[string]*ent.Source
	presets map[string]*preset
	habits  *ent.User // whose layouts come and go as they prefer
	now     time.Time
}

// strip is a clip on the desk.
type strip struct {
	*ent.Clip

	clock   timeline.Clock
	effects []*ent.Effect
	was     map[string]ent.Effect
	base    *values.LayoutShape // nil is the default of the scene type
	top     int64               // the highest z
}

// layOut reads what the edits name. What is not there is not_found, in their order.
func (r *Resolver) layOut(ctx context.Context, v *ent.Video, edits []edit) (*desk, error) {
	d := &desk{video: v, strips: map[string]*strip{}, now: r.Store.Now()}
	named := map[string]bool{}

	for _, e := range edits {
		if !ids.Is(ids.Clip, e.clipID) {
			return nil, e.missingClip()
		}

		named[e.clipID] = true
	}

	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	clips, err := r.Store.Client(ctx).Clip.Query().
		Where(clip.VideoID(v.ID), clip.IDIn(slices.Collect(maps.Keys(named))...)).
		WithEffects(func(q *ent.EffectQuery) { q.Where(ofKinds(concerned(edits))).WithSource(withUsable(who)) }).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	for _, c := range clips {
		d.strips[c.ID] = stripOf(c)
	}

	for _, e := range edits {
		c, there := d.strips[e.clipID]
		if !there {
			return nil, e.missingClip()
		}

		if e.add == nil && !e.all && !c.has(e) {
			return nil, e.missingEffect()
		}
	}

	if err := r.readPresets(ctx, d, edits); err != nil {
		return nil, err
	}

	return d, r.readTops(ctx, d)
}

// concerned are the kinds the edits are about; nil is all.
func concerned(edits []edit) []values.EffectKind {
	kinds := map[values.EffectKind]bool{}

	for _, e := range edits {
		if e.kind == "" {
			return nil
		}

		kinds[e.kind] = true
	}

	return slices.Collect(maps.Keys(kinds))
}

func stripOf(c *ent.Clip) *strip {
	s := &strip{Clip: c, clock: clockOf(c), effects: c.Edges.Effects, base: c.BaseLayout, was: map[string]ent.Effect{}}
	for _, e := range s.effects {
		s.was[e.ID] = *e
	}

	return s
}

// readTops reads which z is the highest of each clip, whatever the kind.
func (r *Resolver) readTops(ctx context.Context, d *desk) error {
	var tops []struct {
		ClipID string `json:"clip_id"`
		Max    int64  `json:"max"`
	}

	err := r.Store.Client(ctx).Effect.Query().Where(effect.ClipIDIn(slices.Collect(maps.Keys(d.strips))...)).
		GroupBy(effect.FieldClipID).Aggregate(ent.As(ent.Max(effect.FieldZ), "max")).Scan(ctx, &tops)
	if err != nil {
		return fmt.Errorf("read effects: %w", err)
	}

	for _, t := range tops {
		d.strips[t.ClipID].top = t.Max
	}

	return nil
}

// has reports whether what the edit changes or removes is there.
func (s *strip) has(e edit) bool {
	return s.find(e) != nil || isBase(s.ID, e.id) && (e.kind == "" || e.kind == values.EffectKindLayout)
}

// find is the effect that the edit changes or removes; nil when there is none of its kind.
func (s *strip) find(e edit) *ent.Effect {
	i := slices.IndexFunc(s.effects, func(row *ent.Effect) bool {
		return row.ID == e.id && (e.kind == "" || row.Kind == e.kind)
	})
	if i < 0 {
		return nil
	}

	return s.effects[i]
}

// result is what an edit was about.
type result struct {
	id   string
	kind values.EffectKind
}

// apply makes an edit, validated against what the earlier ones have left.
func (d *desk) apply(e edit) (result, error) {
	s := d.strips[e.clipID]
	base := result{baseID(s.ID), values.EffectKindLayout}

	if families[e.kind].screen && s.ScreenSourceID == nil {
		return base, e.invalid(fault.Field{Path: "clipId", Rule: "must be of a clip with a screen recording"})
	}

	switch {
	case e.add != nil && e.add.Layout != nil && e.add.Layout.StartTimeMs == nil:
		return base, d.shapeBase(s, e, e.add.Layout.Layout)
	case e.add != nil:
		return d.add(s, e)
	case !s.has(e): // an earlier edit has removed it
		return base, e.missingEffect()
	case isBase(s.ID, e.id) && e.update != nil:
		return base, d.changeBase(s, e)
	case isBase(s.ID, e.id):
		s.base = nil

		return base, nil
	}

	row := s.find(e)
	about := result{row.ID, row.Kind}

	if e.update != nil {
		return about, d.change(s, e, row)
	}

	s.effects = slices.DeleteFunc(s.effects, func(other *ent.Effect) bool { return other == row })

	return about, nil
}

// add lays a new effect on a clip.
func (d *desk) add(s *strip, e edit) (result, error) {
	params, source, faults := d.begin(s, e)

	at, err := s.clock.Store(addedTime(e.add))
	if faults = append(faults, timeFaults(s, err)...); len(faults) > 0 {
		return result{}, e.invalid(faults...)
	}

	s.top++
	row := &ent.Effect{
		ID: ids.New(ids.Effect), CreatedAt: d.now, ClipID: s.ID, Kind: e.kind,
		StartMs: at.StartMs, EndMs: at.EndMs, Z: s.top, Params: params, SourceID: idOf(source),
	}
	row.Edges.Source = source

	if faults := s.crowded(row); faults != nil {
		return result{}, e.invalid(faults...)
	}

	s.claim(row)
	s.effects = append(s.effects, row)

	return result{row.ID, row.Kind}, nil
}

// change changes what the edit names of an effect.
func (d *desk) change(s *strip, e edit, row *ent.Effect) error {
	next := *row

	faults := d.alter(s, e, &next)

	if start, length := changedTime(e.update); start != nil || length != nil {
		at, err := s.clock.Move(spanOf(row), start, length)
		faults = append(faults, timeFaults(s, err)...)
		next.StartMs, next.EndMs = at.StartMs, at.EndMs
		faults = append(faults, s.crowded(&next)...)
	}

	if len(faults) > 0 {
		return e.invalid(faults...)
	}

	s.claim(&next)
	*row = next

	return nil
}

// crowded refuses an effect where as many of its family as an export can show or play at once are there.
func (s *strip) crowded(e *ent.Effect) []fault.Field {
	most := families[e.Kind].atOnce
	if most == 0 {
		return nil
	}

	var beside []timeline.Span

	for _, other := range s.effects {
		if other.ID != e.ID && other.Kind == e.Kind && spanOf(other).Overlaps(spanOf(e)) {
			beside = append(beside, spanOf(other))
		}
	}

	moments := []int64{e.StartMs} // at one of which the most are there
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

		if n >= most {
			return []fault.Field{{Path: "startTimeMs", Rule: fmt.Sprintf("must leave no more than %d of its kind at any moment", most)}}
		}
	}

	return nil
}

// claim takes the range of an exclusive effect from the others of its kind. Of one that is split the
// earlier part keeps the id.
func (s *strip) claim(taker *ent.Effect) {
	f := families[taker.Kind]
	if !f.exclusive {
		return
	}

	var kept []*ent.Effect

	for _, row := range s.effects {
		if row.ID == taker.ID || row.Kind != taker.Kind {
			kept = append(kept, row)

			continue
		}

		for i, piece := range spanOf(row).Without(spanOf(taker), f.leastMs) {
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

	s.effects = kept
}

// timeFaults says what is wrong with the time of an effect.
func timeFaults(s *strip, err error) []fault.Field {
	wrong, isRange := errors.AsType[*timeline.RangeError](err)

	switch {
	case !isRange:
		return nil
	case wrong.Problem == timeline.ProblemEmpty:
		return []fault.Field{{Path: "durationMs", Rule: "is required: nothing of the effect is seen, so that it has no length to keep"}}
	default:
		rule := fmt.Sprintf("must be before the end of the clip, which is at %d ms", s.clock.DurationMs())

		return []fault.Field{{Path: "startTimeMs", Rule: rule}}
	}
}

// changes are what has to be written of a clip.
func (s *strip) changes() (written []*ent.Effect, gone []string, base bool) {
	left := maps.Clone(s.was)

	for _, row := range s.effects {
		was, existed := left[row.ID]
		delete(left, row.ID)

		if !existed || spanOf(row) != spanOf(&was) || deref(row.SourceID) != deref(was.SourceID) || !reflect.DeepEqual(row.Params, was.Params) {
			written = append(written, row)
		}
	}

	return written, slices.Collect(maps.Keys(left)), !reflect.DeepEqual(s.base, s.BaseLayout)
}

// dropped are the sources that effects showed or played and none on the desk does any more.
func (d *desk) dropped() []string {
	var gone []string

	kept := map[string]bool{}

	for _, s := range d.strips {
		for _, row := range s.effects {
			kept[deref(row.SourceID)] = true
		}
	}

	for _, s := range d.strips {
		for _, was := range s.was {
			if was.SourceID != nil && !kept[*was.SourceID] {
				gone = append(gone, *was.SourceID)
			}
		}
	}

	return gone
}
