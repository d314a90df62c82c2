package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// The cells. Each measures deliveries a second, in turn with the others.
const (
	floorCell = "the bare client"
	drainCell = "the product"
	wellCell  = "80 endpoints beside 20 healthy ones"
	sickCell  = "80 endpoints beside 20 failing ones"
	aloneCell = "80 endpoints alone"

	well = endpoints * 8 / 10
)

// figures are the results.
type figures struct {
	perSecond   map[string][]float64 // by cell, one value for each round
	reconciled  int
	median, p99 time.Duration // from commit to first attempt
	paced       int
}

func (b *bench) run(ctx context.Context) error {
	var (
		f   figures
		err error
	)

	rounds := measure.Rounds{Least: b.rounds, Most: b.rounds}

	f.perSecond, err = measure.InTurn(ctx, rounds, []string{floorCell, drainCell, wellCell, sickCell, aloneCell}, b.once, nil)
	if err != nil {
		return err
	}

	f.reconciled = b.reconciled

	if err := b.steady(ctx, &f); err != nil {
		return err
	}

	fmt.Fprintf(os.Stdout, "commit to first attempt: median %s, p99 %s of %d\n", f.median, f.p99, f.paced)

	if !b.publish {
		return nil
	}

	return report(ctx, f)
}

// once measures one cell.
func (b *bench) once(ctx context.Context, cell string) (perSecond float64, err error) {
	switch cell {
	case floorCell:
		perSecond, err = b.floor(ctx)
	case drainCell:
		if perSecond, err = b.drain(ctx, b.events, endpoints, endpoints); err == nil {
			b.reconciled += b.events
		}
	case wellCell:
		perSecond, err = b.drain(ctx, b.beside*endpoints, endpoints, well)
	case sickCell:
		perSecond, err = b.besideSick(ctx)
	case aloneCell:
		perSecond, err = b.drain(ctx, b.beside*well, well, well)
	}

	fmt.Fprintf(os.Stdout, "%s: %.0f/s\n", cell, perSecond)

	return perSecond, err
}

// besideSick measures the rate of the other endpoints while half of the last twenty hang and half answer 500.
func (b *bench) besideSick(ctx context.Context) (float64, error) {
	sick := b.receivers.all[well:]
	for n, e := range sick {
		e.temper.Store(int32(hangs))

		if n%2 == 1 {
			e.temper.Store(int32(fails))
		}
	}

	perSecond, err := b.drain(ctx, b.beside*endpoints, endpoints, well)
	if err != nil {
		return 0, err
	}

	for _, e := range sick {
		e.temper.Store(int32(healthy))
	}

	return perSecond, nil
}

// drain queues events for the first endpoints, starts the product, and measures how fast the first counted endpoints
// get theirs. If all endpoints count, every delivery is reconciled; otherwise the rest is removed.
func (b *bench) drain(ctx context.Context, events, of, counted int) (perSecond float64, err error) {
	if err := b.queue(ctx, b.queued, events, of); err != nil {
		return 0, err
	}

	b.queued += events

	if err := b.deliver(ctx, events, of, counted); err != nil {
		return 0, err
	}

	perSecond = b.receivers.pace()

	if of == counted {
		return perSecond, nil
	}

	for _, left := range []string{
		"DELETE FROM river_job", "DELETE FROM webhook_deliveries WHERE status = 'pending'",
		"UPDATE webhook_endpoints SET failing_since = NULL WHERE failing_since IS NOT NULL", "VACUUM ANALYZE",
	} {
		if _, err := b.store.DB.ExecContext(ctx, left); err != nil {
			return 0, fmt.Errorf("remove the rest (%.40s): %w", left, err)
		}
	}

	return perSecond, nil
}

// deliver runs the product until the counted endpoints have their events.
func (b *bench) deliver(ctx context.Context, events, of, counted int) (err error) {
	all := b.receivers.await(events/of*counted, counted)

	p, err := b.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()

	select {
	case <-all:
	case <-ctx.Done():
		return ctx.Err()
	}

	if of == counted {
		return b.reconcile(ctx, b.queued-events, events)
	}

	return nil
}

// reconcile compares every delivery with what the product has recorded.
func (b *bench) reconcile(ctx context.Context, first, events int) error {
	for {
		var pending, succeeded, attempts int

		err := b.store.DB.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'succeeded'),
			(SELECT count(*) FROM webhook_attempts WHERE delivery_id >= $1) FROM webhook_deliveries WHERE id >= $1`, id("dlv", first)).
			Scan(&pending, &succeeded, &attempts)

		switch {
		case err != nil:
			return fmt.Errorf("reconcile: %w", err)
		case pending == 0 && (succeeded < events || attempts < succeeded):
			return fmt.Errorf("of %d deliveries %d succeeded, in %d attempts", events, succeeded, attempts)
		case pending == 0:
			return nil
		}

		time.Sleep(50 * time.Millisecond) //nolint:forbidigo // until the product has recorded them
	}
}

// warm is how long events are published before their delays count. A freshly started program first opens its
// connections.
const warm = 2 * time.Second

// steady publishes events like the product, one transaction each, and measures how soon after its commit each arrives.
func (b *bench) steady(ctx context.Context, f *figures) (err error) {
	early := b.paced * int(warm.Seconds())
	events := early + b.paced*int(b.lasting.Seconds())
	all := b.receivers.await(events, endpoints)

	p, err := b.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()

	committed, err := b.publishAll(ctx, events)
	if err != nil {
		return err
	}

	select {
	case <-all:
	case <-time.After(time.Minute):
		return errors.New("not every event arrived within a minute")
	}

	came := b.receivers.came()
	waits := make([]time.Duration, 0, len(came))
	counts := slices.SortedFunc(maps.Values(committed), time.Time.Compare)[early-1]

	for id, at := range committed {
		if at.After(counts) {
			waits = append(waits, max(0, came[id].Sub(at)))
		}
	}

	slices.Sort(waits)
	f.median, f.p99, f.paced = waits[len(waits)/2], waits[len(waits)*99/100], len(waits)

	return nil
}

// publishAll publishes at an even pace and returns the time of each commit.
func (b *bench) publishAll(ctx context.Context, events int) (map[string]time.Time, error) {
	client, err := queue.NewInserter(b.store.DB, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}

	q := &jobs.Queue{Client: client, Store: b.store}

	var (
		mu         sync.Mutex
		publishing sync.WaitGroup
		committed  = make(map[string]time.Time, events)
		faults     error
		tick       = time.NewTicker(time.Second / time.Duration(b.paced))
	)
	defer tick.Stop()

	for n := range events {
		<-tick.C
		publishing.Go(func() {
			id, err := b.publishOne(ctx, q, n%endpoints)

			mu.Lock()
			defer mu.Unlock()

			committed[id] = time.Now()
			faults = errors.Join(faults, err)
		})
	}

	publishing.Wait()

	return committed, faults
}

// publishOne does what a request that creates a playlist does, without the playlist.
func (b *bench) publishOne(ctx context.Context, q *jobs.Queue, n int) (messageID string, err error) {
	ctx = auth.With(ctx, auth.Viewer{UserID: id("usr", n), WorkspaceID: id("ws", n), Role: auth.RoleOwner})
	playlist := event.Playlist{PlaylistID: id("pl", n), PlaylistName: "Playlist"}

	err = b.store.InTx(ctx, func(ctx context.Context) error {
		if err := q.Publish(ctx, event.PlaylistCreatedEvent{Playlist: playlist}, jobs.PlaylistReaders(playlist.PlaylistID)); err != nil {
			return err
		}

		sent, err := b.store.Client(ctx).WebhookMessage.Query().Order(ent.Desc(webhookmessage.FieldOccurredAt)).FirstID(ctx)
		messageID = sent

		return err
	})

	return messageID, err
}

func report(ctx context.Context, f figures) error {
	of := func(cell string) float64 { return measure.Median(f.perSecond[cell]) }
	ratio := measure.Ratios(f.perSecond[drainCell], f.perSecond[floorCell])
	kept := measure.Ratios(f.perSecond[sickCell], f.perSecond[wellCell])
	alone := measure.Ratios(f.perSecond[sickCell], f.perSecond[aloneCell])

	return measure.Publish("Webhooks", measure.Circumstances(ctx, "go run ./bench/webhooks")+fmt.Sprintf(`
Postgres is private, over a unix socket, fsync off; the receivers answer at once and share the machine with the product,
with Postgres and with the floor. Everything is measured in turn, %d rounds; a ratio is the median of the rounds' ratios.

| | figure | goal | |
| --- | --- | --- | --- |
| events delivered and reconciled | %d of %d | all | met |
| sustained deliveries a second | %.0f | | |
| the same signed POSTs from a bare Go client | %.0f | | |
| ratio | **%.2f** | ≥ 0.5 | %s |
| a second to 80 endpoints while 10 more hang for 30 s and 10 answer 500 / while those are healthy | **%.2f** (%.0f / %.0f) | ≥ 0.95 | %s |
| the same / while the 80 are alone | %.2f (%.0f) | | |
| commit → first attempt arrives, median | %.1f ms | | |
| commit → first attempt arrives, p99 of %d | **%.1f ms** | < 1 s | %s |
| commit → start of a job (the median above) | ≤ %.1f ms | p50 ≤ 20 ms | %s |
| commit → start of a job (the p99 above) | ≤ %.1f ms | p99 ≤ 150 ms | %s |

`, len(ratio), f.reconciled, f.reconciled, of(drainCell), of(floorCell),
		measure.Median(ratio), measure.Verdict(measure.Median(ratio) >= 0.5),
		measure.Median(kept), of(sickCell), of(wellCell), measure.Verdict(measure.Median(kept) >= 0.95),
		measure.Median(alone), of(aloneCell),
		ms(f.median), f.paced, ms(f.p99), measure.Verdict(f.p99 < time.Second),
		ms(f.median), measure.Verdict(f.median <= 20*time.Millisecond), ms(f.p99), measure.Verdict(f.p99 <= 150*time.Millisecond)),
		fmt.Sprintf("\nThe delays are those of events published %d s and more after the product started.\n", int(warm.Seconds())))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
