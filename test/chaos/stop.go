package chaos

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// Stopped is the outcome of Stop.
type Stopped struct {
	Stops   int
	Calls   int    // acknowledged
	Answers string // count of each status
}

const (
	stopDelay    = 500 * time.Millisecond // longer than the balancer takes to notice
	balanceEvery = 50 * time.Millisecond
	stopLimit    = time.Minute
)

// Stop stops servers with SIGTERM, one after the other, and starts a new server for each. Meanwhile two servers serve
// a mixed workload behind a load balancer that checks readiness. No request may fail or be refused.
func Stop(ctx context.Context, o Options, stops int) (Stopped, error) {
	var (
		all  [2]*process
		came Stopped
	)

	for i := range all {
		p, err := o.another(ctx)
		if err != nil {
			return came, err
		}

		all[i] = p
		defer func() { all[i].kill() }()
	}

	w, err := open(ctx, o, all[0])
	if err != nil {
		return came, err
	}
	defer w.close() //nolint:errcheck // best effort at the end

	b, err := newBalancer(ctx, all[0].addr, all[1].addr)
	if err != nil {
		return came, err
	}
	defer b.close() //nolint:errcheck // as above

	w.base = "http://" + b.addr
	working, stop := context.WithCancel(ctx)

	defer stop()

	wait := w.work(working)

	for ; came.Stops < stops; came.Stops++ {
		at := came.Stops % len(all)

		sleep(ctx, before)

		if err := all[at].end(); err != nil {
			return came, err
		}

		if all[at], err = o.another(ctx); err != nil {
			return came, err
		}

		b.use(all[0].addr, all[1].addr)
		sleep(ctx, before)
	}

	stop()
	wait()

	statuses := w.ledger.statuses()
	came.Calls, came.Answers = len(w.ledger.done), spread(statuses)

	if failed := statuses[0] + statuses[http.StatusServiceUnavailable] + statuses[http.StatusBadGateway]; failed > 0 {
		w.ledger.brokenf("%d requests failed", failed)
	}

	return came, w.verify(ctx)
}

// another starts a server at a free address.
func (o Options) another(ctx context.Context) (*process, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}

	return o.ready(ctx, addr, "REELGRAPH_STOP_DELAY="+stopDelay.String())
}

// end asks a process to stop and waits until it has exited.
func (p *process) end() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the product: %w", err)
	}

	select {
	case <-p.ended:
	case <-time.After(stopLimit):
		return fmt.Errorf("the product did not stop: %s", p.text())
	}

	if status := p.cmd.ProcessState.ExitCode(); status != 0 {
		return fmt.Errorf("the product exited with status %d: %s", status, p.text())
	}

	return nil
}

// A balancer distributes requests over the servers that report ready, like those of clouds. It checks periodically and
// never repeats a request.
type balancer struct {
	addr   string
	server *http.Server
	client *http.Client
	stop   context.CancelFunc
	asking sync.WaitGroup

	mu    sync.Mutex
	all   []string
	ready []string
	turn  int
}

func newBalancer(ctx context.Context, addrs ...string) (*balancer, error) {
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}

	ctx, stop := context.WithCancel(ctx)
	b := &balancer{addr: socket.Addr().String(), client: &http.Client{Timeout: time.Second}, stop: stop, all: addrs, ready: addrs}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: b.next()}) },
		Transport: &http.Transport{MaxIdleConnsPerHost: workers},
	}
	b.server = &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}

	go func() { _ = b.server.Serve(socket) }()

	b.asking.Go(func() {
		for ctx.Err() == nil {
			b.look(ctx)
			sleep(ctx, balanceEvery)
		}
	})

	return b, nil
}

func (b *balancer) close() error {
	b.stop()
	b.asking.Wait()

	return errors.Join(b.server.Close())
}

// use sets the servers to balance over.
func (b *balancer) use(addrs ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()

	b.all = addrs
}

func (b *balancer) next() string {
	b.mu.Lock()
	defer b.mu.Unlock()

	if b.turn++; len(b.ready) == 0 {
		return b.all[b.turn%len(b.all)]
	}

	return b.ready[b.turn%len(b.ready)]
}

// look asks every server whether it is ready.
func (b *balancer) look(ctx context.Context) {
	b.mu.Lock()
	all := b.all
	b.mu.Unlock()

	var ready []string

	for _, addr := range all {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
		if err != nil {
			continue
		}

		resp, err := b.client.Do(r)
		if err != nil {
			continue
		}

		_ = resp.Body.Close()

		if resp.StatusCode == http.StatusOK {
			ready = append(ready, addr)
		}
	}

	b.mu.Lock()
	defer b.mu.Unlock()

	b.ready = ready
}
