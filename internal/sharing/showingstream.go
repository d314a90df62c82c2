package sharing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// film is what a page plays, and the export it comes from, if any.
type film struct {
	stream model.Stream
	export *ent.Export
}

// streamOf returns what a page plays: the newest film of the present video, or else its recordings.
func (svc *Service) streamOf(ctx context.Context, v *ent.Video, clips []*ent.Clip) (film, error) {
	f, err := svc.filmOf(ctx, v)
	if err == nil && f.export == nil {
		f.stream.Clips = svc.recordingsOf(v, slices.DeleteFunc(slices.Clone(clips), multitrack.Waiting))
	}

	return f, err
}

// filmOf returns the film of the video as it is now, once its recordings are uploaded. If there is none, it has one
// made, once.
func (svc *Service) filmOf(ctx context.Context, v *ent.Video) (film, error) {
	// The plan is built only if there is no film of this revision that is newer than the last thing the server learned
	// about the video, such as its words: that changes the film without a new revision.
	f, found, err := svc.filmAmong(ctx, v, export.And(export.Revision(v.Revision), export.CreatedAtGT(v.UpdatedAt)))
	if err != nil || found {
		return f, err
	}

	plan, err := svc.filmPlan(ctx, v)
	if err != nil {
		return film{}, err
	}

	hashes, err := filmHashes(v, plan)
	if err != nil {
		return film{}, err
	}

	if f, found, err = svc.filmAmong(ctx, v, export.PlanHashIn(hashes...)); err != nil || found {
		return f, err
	}

	return film{}, svc.orderFilm(ctx, v, plan)
}

// mostFilms is how many of the newest exports are checked.
const mostFilms = 8

// filmAmong returns the best film among exports of a video. It ignores films whose captions do not match the video. A
// film for the pages that was canceled was replaced by one with another plan.
func (svc *Service) filmAmong(ctx context.Context, v *ent.Video, among predicate.Export) (f film, found bool, err error) {
	rows, err := svc.Store.Client(ctx).Export.Query().Brief().Where(
		export.VideoID(v.ID), export.GranularityEQ(values.GranularityStory), export.SpeedEQ(values.Speed1),
		export.Subtitles(v.Editing.SubtitlesEnabled), among,
		export.Or(export.ForPages(true), export.StatusEQ(values.ExportStatusCompleted)),
		export.StatusNEQ(values.ExportStatusCanceled),
		export.Or(export.ExpiresAtIsNil(), export.ExpiresAtGT(svc.Listing.Rights().ShowingUntil())),
	).Order(ent.Desc(export.FieldCreatedAt, export.FieldID)).Limit(mostFilms).All(ctx)
	if err != nil {
		return film{}, false, fmt.Errorf("read exports: %w", err)
	}

	f, found = svc.best(rows)

	return f, found, nil
}

// best returns the film to play among those of the present video, or else the progress of one.
func (svc *Service) best(current []*ent.Export) (film, bool) {
	done := slices.DeleteFunc(slices.Clone(current), func(e *ent.Export) bool { return e.Status != values.ExportStatusCompleted })
	if len(done) > 0 {
		// Prefer a film with no more pixels than most screens have; then the newest.
		e := done[max(0, slices.IndexFunc(done, func(e *ent.Export) bool { return e.Resolution != values.Resolution4K }))]

		return film{model.Stream{File: svc.Addresses.Watch(e.ID, svc.Listing.Rights().ShowingUntil()), Progress: 100}, e}, true
	}

	for _, e := range current {
		if e.FinishedAt == nil {
			return film{stream: model.Stream{Progress: e.Progress}}, true
		}
	}

	// It failed, and is not tried again before the video changes.
	return film{stream: model.Stream{Progress: -1}}, len(current) > 0
}

// filmPlan returns the encoded plan of a film of the present video.
func (svc *Service) filmPlan(ctx context.Context, v *ent.Video) ([]byte, error) {
	captions := exports.OrderOf(v, &model.StartExportInput{}).Subtitles

	clips, err := svc.Exports.PlannedClips(ctx, v, captions)
	if err != nil {
		return nil, err
	}

	written, err := json.Marshal(exports.ExportPlan(v, slices.DeleteFunc(clips, multitrack.Waiting), captions))
	if err != nil {
		return nil, fmt.Errorf("encode plan: %w", err)
	}

	return written, nil
}

// filmHashes returns the hashes of the exports of a plan, in every size and frame rate.
func filmHashes(v *ent.Video, plan []byte) ([]string, error) {
	o := exports.OrderOf(v, &model.StartExportInput{})

	var hashes []string

	for _, resolution := range o.Resolution.Values() {
		for _, fps := range o.FPS.Values() {
			o.Resolution, o.FPS = values.Resolution(resolution), values.FPS(fps)

			hash, err := o.Hash(plan)
			if err != nil {
				return nil, err
			}

			hashes = append(hashes, hash)
		}
	}

	return hashes, nil
}

// orderFilm queues a film of the present video, for the given plan, behind all exports that people requested. If
// several requests do so at once, one wins. Films of earlier states of the video are canceled.
func (svc *Service) orderFilm(ctx context.Context, v *ent.Video, plan []byte) error {
	if v.DurationMs == 0 {
		return nil
	}

	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		c := svc.Store.Client(ctx)

		now, err := c.Video.Query().Where(video.ID(v.ID)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return struct{}{}, nil
		}

		if err != nil {
			return struct{}{}, fmt.Errorf("lock video: %w", err)
		}

		if now.Revision != v.Revision || !now.UpdatedAt.Equal(v.UpdatedAt) {
			if plan, err = svc.filmPlan(ctx, now); err != nil {
				return struct{}{}, err
			}
		}

		return struct{}{}, svc.orderFilmOf(ctx, now, plan)
	})

	return err
}

func (svc *Service) orderFilmOf(ctx context.Context, v *ent.Video, plan []byte) error {
	o := exports.OrderOf(v, &model.StartExportInput{})

	hash, err := o.Hash(plan)
	if err != nil {
		return err
	}

	c := svc.Store.Client(ctx)

	// An unfinished export that a person requested is good enough; a canceled one is made again.
	made, err := c.Export.Query().Where(export.VideoID(v.ID), export.PlanHash(hash), export.StatusNEQ(values.ExportStatusCanceled),
		export.Or(export.ForPages(true), export.FinishedAtIsNil()),
		export.Or(export.ExpiresAtIsNil(), export.ExpiresAtGT(svc.Listing.Rights().ShowingUntil()))).Exist(ctx)
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

	at := svc.Store.Now()

	if err := c.Export.Update().Where(export.IDIn(late...)).SetStatus(values.ExportStatusCanceled).
		SetCancelRequestedAt(at).SetFinishedAt(at).SetUpdatedAt(at).Exec(ctx); err != nil {
		return fmt.Errorf("cancel exports: %w", err)
	}

	for _, id := range late {
		if err := svc.Store.Notify(ctx, jobs.ExportTopic(id)); err != nil {
			return err //nolint:wrapcheck // already wrapped
		}
	}

	e, err := c.Export.Create().SetVideo(v).SetUserID(v.UserID).SetForPages(true).
		SetGranularity(o.Granularity).SetResolution(o.Resolution).SetFps(o.FPS).SetSpeed(o.Speed).SetSubtitles(o.Subtitles).
		SetRevision(v.Revision).SetPlan(plan).SetPlanHash(hash).SetCreatedAt(at).SetUpdatedAt(at).Save(ctx)
	if err != nil {
		return fmt.Errorf("create export: %w", err)
	}

	return svc.Jobs.Add(ctx, jobs.Render{ExportID: e.ID, Behind: true})
}
