package live

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
)

// apart is the shortest time between two events of one listener. What changes meanwhile is told with the next one.
const apart = time.Second

// listener is one subscription to a part of the log.
type listener[T any] struct {
	*Service

	videoID string            // empty for the whole workspace
	wakes   []<-chan struct{} // at most two; they receive a value when the listener has to look
	// tell returns what to send about these changes, and false if none of it is for the viewer. It returns an error when
	// the viewer may no longer listen.
	tell func(ctx context.Context, who auth.Viewer, all []changed) (T, bool, error)
}

// follow sends an event without changes at once, and then what changes. It stops when the client leaves, when the
// viewer may no longer listen or has gone to another workspace, or when the database cannot be reached. The client then
// subscribes again and reads again what it shows.
func follow[T any](ctx context.Context, l listener[T], stop func()) (<-chan T, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		stop()

		return nil, err
	}

	// The listener is subscribed already, so what is committed from here on wakes it.
	at, err := l.now(ctx)
	if err != nil {
		stop()

		return nil, err
	}

	first, _, err := l.tell(ctx, who, nil)
	if err != nil {
		stop()

		return nil, err
	}

	out := make(chan T)

	go func() {
		defer close(out)
		defer stop()

		if !l.send(ctx, out, first) {
			return
		}

		for sent := time.Now(); l.sleep(ctx); {
			if at, sent, err = l.catchUp(ctx, who.WorkspaceID, at, sent, out); err != nil {
				return // if it is about the credential, the stream reports it
			}
		}
	}()

	return out, nil
}

// sleep waits until something may have changed. It returns false if the client has left.
func (l listener[T]) sleep(ctx context.Context) bool {
	other := l.wakes[len(l.wakes)-1]

	select {
	case <-l.wakes[0]:
	case <-other:
	case <-ctx.Done():
		return false
	}

	return true
}

// catchUp sends what changed after a position, in as many events as it takes. It returns the position after that, and
// when it last looked. It costs one event for each. After a wait for the budget it reads again, so that the
// event says what is true now.
func (l listener[T]) catchUp(
	ctx context.Context, workspaceID string, at position, sent time.Time, out chan<- T,
) (position, time.Time, error) {
	woken := l.Store.Now()

	for more, paid := true, false; more; {
		if !pause(ctx, sent.Add(apart)) {
			return at, sent, ctx.Err()
		}

		if err := limit.Again(ctx); err != nil {
			return at, sent, err //nolint:wrapcheck // the stream reports it
		}

		who, err := access.Viewer(ctx)
		if err != nil {
			return at, sent, err
		}

		if who.WorkspaceID != workspaceID || l.Store.Now().Sub(woken) > tooLate {
			return at, sent, errOver
		}

		all, next, err := l.read(ctx, who, at, l.videoID)
		if err != nil {
			return at, sent, err
		}

		event, news, err := l.tell(ctx, who, all)
		if err != nil {
			return at, sent, err
		}

		if news && !paid {
			waited, err := limit.Event(ctx)
			if err != nil {
				return at, sent, err //nolint:wrapcheck // the stream reports it
			}

			if paid = waited; waited {
				continue
			}
		}

		if news {
			if !l.send(ctx, out, event) {
				return at, sent, errOver
			}

			paid = false
		}

		sent = time.Now() // also when nothing was told: looking costs the database as much

		at, more = next, next.until != ""
	}

	return at, sent, nil
}

// send sends an event. It returns false if the client has left, or took it so late that the log may have lost what
// changed meanwhile.
func (l listener[T]) send(ctx context.Context, out chan<- T, event T) bool {
	began := l.Store.Now()

	return send(ctx, out, event) && l.Store.Now().Sub(began) < tooLate
}

func send[T any](ctx context.Context, out chan<- T, event T) bool {
	select {
	case out <- event:
		return true
	case <-ctx.Done():
		return false
	}
}
