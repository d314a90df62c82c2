package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// asks are the requests of a quick workspace, by name.
var asks = []struct {
	name string
	ask  func(ctx context.Context, t *tenant) error
}{
	{"still", func(ctx context.Context, t *tenant) error { return t.picture(ctx, 18, "width=320") }},
	{"extract", func(ctx context.Context, t *tenant) error {
		return t.picture(ctx, 18, "format=gif&durationMs=500&width=160")
	}},
	{"probe", func(ctx context.Context, t *tenant) error {
		_, err := t.upload(ctx, t.probed)

		return err
	}},
}

// round is what was measured in all rounds of a kind.
type round struct {
	mu    sync.Mutex
	whole map[string][]float64 // seconds, for each kind of request
	waits map[string][]float64 // for a worker, for each kind of job
	slow  int                  // finished jobs of the slow workspace
}

func (r *round) add(name string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.whole[name] = append(r.whole[name], took.Seconds())
}

const (
	beside   = "a slow workspace"
	baseline = "an endless loop on one core"
)

// rounds measures in turn next to the slow workspace and next to a busy core.
func (b *bench) rounds(ctx context.Context, n int, length time.Duration) (string, error) {
	all := map[string]*round{
		beside:   {whole: map[string][]float64{}, waits: map[string][]float64{}},
		baseline: {whole: map[string][]float64{}, waits: map[string][]float64{}},
	}

	once := func(ctx context.Context, name string) (int, error) { return 0, b.round(ctx, name, length, all[name]) }

	_, err := measure.InTurn(ctx, measure.Rounds{Least: n, Most: n}, []string{baseline, beside}, once,
		func(map[string][]int) bool { return true })
	if err != nil {
		return "", err //nolint:wrapcheck // the error says what was measured
	}

	return report(all)
}

// round runs the nine workspaces for a while next to the given load.
func (b *bench) round(ctx context.Context, beside string, length time.Duration, into *round) error {
	own, stop := context.WithCancel(ctx)
	defer stop()

	ended := make(chan error, 1)

	if beside == baseline {
		loop := exec.CommandContext(own, "sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			return fmt.Errorf("start a loop: %w", err)
		}

		go func() {
			_ = loop.Wait()

			ended <- nil
		}()
	} else {
		go func() { ended <- b.slow().slowly(own) }()

		if err := pause(ctx, 3*time.Second); err != nil { // time to occupy all its workers
			return err
		}
	}

	var began time.Time
	if err := b.db.QueryRowContext(ctx, "SELECT now()").Scan(&began); err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}

	err := b.quickly(ctx, length, into)

	stop()

	err = errors.Join(err, <-ended, b.waits(ctx, began, into))

	return errors.Join(err, b.idle(ctx))
}

// quickly lets each of the nine send one request of each kind every five seconds, at different moments.
func (b *bench) quickly(ctx context.Context, length time.Duration, into *round) error {
	var all sync.WaitGroup

	faults := make(chan error, 10_000)
	until := time.Now().Add(length)

	for i, t := range b.tenants[:quick] {
		all.Go(func() {
			if err := pause(ctx, every*time.Duration(i)/quick); err != nil {
				return
			}

			for next := time.Now(); next.Before(until); next = next.Add(every) {
				for _, a := range asks {
					all.Go(func() {
						began := time.Now()

						if err := a.ask(ctx, t); err != nil {
							faults <- fmt.Errorf("%s: %w", a.name, err)

							return
						}

						into.add(a.name, time.Since(began))
					})
				}

				if pause(ctx, time.Until(next.Add(every))) != nil {
					return
				}
			}
		})
	}

	all.Wait()
	close(faults)

	return <-faults
}

// slowly keeps more slow jobs queued than there are workers, until the context ends.
func (t *tenant) slowly(ctx context.Context) error {
	if err := t.call(ctx, http.MethodPost, "/v1/videos/"+t.video+"/exports", asJSON, `{}`, nil); err != nil {
		return err
	}

	var all sync.WaitGroup

	faults := make(chan error, 16)

	for _, work := range []func() error{
		func() error { return t.excerpt(ctx) },
		func() error { return t.excerpt(ctx) },
		func() error { return t.excerpt(ctx) },
		func() error { return t.excerpt(ctx) },
		func() error { return t.picture(ctx, 500, "width=1920") },
		func() error { return t.picture(ctx, 500, "width=1920") },
		func() error { return t.probe(ctx) },
		func() error { return t.probe(ctx) },
		func() error { return t.probe(ctx) },
		func() error { return t.probe(ctx) },
	} {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := work(); err != nil && ctx.Err() == nil {
					faults <- err

					return
				}
			}
		})
	}

	all.Wait()
	close(faults)

	return <-faults
}

// probe uploads a source to probe and deletes it. Otherwise its sound would still be measured long after the round.
func (t *tenant) probe(ctx context.Context) error {
	id, err := t.upload(ctx, t.probed)
	if err != nil {
		return err
	}

	return t.call(ctx, http.MethodDelete, "/v1/sources/"+id, asJSON, "", nil)
}

// waits reads how long jobs of the nine have waited for a worker since a time.
func (b *bench) waits(ctx context.Context, since time.Time, into *round) error {
	rows, err := b.db.QueryContext(ctx, `
		SELECT j.kind, coalesce(j.metadata->>'workspace', ''), extract(epoch FROM j.attempted_at - j.scheduled_at)::float8, j.state
		FROM river_job j WHERE j.queue IN ('media', 'probe') AND j.created_at >= $1 AND j.attempted_at IS NOT NULL AND j.attempt = 1`, since)
	if err != nil {
		return fmt.Errorf("read jobs: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err reports the error

	slow := b.slow().workspace

	for rows.Next() {
		var (
			kind, workspace, state string
			wait                   float64
		)

		if err := rows.Scan(&kind, &workspace, &wait, &state); err != nil {
			return fmt.Errorf("read a job: %w", err)
		}

		switch {
		case workspace == "": // jobs of the server itself
		case workspace != slow:
			into.waits[kind] = append(into.waits[kind], wait)
		case state == "completed":
			into.slow++
		}
	}

	return rows.Err() //nolint:wrapcheck // the error says what was read
}

// idle cancels the remaining exports of the slow workspace and waits until no job runs.
func (b *bench) idle(ctx context.Context) error {
	var list struct {
		Exports []struct{ ExportID, Status string }
	}

	t := b.slow()
	if err := t.call(ctx, http.MethodGet, "/v1/videos/"+t.video+"/exports", asJSON, "", &list); err != nil {
		return err
	}

	for _, e := range list.Exports {
		if e.Status == "pending" || e.Status == "processing" {
			if err := t.call(ctx, http.MethodDelete, "/v1/videos/"+t.video+"/exports/"+e.ExportID, asJSON, "", nil); err != nil {
				return err
			}
		}
	}

	return b.until(ctx, `
		NOT EXISTS (SELECT FROM river_job WHERE state IN ('available', 'running') AND queue IN ('media', 'probe', 'render', 'speech'))`)
}

// at returns the quantile of sorted values, with share from 0 to 1.
func at(of []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	if len(sorted) == 0 {
		return 0
	}

	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func report(all map[string]*round) (string, error) {
	var (
		text  strings.Builder
		goals []string
	)

	fmt.Fprintf(&text, "Next to %s (%d of its jobs finished meanwhile), and next to %s, in seconds:\n\n", beside, all[beside].slow, baseline)
	text.WriteString("| request | n | median | p95 | longest | median, loop | p95, loop | ratio of p95 | goal | |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")

	for _, a := range asks {
		slow, loop := all[beside].whole[a.name], all[baseline].whole[a.name]
		ratio := at(slow, 0.95) / at(loop, 0.95)
		met := len(slow) > 0 && ratio <= mostRatio

		fmt.Fprintf(&text, "| %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | **%.2f** | ≤ %.0f | %s |\n",
			a.name, len(slow), at(slow, 0.5), at(slow, 0.95), at(slow, 1), at(loop, 0.5), at(loop, 0.95), ratio, mostRatio, measure.Verdict(met))

		if !met {
			goals = append(goals, fmt.Sprintf("the p95 of a quick %s is %.2f times the baseline's", a.name, ratio))
		}
	}

	text.WriteString("\n| wait for a worker | n | median | p95 | longest | longest, loop | goal | |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n")

	for _, kind := range []string{"extract", "probe", "measure"} {
		slow, loop := all[beside].waits[kind], all[baseline].waits[kind]
		met := at(slow, 1) <= mostWait.Seconds()

		fmt.Fprintf(&text, "| %s | %d | %.3f | %.3f | **%.3f** | %.3f | ≤ %.0f | %s |\n",
			kind, len(slow), at(slow, 0.5), at(slow, 0.95), at(slow, 1), at(loop, 1), mostWait.Seconds(), measure.Verdict(met))

		if !met {
			goals = append(goals, fmt.Sprintf("a quick %s waited %.2f s for a worker", kind, at(slow, 1)))
		}
	}

	return text.String(), missed(goals)
}
