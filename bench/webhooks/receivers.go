package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A temper is how an endpoint behaves.
type temper int32

const (
	healthy temper = iota
	hangs
	fails
)

// receivers are the endpoints, each with its own address.
type receivers struct {
	all []*endpoint

	mu      sync.Mutex
	first   map[string]time.Time // first arrival of each message
	arrived chan struct{}        // closed when all awaited messages have arrived
	left    int
	counted int // number of leading receivers that count
}

type endpoint struct {
	*receivers

	n      int
	url    string
	server *http.Server
	temper atomic.Int32
}

func (r *receivers) listen(ctx context.Context, n int) error {
	for n := range n {
		socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("listen: %w", err)
		}

		e := &endpoint{receivers: r, n: n, url: "http://" + socket.Addr().String() + "/hook"}
		e.server = &http.Server{Handler: e, ReadHeaderTimeout: time.Minute}
		r.all = append(r.all, e)

		go func() { _ = e.server.Serve(socket) }()
	}

	return nil
}

func (r *receivers) close() error {
	var faults []error
	for _, e := range r.all {
		faults = append(faults, e.server.Close())
	}

	return errors.Join(faults...)
}

// await resets the receivers and waits for that many different messages at the first counted receivers.
func (r *receivers) await(messages, counted int) (all <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.first, r.left, r.arrived = make(map[string]time.Time, messages), messages, make(chan struct{})
	r.counted = counted

	return r.arrived
}

// came returns the first arrival of each message.
func (r *receivers) came() map[string]time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.first
}

// pace returns the messages a second between the first and the last arrival.
func (r *receivers) pace() float64 {
	times := slices.SortedFunc(maps.Values(r.came()), time.Time.Compare)

	return float64(len(times)) / times[len(times)-1].Sub(times[0]).Seconds()
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	at := time.Now()
	_, _ = io.Copy(io.Discard, req.Body)

	switch temper(e.temper.Load()) {
	case hangs:
		<-req.Context().Done()

		return
	case fails:
		w.WriteHeader(http.StatusInternalServerError)

		return
	case healthy:
	}

	e.take(req.Header.Get("Webhook-Id"), at)
}

func (e *endpoint) take(id string, at time.Time) {
	r := e.receivers

	r.mu.Lock()
	defer r.mu.Unlock()

	if _, known := r.first[id]; known || r.left == 0 || e.n >= r.counted {
		return
	}

	r.first[id] = at
	r.left--

	if r.left == 0 {
		close(r.arrived)
	}
}
