package live

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
)

// SourceUpdated sends a source at once, and whenever it has changed, until it is deleted or the caller may no longer know
// of it. Bytes that arrive are no change.
func (s *Service) SourceUpdated(ctx context.Context, id string) (<-chan *ent.Source, error) {
	wake, stop := s.Topics.Subscribe(jobs.SourceTopic(id))

	now, err := s.Listing.Rights().KnownSource(ctx, id, "source")
	if err != nil {
		stop()

		return nil, err
	}

	out := make(chan *ent.Source)

	go func() {
		defer close(out)
		defer stop()

		for sent := (time.Time{}); ; {
			if !now.UpdatedAt.Equal(sent) {
				if !sent.IsZero() {
					if now, err = s.newest(ctx, now); err != nil {
						return // the stream reports the error
					}
				}

				if sent = now.UpdatedAt; !send(ctx, out, now) {
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

			if now, err = s.Listing.Rights().KnownSource(ctx, id, "source"); err != nil {
				return
			}
		}
	}()

	return out, nil
}

// newest counts an event about a source and returns the source. If it had to wait for the budget, it reads the source
// again.
func (s *Service) newest(ctx context.Context, was *ent.Source) (*ent.Source, error) {
	waited, err := limit.Event(ctx)
	if err != nil || !waited {
		return was, err //nolint:wrapcheck // a fault
	}

	return s.Listing.Rights().KnownSource(ctx, was.ID, "source")
}
