package deliver

import (
	"context"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// A run is the work of this process on one endpoint. It holds the endpoint's lock, so nobody else sends to it
// meanwhile and deliveries need not be claimed. If the process dies, unsent deliveries are still due.
type run struct {
	*Deliver

	endpointID string
	until      time.Time     // when it lets others go first
	bell       chan struct{} // signals that there may be more to do
	called     bool          // somebody has signaled since the last look; guarded by runs

	mu      sync.Mutex
	to      endpoint
	ahead   []*errand          // read, to be sent next
	dry     bool               // the last read found nothing more
	failed  bool               // an attempt has failed since the endpoint was read, or a failed one was being stored then
	failing int                // failed attempts that are being stored
	most    int                // how many to read at once
	read    time.Time          // when ahead was read
	spared  bool               // redundant jobs have been removed
	taken   int                // how many of those read were taken
	under   map[string]*errand // being sent or stored
	width   int                // how many places to use
}

// runs holds the endpoints that this process works on, each once.
type runs struct {
	mu sync.Mutex
	by map[string]*run
}

func newRuns() *runs { return &runs{by: map[string]*run{}} }

// begin starts a run. It returns nil if there is one already, which then looks again.
func (r *runs) begin(endpointID string) *run {
	r.mu.Lock()
	defer r.mu.Unlock()

	if present := r.by[endpointID]; present != nil {
		present.called = true
		present.ring()

		return nil
	}

	begun := &run{endpointID: endpointID, bell: make(chan struct{}, 1)}
	r.by[endpointID] = begun

	return begun
}

// heard clears the signal before a look. What was signaled is committed, so the look finds it.
func (r *runs) heard(hears *run) {
	r.mu.Lock()
	defer r.mu.Unlock()

	hears.called = false
}

// leave ends a run, unless it was signaled since its last look.
func (r *runs) leave(left *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	if left.called {
		return false
	}

	delete(r.by, left.endpointID)

	return true
}

// end ends a run, even if it was signaled.
func (r *runs) end(ended *run) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.by[ended.endpointID] == ended {
		delete(r.by, ended.endpointID)
	}
}

// has reports whether this process works on the endpoint.
func (r *runs) has(endpointID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.by[endpointID] != nil
}

func (r *run) ring() {
	select {
	case r.bell <- struct{}{}:
	default: // it is signaled already
	}
}

// over reports whether the run should take no more deliveries.
func (r *run) over(ctx context.Context) bool {
	select {
	case <-queue.Leaving(ctx):
		return true
	case <-ctx.Done():
		return true
	default:
		return time.Now().After(r.until)
	}
}
