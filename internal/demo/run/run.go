package run

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Service starts and shows demo runs.
type Service struct {
	Store    *store.Store
	Topics   *store.Topics
	Jobs     *jobs.Queue
	Accounts *account.Service
}

// Fill starts to fill the workspace with demo videos. It returns forbidden unless the caller is an owner, and a conflict
// if the workspace has videos. If a run has not ended yet, Fill returns that run. After a failed run, its videos do not
// count, and the new run goes on with them.
func (svc *Service) Fill(ctx context.Context) (*ent.DemoRun, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.DemoRun, error) {
		who, err := svc.Accounts.Owner(ctx)
		if err != nil {
			return nil, err //nolint:wrapcheck // a fault, or it says what was attempted
		}

		was, err := svc.last(ctx)
		if err != nil {
			return nil, err
		}

		if was != nil && was.FinishedAt == nil { // its job is added again in case somebody has canceled it
			return was, svc.Jobs.Add(ctx, jobs.FillDemo{RunID: was.ID})
		}

		var made values.DemoMade
		if was != nil && was.Status == values.DemoStatusFailed {
			made = was.Made
		}

		if err := svc.refuseVideos(ctx, made); err != nil {
			return nil, err
		}

		c := svc.Store.Client(ctx).DemoRun

		if was != nil {
			if err := c.DeleteOneID(was.ID).Exec(ctx); err != nil {
				return nil, fmt.Errorf("replace the last demo run: %w", err)
			}
		}

		now, err := c.Create().SetUserID(who.UserID).SetMade(made).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create demo run: %w", err)
		}

		if err := svc.Jobs.Add(ctx, jobs.FillDemo{RunID: now.ID}); err != nil {
			return nil, err
		}

		return now, svc.Store.Notify(ctx, jobs.DemoTopic(who.WorkspaceID))
	})
}

// refuseVideos returns a conflict if the workspace has videos that no demo run has made, in the trash or not.
func (svc *Service) refuseVideos(ctx context.Context, made values.DemoMade) error {
	ours := make([]string, 0, len(made.Videos))
	for _, v := range made.Videos {
		ours = append(ours, v.ID)
	}

	others, err := svc.Store.Client(ctx).Video.Query().Where(video.IDNotIn(ours...)).Exist(auth.WithTrash(ctx))
	if err != nil {
		return fmt.Errorf("look for videos: %w", err)
	}

	if others {
		return fault.Conflict("The workspace has videos already, perhaps in the trash. Demo videos are only for a workspace without videos.")
	}

	return nil
}

// Last returns the last demo run of the workspace, or nil if there was none. It returns forbidden unless the caller is an
// owner.
func (svc *Service) Last(ctx context.Context) (*ent.DemoRun, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	if who.Role != auth.RoleOwner {
		return nil, fault.Forbidden("Only owners of the workspace may read this.")
	}

	return svc.last(ctx)
}

// last returns the demo run of the workspace of the context, or nil.
func (svc *Service) last(ctx context.Context) (*ent.DemoRun, error) {
	found, err := svc.Store.Client(ctx).DemoRun.Query().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // as documented
	}

	if err != nil {
		return nil, fmt.Errorf("read demo run: %w", err)
	}

	return found, nil
}

// Watch sends the demo run now and whenever it changes, until it has ended or the client leaves. It returns not_found if
// there is none.
func (svc *Service) Watch(ctx context.Context) (<-chan *ent.DemoRun, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	wake, stop := svc.Topics.Subscribe(jobs.DemoTopic(who.WorkspaceID))

	now, err := svc.present(ctx)
	if err != nil {
		stop()

		return nil, err
	}

	out := make(chan *ent.DemoRun)

	go func() {
		defer close(out)
		defer stop()

		for sent := (*ent.DemoRun)(nil); ; {
			if sent == nil || differs(sent, now) {
				if sent != nil {
					if now, err = svc.newest(ctx, now); err != nil {
						return // the stream reports the error
					}
				}

				sent = now

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

			// The caller is no longer an owner, or the database cannot be reached: the stream ends and the client
			// subscribes again.
			if now, err = svc.present(ctx); err != nil {
				return
			}
		}
	}()

	return out, nil
}

// differs reports whether a client sees a difference between two states.
func differs(a, b *ent.DemoRun) bool {
	return a.ID != b.ID || a.Status != b.Status || a.Progress != b.Progress
}

// present is Last, with not_found if there is no run.
func (svc *Service) present(ctx context.Context) (*ent.DemoRun, error) {
	now, err := svc.Last(ctx)
	if err == nil && now == nil {
		err = fault.NotFound("demo run")
	}

	return now, err
}

// newest counts an event against the API budget and returns the run. If it had to wait because the budget was used up, it
// reads the run again.
func (svc *Service) newest(ctx context.Context, now *ent.DemoRun) (*ent.DemoRun, error) {
	waited, err := limit.Event(ctx)
	if err != nil || !waited {
		return now, err //nolint:wrapcheck // a fault
	}

	return svc.present(ctx)
}
