package videos

import (
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A video in the trash keeps all its rows and files, so that it can be restored as it was. The ent schema leaves it out
// of every read of videos; the functions here ask for it with auth.WithTrash.

// ListTrash returns a page of the videos in the trash that the caller may restore, the last trashed first.
func (svc Trash) ListTrash(ctx context.Context, size int, after *string) (*model.VideoConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	ctx = auth.WithTrash(ctx)
	turn := svc.Listing.Paging.Turn("trash|" + who.WorkspaceID + "|" + who.UserID)
	q := svc.Store.Client(ctx).Video.Query().Where(access.Restorable(who))
	whole := q.Clone()

	svc.Listing.SelectVideo(who, q, selection.Of(ctx).Items().And(selection.Fields("trashedAt")))

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, video.FieldTrashedAt))
	}

	rows, err := q.Order(ent.Desc(video.FieldTrashedAt, video.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the trash: %w", err)
	}

	at := func(v *ent.Video) cursor.Cursor { return paging.PositionAt(*v.TrashedAt, v.ID) }

	return paging.PageOf(turn, rows, size, at, func(ctx context.Context) (int, error) { return whole.Count(auth.WithTrash(ctx)) }), nil
}

// PurgedAt returns when a video in the trash will be deleted, or nil if it is not in the trash.
func PurgedAt(v *ent.Video) *time.Time {
	if v.TrashedAt == nil {
		return nil
	}

	return new(v.TrashedAt.Add(jobs.TrashKept))
}

// TrashVideos moves videos to the trash: all of them or, if the caller may not delete one of them, none. Their unfinished
// exports are canceled.
func (svc Trash) TrashVideos(ctx context.Context, in model.NamedIDs) ([]string, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) ([]string, error) {
		named := rights.Named{Argument: "ids", IDs: in.IDs}

		chosen, err := svc.Listing.Rights().LockedVideos(ctx, named)
		if err != nil {
			return nil, err
		}

		for _, v := range chosen {
			if err := svc.Listing.Rights().RefuseEdit(ctx, v, mayDelete); err != nil {
				return nil, named.Refused(v.ID, err)
			}
		}

		gone := idsOf(chosen)

		err = svc.Store.Client(ctx).Video.Update().Where(video.IDIn(gone...)).SetTrashedAt(svc.Store.Now()).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("trash videos: %w", err)
		}

		if err := svc.cancelExports(ctx, gone); err != nil {
			return nil, err
		}

		return gone, svc.tell(ctx, jobs.VideoTopic, gone)
	})
}

// cancelExports cancels the unfinished exports of videos, also those for their pages.
func (svc Trash) cancelExports(ctx context.Context, videoIDs []string) error {
	c := svc.Store.Client(ctx)

	late, err := c.Export.Query().Where(export.VideoIDIn(videoIDs...), export.FinishedAtIsNil()).ForUpdate().IDs(ctx)
	if err != nil {
		return fmt.Errorf("read exports: %w", err)
	}

	at := svc.Store.Now()

	if err := c.Export.Update().Where(export.IDIn(late...), export.FinishedAtIsNil()).SetStatus(values.ExportStatusCanceled).
		SetCancelRequestedAt(at).SetFinishedAt(at).SetUpdatedAt(at).Exec(ctx); err != nil {
		return fmt.Errorf("cancel exports: %w", err)
	}

	return svc.tell(ctx, jobs.ExportTopic, late)
}

// RestoreVideos takes videos out of the trash: all of them or, if the caller may not restore one of them, none.
func (svc Trash) RestoreVideos(ctx context.Context, in model.NamedIDs) ([]*ent.Video, error) {
	sel := selection.Of(ctx).Below("videos")

	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) ([]*ent.Video, error) {
		if _, err := access.Creator(ctx); err != nil { // viewers may restore nothing, not even their own
			return nil, err
		}

		chosen, err := svc.Listing.Rights().TrashedVideos(ctx, rights.Named{Argument: "ids", IDs: in.IDs})
		if err != nil {
			return nil, err
		}

		back := idsOf(chosen)

		if err := svc.Store.Client(ctx).Video.Update().Where(video.IDIn(back...)).ClearTrashedAt().Exec(ctx); err != nil {
			return nil, fmt.Errorf("restore videos: %w", err)
		}

		if err := svc.tell(ctx, jobs.VideoTopic, back); err != nil {
			return nil, err
		}

		return svc.Listing.VideosAgain(ctx, chosen, sel)
	})
}

// tell wakes those who watch some objects.
func (svc Trash) tell(ctx context.Context, topicOf func(id string) string, named []string) error {
	topics := make([]string, len(named))
	for i, id := range named {
		topics[i] = topicOf(id)
	}

	return svc.Store.Notify(ctx, topics...) //nolint:wrapcheck // already wrapped
}

func idsOf(videos []*ent.Video) []string {
	named := make([]string, len(videos))
	for i, v := range videos {
		named[i] = v.ID
	}

	return named
}
