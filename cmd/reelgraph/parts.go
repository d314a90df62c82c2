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
				err = errors.Join(fmt.Errorf("%s ended by itself", p.name), err)
			}

			all[i].ended <- err
			missed <- struct{}{}
		}()
	}

	select {
	case <-ctx.Done():
		n.log.Info("stopping; a second signal ends at once")
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

// hopeless is how soon a Postgres that ends again is not started any more.
const hopeless = 5 * time.Second

// mindPostgres starts the private Postgres again when it ends by itself. Meanwhile requests are answered
// as unavailable, and jobs wait.
func (n *node) mindPostgres(ctx context.Context) error {
	for {
		began := time.Now()

		select {
		case <-ctx.Done():
			return nil
		case <-n.postgres.Lost:
		}

		if time.Since(began) < hopeless {
			return errors.New("it does not stay")
		}

		n.log.Error("the private Postgres has ended, and is started again")

		again, err := n.postgres.again(ctx)
		if err != nil {
			return fmt.Errorf("start the private Postgres again: %w", err)
		}

		n.postgres = again
	}
}
