package deliver

import (
	"context"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// A run is this process attending to one endpoint. It holds all its places, so that nobody else sends
// to it meanwhile and no delivery has to be claimed: those that are due are read, sent, and written down.
// What dies with the process is due still.
type run struct {
	*Deliver

	endpointID string
	until      time.Time     // when it lets others go first
	bell       chan struct{} // rings when there may be more to do
	called     bool          // somebody has rung since the last look; guarded by runs

	mu      sync.Mutex
	to      endpoint
	ahead   []*errand          // read, and to be sent next
	dry     bool               // there was nothing more to read
	failed  bool               // some attempt since the endpoint was read, or one that was being written down then
	failing int                // failed attempts that are being written down
	most    int                // how many to read at once
	read    time.Time          // when that was
	spared  bool               // other jobs, which need not be run
	taken   int                // of those that were read
	under   map[string]*errand // being sent, or written down
	width   int                // how many places are to be used
}

// runs are the endpoints that this process attends to, each once.
type runs struct {
	mu sync.Mutex
	by map[string]*run
}

func newRuns() *runs { return &runs{by: map[string]*run{}} }

// begin makes a run; nil when there is one, which then looks again.
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

// heard forgets who has called: what they called for is committed, and will be found.
func (r *runs) heard(hears *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hears.called = false
}

// leave ends a run, unless somebody has called since it last looked.
func (r *runs) leave(left *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	if left.called {
		return false
	}
	delete(r.by, left.endpointID)
	return true
}

// end ends a run, whoever has called.
func (r *runs) end(ended *run) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.by[ended.endpointID] == ended {
		delete(r.by, ended.endpointID)
	}
}

// has says whether this process attends to the endpoint.
func (r *runs) has(endpointID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[endpointID] != nil
}

func (r *run) ring() {
	select {
	case r.bell <- struct{}{}:
	default: // it rings already
	}
}

// over says whether the run should take no more.
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
