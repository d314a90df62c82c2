package graph

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
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/beneath"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/recorded"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// order is an export as it was asked for, with the contract's defaults filled in.
type order struct {
	Granularity values.Granularity `json:"granularity"`
	Resolution  values.Resolution  `json:"resolution"`
	FPS         values.FPS         `json:"fps"`
	Speed       values.Speed       `json:"speed"`
	Subtitles   bool               `json:"subtitles"`
}

// orderOf fills in the defaults. Raw files have none of the other choices, so it ignores them.
func orderOf(v *ent.Video, in *model.StartExportInput) order {
	o := order{
		Granularity: values.GranularityStory, Resolution: values.ResolutionP1080,
		FPS: values.FPS30, Speed: values.Speed1,
	}

	put(&o.Granularity, in.Granularity)

	if o.Granularity == values.GranularityRaw {
		return o
	}

	o.Subtitles = v.Editing.SubtitlesEnabled

	put(&o.Resolution, in.Resolution)
	put(&o.FPS, in.Fps)
	put(&o.Speed, in.Speed)
	put(&o.Subtitles, in.Subtitles)

	return o
}

func put[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// startExport asks for a rendering of a video as it is now. The same caller asking for the same thing
// while it is being made gets that export.
func (r *Resolver) startExport(ctx context.Context, videoID string, in *model.StartExportInput) (*ent.Export, error) {
	if in == nil {
		in = &model.StartExportInput{}
	}

	return store.Write(ctx, r.Store, in, func(ctx context.Context) (*ent.Export, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := r.exportableVideo(ctx, videoID, in)
		if err != nil {
			return nil, err
		}

		o := orderOf(v, in)
		if who.Plan == auth.PlanFree && (o.FPS == values.FPS60 || o.Resolution == values.Resolution4K) {
			return nil, fault.Forbidden("60 fps and 4k are part of the premium plan.")
		}

		if !middleware.Holds(ctx, v.Revision) {
			return nil, fault.EditConflict()
		}

		plan, err := r.planOf(ctx, v, o.Subtitles)
		if err != nil {
			return nil, err
		}

		return r.orderExport(ctx, who, v, o, plan)
	})
}

// exportableVideo locks a video the caller may export in that way, so that two equal orders at once
// become one.
func (r *Resolver) exportableVideo(ctx context.Context, id string, in *model.StartExportInput) (*ent.Video, error) {
	v, err := r.lockedVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	return v, r.refuseExport(ctx, v, orderOf(v, in).Granularity == values.GranularityRaw)
}

// refuseExport answers forbidden unless the caller may export the video, raw files or films.
func (r *Resolver) refuseExport(ctx context.Context, v *ent.Video, raw bool) error {
	may, err := r.mayExport(ctx, v, raw)
	if err != nil {
		return err
	}

	if !may {
		return fault.Forbidden("You may watch this video and not export it.")
	}

	return nil
}

// planOf is what an export of the video shows: its clips as they are now.
func (r *Resolver) planOf(ctx context.Context, v *ent.Video, captions bool) (values.ExportPlan, error) {
	clips, err := r.plannedClips(ctx, v, captions)
	if err != nil {
		return values.ExportPlan{}, err
	}

	if err := refuseArriving(clips...); err != nil {
		return values.ExportPlan{}, err
	}

	return exportPlan(v, clips, captions), nil
}

// plannedClips are the clips of a video with all that a plan is made of.
func (r *Resolver) plannedClips(ctx context.Context, v *ent.Video, captions bool) ([]*ent.Clip, error) {
	q := recorded.WithSources(r.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID)),
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

// deref is a value that may be missing: then the zero one.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}

	return v
}

// orderExport finds the unfinished export that is the same, or makes one and its job.
func (r *Resolver) orderExport(ctx context.Context, who auth.Viewer, v *ent.Video, o order, plan values.ExportPlan) (*ent.Export, error) {
	written, err := json.Marshal(plan)
	if err != nil {
		return nil, fmt.Errorf("write plan: %w", err)
	}

	hash, err := o.hash(written)
	if err != nil {
		return nil, err
	}

	running, err := r.Store.Client(ctx).Export.Query().Brief().
		Where(export.VideoID(v.ID), export.UserID(who.UserID), export.PlanHash(hash), export.FinishedAtIsNil(), export.ForPages(false)).
		Only(ctx)
	if !ent.IsNotFound(err) {
		return running, err //nolint:wrapcheck // found, or ent says what it could not read
	}

	now := r.Store.Now()

	made, err := r.Store.Client(ctx).Export.Create().SetVideo(v).SetUserID(who.UserID).
		SetGranularity(o.Granularity).SetResolution(o.Resolution).SetFps(o.FPS).SetSpeed(o.Speed).SetSubtitles(o.Subtitles).
		SetRevision(v.Revision).SetPlan(written).SetPlanHash(hash).SetCreatedAt(now).SetUpdatedAt(now).
		Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create export: %w", err)
	}

	return made, r.Jobs.Add(ctx, jobs.Render{ExportID: made.ID})
}

// hash tells an order for a plan, as it is written, from every other.
func (o order) hash(plan []byte) (string, error) {
	asked, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("write order: %w", err)
	}

	sum := sha256.New()
	_, _ = sum.Write(asked)
	_, _ = sum.Write(plan) // it may be megabytes, and is not copied

	return hex.EncodeToString(sum.Sum(nil)), nil
}

// cancelExport stops an export. Its job sees the row and ends what it runs.
func (r *Resolver) cancelExport(ctx context.Context, id string) (*ent.Export, error) {
	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*ent.Export, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		e, err := r.findExport(ctx, id, true)
		if err != nil {
			return nil, err
		}

		if e.UserID != who.UserID {
			may, err := r.mayEdit(ctx, who, e.Edges.Video)
			if err != nil {
				return nil, err
			}

			if !may {
				return nil, fault.Forbidden("Only who asked for an export and editors of its video may cancel it.")
			}
		}

		if !middleware.Holds(ctx, e.Edges.Video.Revision) {
			return nil, fault.EditConflict()
		}

		if e.FinishedAt != nil {
			return nil, fault.Conflict("The export has already ended: it is " + string(e.Status) + ".")
		}

		now := r.Store.Now()

		canceled, err := r.Store.Client(ctx).Export.UpdateOneID(id).Brief().SetStatus(values.ExportStatusCanceled).
			SetCancelRequestedAt(now).SetFinishedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("cancel export: %w", err)
		}

		return canceled, r.Store.Notify(ctx, jobs.ExportTopic(id))
	})
}

// exportOf is an export the caller may see, with its video, or not_found or forbidden: having asked
// for it is no right to have it once the video allows no downloads any more.
func (r *Resolver) exportOf(ctx context.Context, id string) (*ent.Export, error) {
	found, err := r.findExport(ctx, id, false)
	if err != nil {
		return nil, err
	}

	return found, r.refuseExport(ctx, found.Edges.Video, found.Granularity == values.GranularityRaw)
}

// findExport is an export of a video the caller may read, with its video, or not_found. Locked, it
// stays as it is until the transaction ends.
func (r *Resolver) findExport(ctx context.Context, id string, lock bool) (*ent.Export, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	at, named := beneath.Of(ctx)
	if !ids.Is(ids.Export, id) || named && !ids.Is(ids.Video, at.VideoID) {
		return nil, fault.NotFound("export")
	}

	q := r.Store.Client(ctx).Export.Query().Where(export.ID(id), export.ForPages(false), export.HasVideoWith(readable(who))).
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

// newestExport pays for an event about an export, and returns it, or what has become of it while the budget was spent.
func (r *Resolver) newestExport(ctx context.Context, e *ent.Export) (*ent.Export, error) {
	waited, err := limit.Event(ctx)
	if err != nil || !waited {
		return e, err //nolint:wrapcheck // a fault
	}

	return r.exportOf(ctx, e.ID)
}

// watchExport sends the export now and whenever it changes, until it has ended or nobody listens.
func (r *Resolver) watchExport(ctx context.Context, id string) (<-chan *ent.Export, error) {
	wake, stop := r.Topics.Subscribe(jobs.ExportTopic(id))

	now, err := r.exportOf(ctx, id)
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
					if now, err = r.newestExport(ctx, now); err != nil {
						return // the stream says why
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
				return // the stream says why
			}

			// Gone, no longer readable, or the database is away: the stream ends and the client asks again.
			if now, err = r.exportOf(ctx, id); err != nil {
				return
			}
		}
	}()

	return out, nil
}
