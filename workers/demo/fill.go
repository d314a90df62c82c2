// Package demo fills workspaces with demo videos, one workspace at a time on the whole server. Start with Fill.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/demorun"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/workers/media"
)

// Fill fills a workspace as the owner who asked for it. Nothing of it is announced.
type Fill struct {
	river.WorkerDefaults[jobs.FillDemo]
	media.Deps

	Guide *story.Guide
}

const (
	// turn is the lock that one run holds.
	turn = "demo"

	// turnBusy is how long a run waits before it tries again to get its turn.
	turnBusy = time.Second
)

// Timeout implements river.Worker. It returns no timeout: on a busy machine the videos take long, and the engine stops
// programs that make no progress.
func (*Fill) Timeout(*river.Job[jobs.FillDemo]) time.Duration { return -1 }

// errEnded means that the run has ended meanwhile.
var errEnded = errors.New("the demo run has ended")

// Work implements river.Worker. It goes on with what an earlier attempt made.
func (w *Fill) Work(ctx context.Context, job *river.Job[jobs.FillDemo]) error {
	release, taken, err := w.Locks.TrySlot(ctx, turn, 1)
	if err != nil {
		return fmt.Errorf("wait for the turn of demo run %s: %w", job.Args.RunID, err)
	}

	if !taken {
		return river.JobSnooze(turnBusy)
	}

	defer release()

	run, err := w.begin(auth.AsSystem(ctx), job.Args.RunID)
	if err != nil || run == nil {
		return err
	}

	began := w.Now()
	err = w.fill(ctx, run)

	switch {
	case err == nil:
		w.Logger.InfoContext(ctx, "demo: filled", slog.String("workspace", run.WorkspaceID), slog.Duration("took", w.Now().Sub(began)))

		return nil
	case errors.Is(err, errEnded):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("fill workspace %s: %w", run.WorkspaceID, err)
	}

	why, final := verdict(err, job.JobRow)
	if !final {
		return fmt.Errorf("fill workspace %s: %w", run.WorkspaceID, err)
	}

	w.Logger.ErrorContext(ctx, "demo: failed", slog.String("workspace", run.WorkspaceID), slog.Any("error", err))

	return w.fail(auth.AsSystem(ctx), run, why)
}

// begin marks a run as running. It returns nil if there is nothing to do.
func (w *Fill) begin(ctx context.Context, id string) (run *ent.DemoRun, err error) {
	err = w.change(ctx, id, func(u *ent.DemoRunUpdateOne) { u.SetStatus(values.DemoStatusRunning) })
	if errors.Is(err, errEnded) {
		return nil, nil //nolint:nilnil // as documented
	}

	if err == nil {
		run, err = w.Store.Client(ctx).DemoRun.Get(ctx, id)
	}

	if err != nil {
		return nil, fmt.Errorf("begin demo run %s: %w", id, err)
	}

	return run, nil
}

// change changes a run that has not ended, and tells those who watch it. It returns errEnded if the run has ended or is
// gone.
func (w *Fill) change(ctx context.Context, id string, set func(u *ent.DemoRunUpdateOne)) error {
	return w.Store.InTx(ctx, func(ctx context.Context) error {
		c := w.Store.Client(ctx).DemoRun

		found, err := c.Query().Where(demorun.ID(id)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) || err == nil && found.FinishedAt != nil {
			return errEnded
		}

		if err != nil {
			return fmt.Errorf("read demo run: %w", err)
		}

		update := c.UpdateOneID(id)
		set(update)

		if err := update.Exec(ctx); err != nil {
			return fmt.Errorf("update demo run: %w", err)
		}

		return w.Store.Notify(ctx, jobs.DemoTopic(found.WorkspaceID))
	})
}

// fill makes what is missing, and completes the run.
func (w *Fill) fill(ctx context.Context, run *ent.DemoRun) error {
	who, err := w.owner(auth.AsSystem(ctx), run)
	if err != nil {
		return err
	}

	ctx = queue.Quietly(auth.With(ctx, who))

	err = w.Guide.Tell(ffmpeg.LowPriority(ctx), run.Made, func(ctx context.Context, made values.DemoMade, percent int) error {
		return w.change(ctx, run.ID, func(u *ent.DemoRunUpdateOne) { u.SetMade(made).SetProgress(percent) })
	})
	if err != nil {
		return err
	}

	return w.Store.InTx(ctx, func(ctx context.Context) error {
		if err := w.Queue.Add(ctx, jobs.Roll{}); err != nil { // figures of the viewers
			return err
		}

		return w.change(ctx, run.ID, func(u *ent.DemoRunUpdateOne) {
			u.SetStatus(values.DemoStatusCompleted).SetProgress(100).SetFinishedAt(w.Now())
		})
	})
}

// owner returns the person who asked for a run. It returns forbidden if they are no longer an owner of the workspace.
func (w *Fill) owner(ctx context.Context, run *ent.DemoRun) (auth.Viewer, error) {
	found, err := w.Store.Client(ctx).Membership.Query().
		Where(membership.WorkspaceID(run.WorkspaceID), membership.UserID(run.UserID)).WithWorkspace().Only(ctx)
	if ent.IsNotFound(err) || err == nil && found.Role != auth.RoleOwner {
		return auth.Viewer{}, fault.Forbidden("The person who asked for the demo videos is no longer an owner of the workspace.")
	}

	if err != nil {
		return auth.Viewer{}, fmt.Errorf("read membership: %w", err)
	}

	return auth.Viewer{
		UserID: run.UserID, WorkspaceID: run.WorkspaceID, Role: found.Role, Plan: found.Edges.Workspace.Plan,
	}, nil
}

// fail ends a run with a reason.
func (w *Fill) fail(ctx context.Context, run *ent.DemoRun, why event.Problem) error {
	err := w.change(ctx, run.ID, func(u *ent.DemoRunUpdateOne) {
		u.SetStatus(values.DemoStatusFailed).SetErrorCode(why.Code).SetErrorMessage(why.Message).SetFinishedAt(w.Now())
	})
	if err != nil && !errors.Is(err, errEnded) {
		return fmt.Errorf("fail demo run %s: %w", run.ID, err)
	}

	return nil
}

// verdict returns why a run failed, in words for the owner, and whether that is final. Reasons that the owner can change
// are; anything else is tried again.
func verdict(err error, job *rivertype.JobRow) (why event.Problem, final bool) {
	refused, isRefused := errors.AsType[*middleware.RefusalError](err)
	wrong, isFault := errors.AsType[*fault.Error](err)

	switch {
	case errors.Is(err, blob.ErrNoSpace), errors.Is(err, ffmpeg.ErrDiskFull):
		return event.Problem{Code: "no_space", Message: "The disk of the server is full."}, true
	case isRefused:
		return event.Problem{Code: "no_space", Message: refused.Fault.Message}, true
	case isFault && wrong.Code == fault.ForbiddenCode:
		return event.Problem{Code: string(wrong.Code), Message: wrong.Message}, true
	default:
		return media.OurFault("fill the workspace"), job.Attempt >= job.MaxAttempts
	}
}
