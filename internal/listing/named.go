package listing

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
)

// VideosNamed returns those of the named videos that the caller may read, with the selected fields, in any order.
func (svc Rights) VideosNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Video.Query().Where(video.IDIn(named...), access.Readable(who))
	svc.listing.SelectVideo(who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read videos: %w", err)
	}

	return rows, nil
}

// VideosAgain reads videos that the caller may read once more, in the same order and with the selected fields.
func (svc *Service) VideosAgain(ctx context.Context, videos []*ent.Video, sel selection.Tree) ([]*ent.Video, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Video.Query().Where(func(s *sql.Selector) { s.Where(store.Among(s.C(video.FieldID), idsOf(videos))) })
	svc.SelectVideo(who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read videos: %w", err)
	}

	found := make(map[string]*ent.Video, len(rows))
	for _, v := range rows {
		found[v.ID] = v
	}

	again := make([]*ent.Video, len(videos))
	for i, v := range videos {
		again[i] = found[v.ID]
	}

	return again, nil
}

// ClipsNamed returns those of the named clips whose videos the caller may read, with the selected fields, in any order.
func (svc Rights) ClipsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.Clip, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Clip.Query().Where(clip.IDIn(named...), clip.HasVideoWith(access.Readable(who)))
	svc.listing.selectClip(who, q, sel)

	if _, only := madeOf(sel, clipColumns); !only || sel.Has(aboveName) {
		q.WithVideo(svc.listing.LoadAbove(who, sel))
	}

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	for _, c := range rows {
		if c.Edges.Video != nil {
			TellAbove(c.Edges.Video, c)
		}
	}

	return rows, nil
}

// EffectsNamed returns those of the named effects and base layouts whose videos the caller may read, by id.
func (svc Effects) EffectsNamed(ctx context.Context, named []string) (map[string]model.Node, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := svc.Store.Client(ctx).Effect.Query().
		Where(effect.IDIn(named...), effect.HasClipWith(clip.HasVideoWith(access.Readable(who)))).
		WithClip().WithSource(rights.WithUsable(who)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read effects: %w", err)
	}

	found := make(map[string]model.Node, len(named))
	for _, row := range rows {
		found[row.ID] = svc.EffectOf(ClockOf(row.Edges.Clip), row)
	}

	var of []string

	for _, id := range named {
		if found[id] == nil {
			of = append(of, ClipOfBase(id))
		}
	}

	if len(of) == 0 {
		return found, nil
	}

	clips, err := svc.Store.Client(ctx).Clip.Query().Where(clip.IDIn(of...), clip.HasVideoWith(access.Readable(who))).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips of base layouts: %w", err)
	}

	for _, c := range clips {
		found[BaseID(c.ID)] = BaseLayout(c)
	}

	return found, nil
}

// UsersNamed returns those of the named people whom the workspace knows, in any order.
func (svc *Service) UsersNamed(ctx context.Context, named []string) ([]*ent.User, error) {
	rows, err := svc.Store.Client(ctx).User.Query().Where(user.IDIn(named...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}

	return rows, nil
}

// WorkspacesNamed returns the workspace that the request acts in, if it is named.
func (svc *Service) WorkspacesNamed(ctx context.Context, named []string) ([]*ent.Workspace, error) {
	rows, err := svc.Store.Client(ctx).Workspace.Query().Where(workspace.IDIn(named...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read workspaces: %w", err)
	}

	return rows, nil
}
