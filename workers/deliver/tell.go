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

// tellEvery is the shortest interval between notifications to the watchers of an endpoint.
const tellEvery = 100 * time.Millisecond

// announcer notifies the watchers of endpoints. It works outside the transactions that store attempts, because
// commits with NOTIFY wait for each other. Attempts in quick succession share one notification.
type announcer struct {
	store *store.Store
	log   *slog.Logger

	mu     sync.Mutex
	topics map[string]bool // topics to notify; nil when no notification is scheduled
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
			a.log.WarnContext(ctx, "deliver: cannot tell subscribers about new delivery attempts", slog.Any("error", err))

			return
		}
	}
}
