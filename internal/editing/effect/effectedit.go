package effect

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
)

// writtenAtOnce is how many effects one statement writes, because the number of its parameters is limited.
const writtenAtOnce = 1000

// edited is the result of edits of a video, with the result of each edit.
type edited struct {
	*Desk

	results []Result
}

// editEffects applies edits in order. Each is validated against the state that the earlier ones leave. All of them
// count as one edit of the video. If one fails, none is stored.
func (svc *Service) editEffects(ctx context.Context, videoID string, edits []Edit) (*edited, error) {
	for i := range edits {
		edits[i].InGraph = graphql.HasOperationContext(ctx)
	}

	media, err := svc.takeEffectMedia(ctx, videoID, edits)
	if err != nil {
		return nil, err
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*edited, error) {
		v, err := svc.Listing.Rights().LockedVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		d, err := svc.layOut(ctx, v, edits)
		if err != nil {
			return nil, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
			return nil, err
		}

		d.Sources = media.sources
		if err := svc.bring(ctx, d, edits, media.presets); err != nil {
			return nil, err
		}

		out := &edited{Desk: d, results: make([]Result, len(edits))}

		for i, e := range edits {
			if e.add != nil {
				if err := listing.RefuseArriving(d.Strips[e.clipID].Clip); err != nil {
					return nil, err
				}
			}

			if out.results[i], err = d.Apply(e); err != nil {
				return nil, err
			}
		}

		return out, svc.putAway(ctx, d)
	})
}

// bring loads what new effects need besides their sources: the caller's preferences and the copies of presets.
func (svc *Service) bring(ctx context.Context, d *Desk, edits []Edit, copies []*library.PresetFile) error {
	if slices.ContainsFunc(edits, func(e Edit) bool { return e.add != nil && e.add.Layout != nil }) {
		var err error
		if d.Habits, err = svc.habits(ctx); err != nil {
			return err
		}
	}

	for _, p := range copies {
		var err error
		if d.presets[p.ID].Copied, err = svc.Library.PlacePreset(ctx, p); err != nil {
			return err
		}
	}

	return nil
}

// habits returns the transitions that the caller prefers for layouts.
func (svc *Service) habits(ctx context.Context) (*ent.User, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	found, err := svc.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return nil, fmt.Errorf("read preferences: %w", err)
	}

	return found, nil
}

// putAway writes all changes in the Desk with few statements, as one edit of the video.
func (svc *Service) putAway(ctx context.Context, d *Desk) error {
	var (
		written []*ent.Effect
		gone    []string
		touched []string
		laid    []*Strip
	)

	for _, s := range d.Strips {
		rows, removed, base := s.changes()
		written, gone = append(written, rows...), append(gone, removed...)

		if len(rows) == 0 && len(removed) == 0 && !base {
			continue
		}

		touched = append(touched, s.ID)

		if base {
			laid = append(laid, s)
		}
	}

	if len(touched) == 0 {
		return nil
	}

	c := svc.Store.Client(ctx)

	if len(gone) > 0 {
		if _, err := c.Effect.Delete().Where(effect.IDIn(gone...)).Exec(ctx); err != nil {
			return fmt.Errorf("remove effects: %w", err)
		}
	}

	if err := svc.writeEffects(ctx, d, written); err != nil {
		return err
	}

	if err := svc.writeBases(ctx, d.Video, laid); err != nil {
		return err
	}

	if err := c.Clip.Update().Where(clip.IDIn(touched...)).SetUpdatedAt(d.now).Exec(ctx); err != nil {
		return fmt.Errorf("update clips: %w", err)
	}

	if err := svc.Library.DiscardCopies(ctx, d.Video, d.dropped()); err != nil {
		return err
	}

	v, err := svc.Videos.TouchVideo(ctx, d.Video, 0)
	if err != nil {
		return err
	}

	d.Video = v

	for _, s := range d.Strips {
		s.UpdatedAt = d.now
	}

	return nil
}

// updateBases filters by workspace itself, because no hook adds that filter to raw SQL.
const updateBases = `
UPDATE clips SET base_layout = n.layout::jsonb FROM unnest($1::text[], $2::text[]) n(id, layout)
WHERE clips.id = n.id AND clips.workspace_id = $3`

// writeBases writes the base layouts of clips of a video.
func (svc *Service) writeBases(ctx context.Context, v *ent.Video, laid []*Strip) error {
	if len(laid) == 0 {
		return nil
	}

	clips, layouts := make([]string, len(laid)), make([]sql.NullString, len(laid))

	for i, s := range laid {
		clips[i], s.BaseLayout = s.ID, s.Base

		if s.Base == nil {
			continue // null means the default
		}

		b, err := json.Marshal(s.Base)
		if err != nil {
			return fmt.Errorf("write base layout: %w", err)
		}

		layouts[i] = sql.NullString{String: string(b), Valid: true}
	}

	_, err := svc.Store.Client(ctx).ExecContext(ctx, updateBases, pq.Array(clips), pq.Array(layouts), v.WorkspaceID)
	if err != nil {
		return fmt.Errorf("update base layouts: %w", err)
	}

	return nil
}

// writeEffects writes new and changed effects in the same way.
func (svc *Service) writeEffects(ctx context.Context, d *Desk, rows []*ent.Effect) error {
	var above []string
	for _, row := range rows {
		above = append(above, row.ClipID)

		if row.SourceID != nil {
			above = append(above, *row.SourceID)
		}
	}

	ctx, err := schema.Proven(ctx, svc.Store.Client(ctx), above...)
	if err != nil {
		return fmt.Errorf("write effects: %w", err)
	}

	c := svc.Store.Client(ctx).Effect

	for some := range slices.Chunk(rows, writtenAtOnce) {
		creates := make([]*ent.EffectCreate, len(some))
		for i, row := range some {
			creates[i] = c.Create().SetID(row.ID).SetCreatedAt(row.CreatedAt).SetUpdatedAt(d.now).
				SetClipID(row.ClipID).SetKind(row.Kind).SetStartMs(row.StartMs).SetEndMs(row.EndMs).
				SetZ(row.Z).SetParams(row.Params).SetNillableSourceID(row.SourceID)
		}

		// A nil source is not among the row's values, so it must be cleared explicitly.
		write := c.CreateBulk(creates...).OnConflictColumns(effect.FieldID).UpdateNewValues().UpdateSourceID()
		if err := write.Exec(ctx); err != nil {
			return fmt.Errorf("write effects: %w", err)
		}
	}

	return nil
}

// AddEffect adds an effect to a clip.
func (svc *Service) AddEffect(ctx context.Context, videoID, clipID string, in effects.AddEffectInput) (*model.AddEffectPayload, error) {
	done, err := svc.editEffects(ctx, videoID, []Edit{Adding(clipID, &in)})
	if err != nil {
		return nil, err
	}

	c, e := svc.outcome(done, clipID)

	return &model.AddEffectPayload{Effect: e, Clip: c, Video: done.Video}, nil
}

// UpdateEffect changes those fields of an effect that the input contains.
func (svc *Service) UpdateEffect(ctx context.Context, id string, in effects.UpdateEffectInput) (*model.UpdateEffectPayload, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	at, err := svc.Listing.PlaceOfEffect(ctx, id)
	if err != nil {
		return nil, err
	}

	done, err := svc.editEffects(ctx, at.VideoID, []Edit{updating(at.ClipID, id, &in)})
	if err != nil {
		return nil, err
	}

	c, e := svc.outcome(done, at.ClipID)

	return &model.UpdateEffectPayload{Effect: e, Clip: c, Video: done.Video}, nil
}

// RemoveEffect removes an effect from a clip. If the effect is a base layout, RemoveEffect resets it to its default.
func (svc *Service) RemoveEffect(ctx context.Context, id string) (*model.RemoveEffectPayload, error) {
	at, err := svc.Listing.PlaceOfEffect(ctx, id)
	if err != nil {
		return nil, err
	}

	done, err := svc.editEffects(ctx, at.VideoID, []Edit{removing(at.ClipID, id, at.Kind)})
	if err != nil {
		return nil, err
	}

	c, _ := svc.outcome(done, at.ClipID)

	return &model.RemoveEffectPayload{DeletedID: done.results[0].id, Clip: c, Video: done.Video}, nil
}

// findClips finds the clips of effects that edits name by id alone. An id that is not on a clip of the video is treated
// as that of a base layout, which layOut checks.
func (svc *Service) findClips(ctx context.Context, videoID string, edits []Edit) error {
	var named []string

	for _, e := range edits {
		if e.clipID == "" {
			named = append(named, e.id)
		}
	}

	if len(named) == 0 {
		return nil
	}

	rows, err := svc.Store.Client(ctx).Effect.Query().
		Where(effect.IDIn(optional.Unique(nil, named)...), effect.HasClipWith(clip.VideoID(videoID))).
		Select(effect.FieldID, effect.FieldClipID).All(ctx)
	if err != nil {
		return fmt.Errorf("read effects: %w", err)
	}

	clips := make(map[string]string, len(rows))
	for _, row := range rows {
		clips[row.ID] = row.ClipID
	}

	for i, e := range edits {
		if e.clipID == "" {
			edits[i].clipID, edits[i].alone = cmp.Or(clips[e.id], listing.ClipOfBase(e.id)), true
		}
	}

	return nil
}

// outcome returns the edited clip and the effect of the edit, unless that was removed.
func (svc *Service) outcome(done *edited, clipID string) (*ent.Clip, effects.Effect) {
	s := done.Strips[clipID]
	s.Edges.Video, s.Edges.Effects = done.Video, nil

	if listing.IsBase(clipID, done.results[0].id) {
		return s.Clip, listing.BaseLayout(s.Clip)
	}

	if row := s.find(Edit{id: done.results[0].id}); row != nil {
		return s.Clip, svc.Listing.Effects().EffectOf(s.clock, row)
	}

	return s.Clip, nil
}

// ApplyVideoEdits applies several edits together: all of them or none.
func (svc *Service) ApplyVideoEdits(
	ctx context.Context, videoID string, in model.ApplyVideoEditsInput,
) (*model.ApplyVideoEditsPayload, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	edits := editsOf(in)
	if err := svc.findClips(ctx, videoID, edits); err != nil {
		return nil, err
	}

	done, err := svc.editEffects(ctx, videoID, edits)
	if err != nil {
		return nil, err
	}

	out := &model.ApplyVideoEditsPayload{Revision: done.Video.Revision, Video: done.Video}
	for i, result := range done.results {
		out.Results = append(out.Results, &model.VideoEditResult{OperationID: edits[i].operationID, Type: result.kind, ID: result.id})
	}

	return out, nil
}
