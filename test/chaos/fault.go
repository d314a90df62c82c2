package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/localpg"
)

const (
	// healed is the time after a fault within which a request must succeed.
	healed = 5 * time.Second

	faultLasts = 1500 * time.Millisecond
	before     = 300 * time.Millisecond // workload before a fault
)

// Withstood is the result of one fault.
type Withstood struct {
	Fault    string
	Answers  string        // count of each status, during the fault and after
	Recovery time.Duration // from the end of the fault to the first successful write
}

// A fault is injected while the workload runs. begin starts it and end, which may be nil, ends it.
type fault struct {
	name       string
	begin, end func(ctx context.Context) error
	lasts      time.Duration // 0 means faultLasts
}

// Faults makes the database fail in several ways, one after the other, during a mixed workload. Every response must
// be a success or a 503 with Retry-After, the product must recover by itself within seconds, and each acknowledged
// call must be stored exactly once. An error means that one of these did not hold.
func Faults(ctx context.Context, o Options) (all []Withstood, err error) {
	settings := localpg.Options{DataDir: o.Folder + "/database"}

	pg, err := localpg.Start(ctx, settings)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pg.Stop()) }()

	between, err := newLine(ctx, pg.DSN())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, between.close()) }()

	o.DSN = between.DSN

	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}

	p, err := o.ready(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer p.kill()

	direct := o
	direct.DSN = pg.DSN() // comparing must not go through the broken line

	w, err := open(ctx, direct, p)
	if err != nil {
		return nil, err
	}
	defer w.close() //nolint:errcheck // best effort at the end

	restart := func(ctx context.Context) error {
		if err := pg.Stop(); err != nil {
			return err
		}

		pg, err = localpg.Start(ctx, settings)

		return err
	}

	for _, f := range w.faults(between, restart) {
		came, err := w.withstand(ctx, f, p)
		if all = append(all, came); err != nil {
			return all, fmt.Errorf("%s: %w; output of the product: %s", f.name, err, p.text())
		}
	}

	return all, w.verify(ctx)
}

func (w *world) faults(between *line, restart func(context.Context) error) []fault {
	line := func(c condition) func(context.Context) error {
		return func(context.Context) error {
			between.become(c)

			return nil
		}
	}

	return []fault{
		{name: "Postgres is restarted", begin: restart},
		{name: "every connection is killed", begin: w.sql(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)},
		{
			name:  "Postgres is read-only",
			begin: w.sql(`ALTER SYSTEM SET default_transaction_read_only = on`, `SELECT pg_reload_conf()`),
			end:   w.sql(`ALTER SYSTEM RESET default_transaction_read_only`, `SELECT pg_reload_conf()`),
		},
		{name: "Postgres is slow", begin: line(condition{delay: 100 * time.Millisecond}), end: line(condition{})},
		{name: "Postgres is silent", begin: line(condition{mute: true}), end: line(condition{}), lasts: 4 * time.Second},
		{name: "Postgres is gone", begin: line(condition{cut: true}), end: line(condition{})},
	}
}

// sql returns a step that runs statements on the database directly.
func (w *world) sql(statements ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, s := range statements {
			if _, err := w.store.DB.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("%.40s: %w", s, err)
			}
		}

		return nil
	}
}

// withstand injects a fault under the workload and waits until the product has recovered.
func (w *world) withstand(ctx context.Context, f fault, p *process) (Withstood, error) {
	came := Withstood{Fault: f.name}
	working, stop := context.WithCancel(ctx)

	defer stop()

	wait := w.work(working)

	sleep(ctx, before)
	w.ledger.statuses()

	if err := f.begin(ctx); err != nil {
		return came, err
	}

	if f.end != nil {
		lasts := f.lasts
		if lasts == 0 {
			lasts = faultLasts
		}

		sleep(ctx, lasts)

		if err := f.end(ctx); err != nil {
			return came, err
		}
	}

	recovery, err := w.recovery(ctx)
	came.Recovery = recovery

	sleep(ctx, before)
	stop()
	wait()
	w.settle(ctx)

	statuses := w.ledger.statuses()
	came.Answers = spread(statuses)

	if statuses[0] > 0 {
		w.ledger.brokenf("%s: %d connections to the product broke", f.name, statuses[0])
	}

	select {
	case <-p.ended:
		w.ledger.brokenf("%s: the product has ended", f.name)
	default:
	}

	return came, errors.Join(err, w.ledger.verdict())
}

// recovery measures the time until a write succeeds.
func (w *world) recovery(ctx context.Context) (time.Duration, error) {
	began := time.Now()

	for {
		c := w.next(w.random)
		c.kind, c.method, c.path, c.body = makesTag, http.MethodPost, "/v1/tags", fmt.Sprintf(`{"name":%q}`, c.key)
		w.ledger.begin(c)

		settled, err := w.try(ctx, c)
		took := time.Since(began)

		switch {
		case settled:
			return took, nil
		case took > healed || err != nil:
			return took, errors.Join(fmt.Errorf("no write succeeded within %s after the fault", took), err)
		}

		sleep(ctx, 10*time.Millisecond)
	}
}
