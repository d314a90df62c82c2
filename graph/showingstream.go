package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// film is what a page plays, and the export it is from, if it is from one.
type film struct {
	stream model.Stream
	export *ent.Export
}

// streamOf is what a page plays: the newest film of the video as it is, else its recordings.
func (r *Resolver) streamOf(ctx context.Context, v *ent.Video, clips []*ent.Clip) (film, error) {
	f, err := r.filmOf(ctx, v)
	if err == nil && f.export == nil {
		f.stream.Clips = r.recordingsOf(v, clips)
	}

	return f, err
}

// filmOf is the film of a video as it is now. When there is none it has one made, once.
func (r *Resolver) filmOf(ctx context.Context, v *ent.Video) (film, error) {
	rows, err := r.Store.Client(ctx).Export.Query().Where(
		export.VideoID(v.ID), export.GranularityEQ(domain.GranularityStory), export.SpeedEQ(domain.Speed1),
		export.Or(export.ForPages(true), export.StatusEQ(domain.ExportStatusCompleted)),
		export.Or(export.ExpiresAtIsNil(), export.ExpiresAtGT(r.showingUntil())),
	).Order(ent.Desc(export.FieldCreatedAt, export.FieldID)).Limit(mostFilms).All(ctx)
	if err != nil {
		return film{}, fmt.Errorf("read exports: %w", err)
	}

	hashes := planHashes{resolver: r, video: v, known: map[bool]domain.ExportPlan{}}

	var current []*ent.Export

	for _, e := range rows {
		is, err := hashes.current(ctx, e)
		if err != nil {
			return film{}, err
		}

		if is {
			current = append(current, e)
		}
	}

	if f, found := r.best(v, current); found {
		return f, nil
	}

	return film{}, r.orderFilm(ctx, v)
}

// mostFilms is how many of a video's newest exports are looked at.
const mostFilms = 8

// best is the film to play among those of the video as it is; without one, how far one is.
func (r *Resolver) best(v *ent.Video, current []*ent.Export) (film, bool) {
	done := slices.DeleteFunc(slices.Clone(current), func(e *ent.Export) bool { return e.Status != domain.ExportStatusCompleted })
	if len(done) > 0 {
		// Captions as the video has them, and no more pixels than most screens have; then the newest.
		e := slices.MinFunc(done, func(a, b *ent.Export) int {
			return cmp.Or(
				second(a.Subtitles != v.Editing.SubtitlesEnabled, b.Subtitles != v.Editing.SubtitlesEnabled),
				second(a.Resolution == domain.Resolution4K, b.Resolution == domain.Resolution4K),
			)
		})

		return film{model.Stream{File: r.Addresses.Watch(e.ID, r.showingUntil()), Progress: 100}, e}, true
	}

	for _, e := range current {
		if e.FinishedAt == nil {
			return film{stream: model.Stream{Progress: e.Progress}}, true
		}
	}

	// It failed, or was canceled, and is not tried again before the video is changed.
	return film{stream: model.Stream{Progress: -1}}, len(current) > 0
}

// second orders what is not so before what is.
func second(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// planHashes tell whether exports show the video as it is now. The plan is made only when a revision differs.
type planHashes struct {
	resolver *Resolver
	video    *ent.Video
	known    map[bool]domain.ExportPlan // by whether there are captions
}

func (p planHashes) current(ctx context.Context, e *ent.Export) (bool, error) {
	if e.Revision == p.video.Revision {
		return true, nil
	}

	plan, made := p.known[e.Subtitles]
	if !made {
		var err error
		if plan, err = p.resolver.planOf(ctx, p.video, e.Subtitles); err != nil {
			return false, err
		}

		p.known[e.Subtitles] = plan
	}

	o := order{e.Granularity, e.Resolution, e.Fps, e.Speed, e.Subtitles}
	_, hash, err := o.with(plan)

	return hash == e.PlanHash, err
}

// orderFilm has a film made of a video as it is, behind all exports that somebody asked for. Of many who
// ask at once one does. Those of the video as it was are given up.
func (r *Resolver) orderFilm(ctx context.Context, v *ent.Video) error {
	if v.DurationMs == 0 {
		return nil
	}

	_, err := write(ctx, r, nil, func(ctx context.Context) (struct{}, error) {
		c := r.Store.Client(ctx)

		now, err := c.Video.Query().Where(video.ID(v.ID)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return struct{}{}, nil
		}

		if err != nil {
			return struct{}{}, fmt.Errorf("lock video: %w", err)
		}

		return struct{}{}, r.orderFilmOf(ctx, now)
	})

	return err
}

func (r *Resolver) orderFilmOf(ctx context.Context, v *ent.Video) error {
	o := orderOf(v, &model.StartExportInput{})

	plan, err := r.planOf(ctx, v, o.Subtitles)
	if err != nil {
		return err
	}

	written, hash, err := o.with(plan)
	if err != nil {
		return err
	}

	c := r.Store.Client(ctx)

	// One that somebody has asked for will do, while it is made.
	made, err := c.Export.Query().Where(export.VideoID(v.ID), export.PlanHash(hash),
		export.Or(export.ForPages(true), export.FinishedAtIsNil()),
		export.Or(export.ExpiresAtIsNil(), export.ExpiresAtGT(r.showingUntil()))).Exist(ctx)
	if err != nil {
		return fmt.Errorf("read exports: %w", err)
	}

	if made {
		return nil
	}

	late, err := c.Export.Query().Where(export.VideoID(v.ID), export.ForPages(true), export.FinishedAtIsNil()).IDs(ctx)
	if err != nil {
		return fmt.Errorf("read exports: %w", err)
	}

	at := r.now()

	if err := c.Export.Update().Where(export.IDIn(late...)).SetStatus(domain.ExportStatusCanceled).
		SetCancelRequestedAt(at).SetFinishedAt(at).SetUpdatedAt(at).Exec(ctx); err != nil {
		return fmt.Errorf("give up exports: %w", err)
	}

	for _, id := range late {
		if err := r.Store.Notify(ctx, jobs.ExportTopic(id)); err != nil {
			return err //nolint:wrapcheck // the store says what it did
		}
	}

	e, err := c.Export.Create().SetVideo(v).SetUserID(v.UserID).SetForPages(true).
		SetGranularity(o.Granularity).SetResolution(o.Resolution).SetFps(o.FPS).SetSpeed(o.Speed).SetSubtitles(o.Subtitles).
		SetRevision(v.Revision).SetPlan(written).SetPlanHash(hash).SetCreatedAt(at).SetUpdatedAt(at).Save(ctx)
	if err != nil {
		return fmt.Errorf("create export: %w", err)
	}

	return r.Jobs.Add(ctx, jobs.Render{ExportID: e.ID, Behind: true})
}
