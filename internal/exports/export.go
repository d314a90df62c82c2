package exports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Order holds the settings of a requested export, with the defaults of the API contract filled in.
type Order struct {
	Granularity values.Granularity `json:"granularity"`
	Resolution  values.Resolution  `json:"resolution"`
	FPS         values.FPS         `json:"fps"`
	Speed       values.Speed       `json:"speed"`
	Subtitles   bool               `json:"subtitles"`
}

// OrderOf returns the settings of a requested export, with defaults filled in. A request for raw files gets the
// defaults for all other settings, because they do not apply to raw files.
func OrderOf(v *ent.Video, in *model.StartExportInput) Order {
	o := Order{
		Granularity: values.GranularityStory, Resolution: values.ResolutionP1080,
		FPS: values.FPS30, Speed: values.Speed1,
	}

	optional.Put(&o.Granularity, in.Granularity)

	if o.Granularity == values.GranularityRaw {
		return o
	}

	o.Subtitles = v.Editing.SubtitlesEnabled

	optional.Put(&o.Resolution, in.Resolution)
	optional.Put(&o.FPS, in.Fps)
	optional.Put(&o.Speed, in.Speed)
	optional.Put(&o.Subtitles, in.Subtitles)

	return o
}

// StartExport starts an export of the video in its current state. If the same caller has already requested the same
// export and it is unfinished, StartExport returns that export.
func (svc *Service) StartExport(ctx context.Context, videoID string, in *model.StartExportInput) (*ent.Export, error) {
	if in == nil {
		in = &model.StartExportInput{}
	}

	return store.Write(ctx, svc.Store, in, func(ctx context.Context) (*ent.Export, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := svc.exportableVideo(ctx, videoID, in)
		if err != nil {
			return nil, err
		}

		o := OrderOf(v, in)
		if who.Plan == auth.PlanFree && (o.FPS == values.FPS60 || o.Resolution == values.Resolution4K) {
			return nil, fault.Forbidden("60 fps and 4k require the premium plan.")
		}

		if !middleware.Holds(ctx, v.Revision) {
			return nil, fault.EditConflict()
		}

		plan, err := svc.planOf(ctx, v, o.Subtitles)
		if err != nil {
			return nil, err
		}

		return svc.orderExport(ctx, who, v, o, plan)
	})
}

// exportableVideo locks a video that the caller may export in the requested form, so that two equal requests at once
// make one export.
func (svc *Service) exportableVideo(ctx context.Context, id string, in *model.StartExportInput) (*ent.Video, error) {
	v, err := svc.Listing.Rights().LockedVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	return v, svc.RefuseExport(ctx, v, OrderOf(v, in).Granularity == values.GranularityRaw)
}

// RefuseExport returns forbidden unless the caller may export the video, as raw files or as a rendered film.
func (svc *Service) RefuseExport(ctx context.Context, v *ent.Video, raw bool) error {
	may, err := svc.Listing.Rights().MayExport(ctx, v, raw)
	if err != nil {
		return err
	}

	if !may {
		return fault.Forbidden("You may watch this video but not export it.")
	}

	return nil
}

// planOf returns the plan of an export of the video with its present clips.
func (svc *Service) planOf(ctx context.Context, v *ent.Video, captions bool) (plan.ExportPlan, error) {
	clips, err := svc.PlannedClips(ctx, v, captions)
	if err != nil {
		return plan.ExportPlan{}, err
	}

	if err := listing.RefuseArriving(clips...); err != nil {
		return plan.ExportPlan{}, err
	}

	return ExportPlan(v, clips, captions), nil
}

// PlannedClips returns the clips of a video with everything that is needed to create a plan.
func (svc *Service) PlannedClips(ctx context.Context, v *ent.Video, captions bool) ([]*ent.Clip, error) {
	q := multitrack.WithSources(svc.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID)),
		func(q *ent.SourceQuery) {
			q.Select(source.FieldID, source.FieldHasAudio, source.FieldAudio, source.FieldDurationMs, source.FieldName, source.FieldStatus)
		}).
		Order(ent.Asc(clip.FieldPosition, clip.FieldID)).
		WithEffects(func(q *ent.EffectQuery) { q.Order(ent.Asc(effect.FieldZ, effect.FieldID)) })
	if captions {
		q.WithTranscript()
	}

	clips, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	return clips, nil
}

// orderExport finds an unfinished equal export, or creates an export and its job.
func (svc *Service) orderExport(ctx context.Context, who auth.Viewer, v *ent.Video, o Order, plan plan.ExportPlan) (*ent.Export, error) {
	written, err := json.Marshal(plan)
	if err != nil {
		return nil, fmt.Errorf("encode plan: %w", err)
	}

	hash, err := o.Hash(written)
	if err != nil {
		return nil, err
	}

	running, err := svc.Store.Client(ctx).Export.Query().Brief().
		Where(export.VideoID(v.ID), export.UserID(who.UserID), export.PlanHash(hash), export.FinishedAtIsNil(), export.ForPages(false)).
		Only(ctx)
	if !ent.IsNotFound(err) {
		return running, err //nolint:wrapcheck // the error of ent says what failed
	}

	now := svc.Store.Now()

	made, err := svc.Store.Client(ctx).Export.Create().SetVideo(v).SetUserID(who.UserID).
		SetGranularity(o.Granularity).SetResolution(o.Resolution).SetFps(o.FPS).SetSpeed(o.Speed).SetSubtitles(o.Subtitles).
		SetRevision(v.Revision).SetPlan(written).SetPlanHash(hash).SetCreatedAt(now).SetUpdatedAt(now).
		Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create export: %w", err)
	}

	return made, svc.Jobs.Add(ctx, jobs.Render{ExportID: made.ID})
}

// Hash returns a hash of the order together with an encoded plan. Equal orders with equal plans have the same hash.
func (o Order) Hash(plan []byte) (string, error) {
	asked, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("encode order: %w", err)
	}

	sum := sha256.New()
	_, _ = sum.Write(asked)
	_, _ = sum.Write(plan) // avoids copying the plan, which may be megabytes long

	return hex.EncodeToString(sum.Sum(nil)), nil
}

// CancelExport cancels an export. The job that renders the export notices this and stops.
func (svc *Service) CancelExport(ctx context.Context, id string) (*ent.Export, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Export, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		e, err := svc.findExport(ctx, id, true)
		if err != nil {
			return nil, err
		}

		if e.UserID != who.UserID {
			may, err := svc.Listing.Rights().MayEdit(ctx, who, e.Edges.Video)
			if err != nil {
				return nil, err
			}

			if !may {
				return nil, fault.Forbidden("Only the person who started an export and the editors of its video may cancel it.")
			}
		}

		if !middleware.Holds(ctx, e.Edges.Video.Revision) {
			return nil, fault.EditConflict()
		}

		if e.FinishedAt != nil {
			return nil, fault.Conflict("The export has already ended: it is " + string(e.Status) + ".")
		}

		now := svc.Store.Now()

		canceled, err := svc.Store.Client(ctx).Export.UpdateOneID(id).Brief().SetStatus(values.ExportStatusCanceled).
			SetCancelRequestedAt(now).SetFinishedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("cancel export: %w", err)
		}

		return canceled, svc.Store.Notify(ctx, jobs.ExportTopic(id))
	})
}

// ExportOf returns an export with its video. It returns not_found or forbidden if the caller may not see the export.
// If the video no longer allows downloads, even the person who requested the export may no longer see it.
func (svc *Service) ExportOf(ctx context.Context, id string) (*ent.Export, error) {
	found, err := svc.findExport(ctx, id, false)
	if err != nil {
		return nil, err
	}

	return found, svc.RefuseExport(ctx, found.Edges.Video, found.Granularity == values.GranularityRaw)
}

// findExport returns an export of a video the caller may read, with its video, or not_found. If locked is set, the row
// is locked until the transaction ends.
func (svc *Service) findExport(ctx context.Context, id string, lock bool) (*ent.Export, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	at, named := model.PlaceOf(ctx)
	if !ids.Is(ids.Export, id) || named && !ids.Is(ids.Video, at.VideoID) {
		return nil, fault.NotFound("export")
	}

	q := svc.Store.Client(ctx).Export.Query().Where(export.ID(id), export.ForPages(false), export.HasVideoWith(access.Readable(who))).
		WithVideo().Brief()
	if named {
		q.Where(export.VideoID(at.VideoID))
	}

	if lock {
		q.ForUpdate(sql.WithLockTables(export.Table))
	}

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("export")
	}

	if err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}

	return found, nil
}

// newestExport counts an event about an export against the API budget and returns the export. If it had to wait
// because the budget was used up, it reads the export again.
func (svc *Service) newestExport(ctx context.Context, e *ent.Export) (*ent.Export, error) {
	waited, err := limit.Event(ctx)
	if err != nil || !waited {
		return e, err //nolint:wrapcheck // a fault
	}

	return svc.ExportOf(ctx, e.ID)
}

// WatchExport sends the export now and whenever it changes, until it has ended or the client leaves.
func (svc *Service) WatchExport(ctx context.Context, id string) (<-chan *ent.Export, error) {
	wake, stop := svc.Topics.Subscribe(jobs.ExportTopic(id))

	now, err := svc.ExportOf(ctx, id)
	if err != nil {
		stop()

		return nil, err
	}

	out := make(chan *ent.Export)

	go func() {
		defer close(out)
		defer stop()

		for sent := (time.Time{}); ; {
			if !now.UpdatedAt.Equal(sent) || now.FinishedAt != nil {
				if !sent.IsZero() {
					if now, err = svc.newestExport(ctx, now); err != nil {
						return // the stream reports the error
					}
				}

				sent = now.UpdatedAt

				select {
				case out <- now:
				case <-ctx.Done():
					return
				}
			}

			if now.FinishedAt != nil {
				return
			}

			select {
			case <-wake:
			case <-ctx.Done():
				return
			}

			if limit.Again(ctx) != nil {
				return // the stream reports the error
			}

			// The export is deleted or no longer readable, or the database cannot be reached: the stream ends and the
			// client subscribes again.
			if now, err = svc.ExportOf(ctx, id); err != nil {
				return
			}
		}
	}()

	return out, nil
}

// ExportsNamed returns those of the named exports that the caller may have, in any order.
func (svc *Service) ExportsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.Export, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	above := svc.Listing.LoadAbove(who, sel)

	rows, err := svc.Store.Client(ctx).Export.Query().
		Where(export.IDIn(named...), export.ForPages(false), export.HasVideoWith(access.Readable(who))).
		WithVideo(func(q *ent.VideoQuery) {
			above(q)

			if !who.Role.Governs() { // for MayExport
				q.WithCollaborators(func(q *ent.CollaboratorQuery) { q.Where(collaborator.UserID(who.UserID)) })
			}
		}).Brief().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read exports: %w", err)
	}

	allowed := rows[:0]

	for _, e := range rows {
		may, err := svc.Listing.Rights().MayExport(ctx, e.Edges.Video, e.Granularity == values.GranularityRaw)
		if err != nil {
			return nil, err
		}

		if may {
			listing.TellAbove(e.Edges.Video, e)

			allowed = append(allowed, e)
		}
	}

	return allowed, nil
}
