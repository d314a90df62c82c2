package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/queue"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// figures are what was measured.
type figures struct {
	floor, drained   float64 // deliveries a second
	events           int
	median, p99      time.Duration // from commit to the first attempt
	paced            int
	allWell, besides float64 // deliveries a second to 80 endpoints, the others being healthy, and sick
}

func (b *bench) run(ctx context.Context) error {
	var (
		f   figures
		err error
	)

	if f.floor, err = b.floor(ctx); err != nil {
		return err
	}

	fmt.Fprintf(os.Stdout, "floor %.0f/s\n", f.floor)

	if f.drained, err = b.drain(ctx, 0, b.events, endpoints); err != nil {
		return err
	}

	f.events = b.events
	fmt.Fprintf(os.Stdout, "drained %.0f/s, %.2f of the floor\n", f.drained, f.drained/f.floor)

	if err := b.steady(ctx, &f); err != nil {
		return err
	}

	fmt.Fprintf(os.Stdout, "commit to first attempt: median %s, p99 %s of %d\n", f.median, f.p99, f.paced)

	if err := b.beside(ctx, &f); err != nil {
		return err
	}

	fmt.Fprintf(os.Stdout, "beside sick ones %.0f/s, all well %.0f/s\n", f.besides, f.allWell)

	if !b.publish {
		return nil
	}

	return report(ctx, f)
}

// drain queues events, starts the product and measures how fast they reach so many healthy endpoints.
func (b *bench) drain(ctx context.Context, first, events, well int) (perSecond float64, err error) {
	if err := b.queue(ctx, first, events); err != nil {
		return 0, err
	}

	all := b.receivers.await(events / endpoints * well)

	p, err := b.serve(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()

	select {
	case <-all:
	case <-ctx.Done():
		return 0, ctx.Err()
	}

	if well == endpoints {
		if err := b.reconcile(ctx, events); err != nil {
			return 0, err
		}
	}

	return b.receivers.pace(), nil
}

// reconcile holds every delivery against what the product has written down.
func (b *bench) reconcile(ctx context.Context, events int) error {
	for {
		var pending, succeeded, attempts int

		err := b.store.DB.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'succeeded'),
			(SELECT count(*) FROM webhook_attempts) FROM webhook_deliveries`).Scan(&pending, &succeeded, &attempts)

		switch {
		case err != nil:
			return fmt.Errorf("reconcile: %w", err)
		case pending == 0 && (succeeded < events || attempts < succeeded):
			return fmt.Errorf("of %d deliveries %d succeeded, in %d attempts", events, succeeded, attempts)
		case pending == 0:
			return nil
		}

		time.Sleep(50 * time.Millisecond) //nolint:forbidigo // until it is written down
	}
}

// steady publishes events as the product does, one transaction each, and measures how soon after its
// commit each arrives.
func (b *bench) steady(ctx context.Context, f *figures) (err error) {
	events := b.paced * int(b.lasting.Seconds())
	all := b.receivers.await(events)

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

	for id, at := range committed {
		waits = append(waits, max(0, came[id].Sub(at)))
	}

	slices.Sort(waits)
	f.median, f.p99, f.paced = waits[len(waits)/2], waits[len(waits)*99/100], len(waits)

	return nil
}

// publishAll publishes at an even pace and answers when each commit was over.
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

// publishOne is what a request does that makes a playlist, but for the playlist.
func (b *bench) publishOne(ctx context.Context, q *jobs.Queue, n int) (messageID string, err error) {
	ctx = auth.With(ctx, auth.Viewer{UserID: id("usr", n), WorkspaceID: id("ws", n), Role: auth.RoleOwner})
	playlist := webhook.Playlist{PlaylistID: id("pl", n), PlaylistName: "Playlist"}

	err = b.store.InTx(ctx, func(ctx context.Context) error {
		if err := q.Publish(ctx, webhook.PlaylistCreatedEvent{Playlist: playlist}, jobs.PlaylistReaders(playlist.PlaylistID)); err != nil {
			return err
		}

		sent, err := b.store.Client(ctx).WebhookMessage.Query().Order(ent.Desc(webhookmessage.FieldOccurredAt)).FirstID(ctx)
		messageID = sent

		return err
	})

	return messageID, err
}

// beside compares what 80 endpoints get while the other 20 are healthy, and while half of those hang
// and half answer 500.
func (b *bench) beside(ctx context.Context, f *figures) (err error) {
	const well = endpoints * 8 / 10

	first := b.events

	for _, sick := range []bool{false, true} {
		for n, e := range b.receivers.all[well:] {
			if sick && n%2 == 0 {
				e.temper.Store(int32(hangs))
			} else if sick {
				e.temper.Store(int32(fails))
			}
		}

		rate, err := b.drain(ctx, first, b.sick*endpoints, well)
		if err != nil {
			return err
		}

		if first += b.sick * endpoints; sick {
			f.besides = rate
		} else {
			f.allWell = rate
		}
	}

	return nil
}

func report(ctx context.Context, f figures) error {
	ratio, kept := f.drained/f.floor, f.besides/f.allWell

	return measure.Publish("Webhooks", measure.Circumstances(ctx, "go run ./bench/webhooks")+fmt.Sprintf(`
Postgres is private, over a unix socket, fsync off; the receivers answer at once and share the machine with the product,
with Postgres and with the floor.

| | figure | goal | |
| --- | --- | --- | --- |
| events delivered and reconciled | %d of %d | all | met |
| sustained deliveries a second | %.0f | | |
| the same signed POSTs from a bare Go client | %.0f | | |
| ratio | **%.2f** | ≥ 0.5 | %s |
| commit → first attempt arrives, median | %.1f ms | | |
| commit → first attempt arrives, p99 of %d | **%.1f ms** | < 1 s | %s |
| healthy endpoints beside 10 %% that hang for 30 s and 10 %% that answer 500 | **%.0f %%** of their throughput | ≥ 95 %% | %s |
| commit → start of a job (the median above) | ≤ %.1f ms | p50 ≤ 20 ms | %s |
| commit → start of a job (the p99 above) | ≤ %.1f ms | p99 ≤ 150 ms | %s |
`, f.events, f.events, f.drained, f.floor, ratio, measure.Verdict(ratio >= 0.5), ms(f.median), f.paced, ms(f.p99),
		measure.Verdict(f.p99 < time.Second), 100*kept, measure.Verdict(kept >= 0.95),
		ms(f.median), measure.Verdict(f.median <= 20*time.Millisecond), ms(f.p99), measure.Verdict(f.p99 <= 150*time.Millisecond)))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
