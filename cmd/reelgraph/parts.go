package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A part of a process runs until its context ends. If it ends before, the whole process stops.
type part struct {
	name string
	run  func(ctx context.Context) error
}

// running is a started part.
type running struct {
	name  string
	stop  context.CancelFunc
	ended chan error
}

// run starts parts in order and waits until the context or one of them ends. It then stops them in reverse order, waiting
// for each.
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
		n.log.Info("stopping; a second signal exits immediately")
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

// parts returns the parts of every long-running command: the database and its notifications.
func (n *node) parts() []part {
	return []part{
		{"the private Postgres", n.mindPostgres},
		{"the listener", func(ctx context.Context) error {
			n.topics.Run(ctx)

			return nil
		}},
	}
}

// A private Postgres that keeps ending is restarted after waits that double from firstWait to longestWait.
const (
	firstWait   = time.Second
	longestWait = 30 * time.Second

	// steady is how long it must run before its next end counts as the first one again.
	steady = time.Minute
)

// mindPostgres restarts the private Postgres when it ends by itself, at once the first time, and retries as long as
// needed. Meanwhile requests are answered as unavailable, the server is not ready, and jobs wait.
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

// pause waits, and reports whether the context is still active.
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
