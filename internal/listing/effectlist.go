package listing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/rights"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// effectsBelow returns the lists of effects that are selected below clips.
func (svc Effects) effectsBelow(who auth.Viewer, sel selection.Tree) (below []ReadBelow[*ent.Clip]) {
	for _, list := range FirstPages(sel.All("effects")) {
		below = append(below, EachList[*ent.Clip](FirstPage(list, effect.Table, effect.FieldClipID, effectOrder()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Effect] {
				q := svc.Store.Client(ctx).Effect.Query().Where(seen, OfKinds(kindsOf(list.Node))).WithSource(rights.WithUsable(who))
				q.Modify(only)

				return q
			}))
	}

	return below
}

// kindsOf returns the kinds that a list is limited to; nil means all.
func kindsOf(node selection.Node) []values.EffectKind {
	switch given := node.Args["kinds"].(type) {
	case []values.EffectKind: // all kinds, stated explicitly
		return given
	case []any:
		kinds := make([]values.EffectKind, 0, len(given))

		for _, name := range given {
			if text, isText := name.(string); isText {
				kinds = append(kinds, values.EffectKind(strings.ToLower(text)))
			}
		}

		return kinds
	case string: // a single value stands for a list of one
		return []values.EffectKind{values.EffectKind(strings.ToLower(given))}
	default:
		return nil
	}
}

// effectsName returns the name under which a list of effects was loaded with its clip.
func effectsName(field string, size int, kinds []values.EffectKind) string {
	return fmt.Sprintf("%s%#v", ListName(field, size), kinds) // an empty list of kinds is not the same as all kinds
}

// OfKinds returns a function that limits a query to effects of the given kinds. nil allows all kinds.
func OfKinds(kinds []values.EffectKind) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if kinds != nil {
			effect.KindIn(kinds...)(s)
		}
	}
}

// seen leaves out the effects that lie within a single cut. Cuts are neither adjacent nor overlapping, so two cuts
// together never cover one effect.
func seen(s *sql.Selector) {
	dialect := sql.Dialect(s.Dialect())
	clips := dialect.Table(clip.Table)
	cut := dialect.Select(clips.C(clip.FieldID)).From(clips).
		Where(sql.And(
			sql.ColumnsEQ(clips.C(clip.FieldID), s.C(effect.FieldClipID)),
			sql.ExprP(fmt.Sprintf(
				`EXISTS (SELECT FROM jsonb_array_elements(%s) cut WHERE (cut->>'startMs')::bigint <= %s AND (cut->>'endMs')::bigint >= %s)`,
				clips.C(clip.FieldCuts), s.C(effect.FieldStartMs), s.C(effect.FieldEndMs))),
		))
	s.Where(sql.NotExists(cut))
}

// SeenOf returns those effects of a clip that are not entirely cut. It works in memory. The function seen does the
// same in SQL, but it compares every cut with every effect, which is too slow for thousands of both.
func SeenOf(c *ent.Clip, all []*ent.Effect) []*ent.Effect {
	return slices.DeleteFunc(slices.Clone(all), func(e *ent.Effect) bool {
		// Cuts are sorted, so only the last cut that starts in time can cover the effect.
		i, found := slices.BinarySearchFunc(c.Cuts, e.StartMs, func(cut values.Span, at int64) int { return cmp.Compare(cut.StartMs, at) })
		if !found {
			i--
		}

		return i >= 0 && c.Cuts[i].EndMs >= e.EndMs
	})
}

func effectOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(effect.FieldStartMs), sql.Expr(effect.FieldZ), sql.Expr(effect.FieldID)}
}

// EffectPage returns a page of those effects of a clip that are not entirely cut.
func (svc Effects) EffectPage(
	ctx context.Context, c *ent.Clip, kinds []values.EffectKind, size int, after *string,
) (*model.EffectConnection, error) {
	turn := svc.Paging.Turn(effectsName("effects|"+c.ID, 0, kinds))
	placeOf := func(e effects.Effect) cursor.Cursor {
		at := effects.PlacedOf(e)

		return cursor.Cursor{AtMs: at.Place.StartMs, Z: at.Place.Z, ID: at.ID}
	}

	if rows, known := ListBelow[*ent.Effect](c, effectsName("effects", size, kinds)); known && after == nil {
		return paging.PageOf(turn, svc.EffectsOf(c, rows), size, placeOf, TotalOf(rows)), nil
	}

	q := svc.Store.Client(ctx).Effect.Query().Where(effect.ClipID(c.ID), seen, OfKinds(kinds))
	count := q.Clone()

	if after != nil {
		begin, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(func(s *sql.Selector) {
			s.Where(sql.CompositeGT(s.Columns(effect.FieldStartMs, effect.FieldZ, effect.FieldID), begin.AtMs, begin.Z, begin.ID))
		})
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := q.WithSource(rights.WithUsable(who)).
		Order(ent.Asc(effect.FieldStartMs, effect.FieldZ, effect.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read effects: %w", err)
	}

	return paging.PageOf(turn, svc.EffectsOf(c, rows), size, placeOf, count.Count), nil
}

// EffectsOf returns effects of a clip in the format of the API, with their sources.
func (svc Effects) EffectsOf(c *ent.Clip, rows []*ent.Effect) []effects.Effect {
	clock := ClockOf(c)
	out := make([]effects.Effect, len(rows))

	for i, row := range rows {
		out[i] = svc.EffectOf(clock, row)
	}

	return out
}
