package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A part of a process runs until its context ends. One that ends before is missed: it takes the
// process with it.
type part struct {
	name string
	run  func(ctx context.Context) error
}

// running is a part on its way.
type running struct {
	name  string
	stop  context.CancelFunc
	ended chan error
}

// run runs parts, each on top of those before it, until the context ends or one of them does. It
// then stops them in the opposite order, waiting for each.
func (n *node) run(ctx context.Context, parts ...part) error {
	life := context.WithoutCancel(ctx)
	missed := make(chan struct{}, len(parts))
	all := make([]running, len(parts))

	for i, p := range parts {
		own, stop := context.WithCancel(life)
		all[i] = running{name: p.name, stop: stop, ended: make(chan error, 1)}

		go func() {
			err := p.run(own)
			if own.Err() == nil {
				err = errors.Join(fmt.Errorf("%s stopped unexpectedly", p.name), err)
			}

			all[i].ended <- err

			missed <- struct{}{}
		}()
	}

	select {
	case <-ctx.Done():
		n.log.Info("stopping, a second signal exits immediately")
	case <-missed:
	}

	var faults []error

	for _, r := range slices.Backward(all) {
		r.stop()

		if err := <-r.ended; err != nil && !errors.Is(err, context.Canceled) {
			faults = append(faults, err)
		}
	}

	return errors.Join(faults...)
}

// parts are what every long-running command has below the rest: the database and its notifications.
func (n *node) parts() []part {
	return []part{
		{"the private Postgres", n.mindPostgres},
		{"the listener", func(ctx context.Context) error {
			n.topics.Run(ctx)

			return nil
		}},
	}
}

// A private Postgres that keeps ending is started again after waits that double from the first to the longest of these.
const (
	firstWait   = time.Second
	longestWait = 30 * time.Second

	// steady is how long it runs before an end counts as the first one again.
	steady = time.Minute
)

// mindPostgres starts the private Postgres again when it ends by itself, at once the first time, for as long as
// it takes. Meanwhile requests are answered as unavailable, the server says that it is not ready, and jobs wait.
func (n *node) mindPostgres(ctx context.Context) error {
	var wait time.Duration

	for began := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-n.postgres.Lost:
		}

		if time.Since(began) >= steady {
			wait = 0
		}

		n.log.Error("private postgres stopped, restarting it", "wait", wait)

		if !pause(ctx, wait) {
			return nil
		}

		wait = min(max(2*wait, firstWait), longestWait)
		began = time.Now()

		again, err := n.postgres.again(ctx)
		if err != nil {
			n.log.Error("cannot start the private postgres", "error", err)

			continue
		}

		n.postgres = again
	}
}

// pause waits, and reports whether the context still goes on.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
