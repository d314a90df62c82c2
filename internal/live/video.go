package live

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// watchVideo reads a video now and whenever it may have changed, until it is deleted, is no longer readable, or the
// client leaves. read returns what to send and whether to send it.
func watchVideo[T any](ctx context.Context, r *Service, id string, sel selection.Tree,
	read func(ctx context.Context, v *ent.Video) (T, bool, error),
) (<-chan T, error) {
	wake, stop := r.Topics.Subscribe(jobs.VideoTopic(id))

	now, err := r.Listing.Rights().ReadableVideo(ctx, id, sel)
	if err != nil {
		stop()

		return nil, err
	}

	out := make(chan T)

	go func() {
		defer close(out)
		defer stop()

		for first := true; ; first = false {
			// The database cannot be reached: the stream ends and the client subscribes again.
			what, send, err := read(ctx, now)
			if err != nil {
				return
			}

			if send && !first {
				if what, err = newest(ctx, r, id, sel, what, read); err != nil {
					return // the stream reports the error
				}
			}

			if send {
				select {
				case out <- what:
				case <-ctx.Done():
					return
				}
			}

			select {
			case <-wake:
			case <-ctx.Done():
				return
			}

			if limit.Again(ctx) != nil {
				return // the stream reports the error
			}

			if now, err = r.Listing.Rights().ReadableVideo(ctx, id, sel); err != nil {
				return
			}
		}
	}()

	return out, nil
}

// newest counts an event about a video against the API budget and returns what to send: the given value or, if it had
// to wait because the budget was used up, the current value.
func newest[T any](ctx context.Context, r *Service, id string, sel selection.Tree, what T,
	read func(ctx context.Context, v *ent.Video) (T, bool, error),
) (T, error) {
	waited, err := limit.Event(ctx)
	if err != nil || !waited {
		return what, err //nolint:wrapcheck // a fault
	}

	now, err := r.Listing.Rights().ReadableVideo(ctx, id, sel)
	if err != nil {
		return what, err
	}

	newer, news, err := read(ctx, now)
	if news {
		what = newer
	}

	return what, err
}

// VideoUpdated sends the video immediately, after every edit, and whenever the server has found out more about it.
func (svc *Service) VideoUpdated(ctx context.Context, id string) (<-chan *ent.Video, error) {
	sent, at := int64(-1), time.Time{}
	sel := selection.Of(ctx).And(selection.Fields("revision"))

	return watchVideo(ctx, svc, id, sel, func(_ context.Context, v *ent.Video) (*ent.Video, bool, error) {
		news := v.Revision != sent || !v.UpdatedAt.Equal(at)
		sent, at = v.Revision, v.UpdatedAt

		return v, news, nil
	})
}

// TranscriptReady sends the video's transcript if it is ready, and each time it becomes ready again.
func (svc *Service) TranscriptReady(ctx context.Context, videoID string) (<-chan *model.Transcript, error) {
	was := values.TranscriptStatusPending
	sel := selection.Fields("id").Under("transcript", selection.Of(ctx))

	return watchVideo(ctx, svc, videoID, sel, func(ctx context.Context, v *ent.Video) (*model.Transcript, bool, error) {
		now, err := svc.Listing.Words().TranscriptOf(ctx, v)
		if err != nil {
			return nil, false, err
		}

		news := now.Status == values.TranscriptStatusReady && was != values.TranscriptStatusReady
		was = now.Status

		return now, news, nil
	})
}
