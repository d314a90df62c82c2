package deliver

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// tellEvery is how often at most the watchers of an endpoint are woken.
const tellEvery = 100 * time.Millisecond

// announcer wakes whoever watches endpoints. It is no part of the transaction that writes attempts:
// commits that notify wait for each other. Attempts that follow each other soon are told of at once.
type announcer struct {
	store *store.Store
	log   *slog.Logger

	mu     sync.Mutex
	topics map[string]bool // that are still to be told; nil while nobody is about to
}

func (a *announcer) tell(all []tried) {
	a.mu.Lock()
	defer a.mu.Unlock()

	if a.topics == nil {
		a.topics = map[string]bool{}
		time.AfterFunc(tellEvery, a.flush)
	}
	for _, m := range all {
		a.topics[jobs.EndpointTopic(m.endpoint.id)] = true
	}
}

func (a *announcer) flush() {
	a.mu.Lock()
	topics := sortedKeys(a.topics)
	a.topics = nil
	a.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	for some := range slices.Chunk(topics, 1000) {
		if err := a.store.Announce(ctx, some...); err != nil {
			a.log.WarnContext(ctx, "deliver: tell of attempts", slog.Any("error", err))
			return
		}
	}
}
