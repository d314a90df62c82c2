package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// settle is the part of a run that is left out: caches fill, pools open.
const settle = 0.2

// what is drawn from /metrics every few seconds.
const (
	memory     = "process_resident_memory_bytes"
	heap       = "go_memstats_heap_inuse_bytes"
	goroutines = "go_goroutines"
)

// seen is what a run showed. Times are since its beginning.
type seen struct {
	mu     sync.Mutex
	took   []sample            // by each request, from when it was due
	levels map[string][]sample // by figure
}

type sample struct {
	at    time.Duration
	value float64
}

// soak asks at the rate, whatever the answers take: who is late is measured from when it was due.
func (b *bench) soak(ctx context.Context) (*seen, error) {
	s := &seen{levels: map[string][]sample{}}
	ctx, cancel := context.WithTimeout(ctx, b.lasts)

	defer cancel()

	began := time.Now()
	due := make(chan time.Time, clients)

	go func() {
		defer close(due)

		for n := 0; ; n++ {
			at := began.Add(time.Duration(float64(n) / b.rate * float64(time.Second)))

			select {
			case <-time.After(time.Until(at)):
			case <-ctx.Done():
				return
			}

			select {
			case due <- at:
			case <-ctx.Done():
				return
			}
		}
	}()

	watched := make(chan error, 1)

	go func() { watched <- s.watch(ctx, b.metrics, began) }()

	err := together(ctx, func(ctx context.Context) error {
		at, more := <-due
		if !more {
			return nil
		}

		err := b.one(ctx)

		s.mu.Lock()
		s.took = append(s.took, sample{at.Sub(began), time.Since(at).Seconds()})
		s.mu.Unlock()

		return err
	})

	cancel()

	return s, errors.Join(err, <-watched)
}

func (s *seen) watch(ctx context.Context, addr string, began time.Time) error {
	every := time.NewTicker(2 * time.Second)
	defer every.Stop()

	for {
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}

		r, err := measure.Ask(context.WithoutCancel(ctx), addr, "/metrics", "", "")
		if err != nil {
			return err
		}

		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return fmt.Errorf("read the figures: %w", err)
		}

		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			name, text, _ := strings.Cut(lines.Text(), " ")
			if value, err := strconv.ParseFloat(text, 64); err == nil && (name == memory || name == heap || name == goroutines) {
				s.levels[name] = append(s.levels[name], sample{time.Since(began), value})
			}
		}

		if err := resp.Body.Close(); err != nil {
			return fmt.Errorf("read the figures: %w", err)
		}
	}
}

// thirds are the values of the first and of the last third of what is left of a run after it has settled.
func thirds(all []sample, lasts time.Duration) (first, last []float64) {
	from := time.Duration(settle * float64(lasts))
	third := (lasts - from) / 3

	for _, one := range all {
		switch {
		case one.at < from:
		case one.at < from+third:
			first = append(first, one.value)
		case one.at >= lasts-third:
			last = append(last, one.value)
		}
	}

	return first, last
}

// window is short beside what holds up a shared machine: such a time spoils its own windows and no others.
const window = 10 * time.Second

// windows are the p99 of each window.
func windows(all []sample) []sample {
	by := map[time.Duration][]float64{}
	for _, one := range all {
		at := one.at.Truncate(window)
		by[at] = append(by[at], one.value)
	}

	made := make([]sample, 0, len(by))
	for at, values := range by {
		made = append(made, sample{at, p99(values)})
	}

	return made
}

func p99(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	if len(sorted) == 0 {
		return math.NaN()
	}

	return sorted[len(sorted)*99/100]
}

func (s *seen) report(b *bench) string {
	var out strings.Builder

	fmt.Fprintf(&out, "%s at %.0f requests a second, %d in all, every one answered rightly. The first third after a settling time of %.0f %% "+
		"beside the last:\n\n| Figure | First third | Last third | Drift | Goal | |\n| --- | --- | --- | --- | --- | --- |\n",
		b.lasts, b.rate, len(s.took), settle*100)

	row := func(name string, first, last, goal float64, format string) {
		drift := last/first - 1
		fmt.Fprintf(&out, "| %s | "+format+" | "+format+" | %+.1f %% | ≤ %.0f %% | %s |\n",
			name, first, last, drift*100, goal*100, measure.Verdict(drift <= goal))
	}

	const mib = 1 << 20

	for _, level := range []struct {
		name, figure, format string
		unit, goal           float64
	}{
		{"Memory of the process, median", memory, "%.1f MiB", mib, 0.05},
		{"Heap in use, median", heap, "%.1f MiB", mib, 0.05},
		{"Goroutines, median", goroutines, "%.0f", 1, 0.05},
	} {
		first, last := thirds(s.levels[level.figure], b.lasts)
		if len(first) == 0 || len(last) == 0 {
			continue // too short to say
		}

		row(level.name, measure.Median(first)/level.unit, measure.Median(last)/level.unit, level.goal, level.format)
	}

	first, last := thirds(s.took, b.lasts)
	if len(first) > 0 && len(last) > 0 {
		row("p99 of answers, from when they were due", p99(first)*1000, p99(last)*1000, 0.10, "%.1f ms")
	}

	first, last = thirds(windows(s.took), b.lasts)
	if len(first) > 0 && len(last) > 0 {
		row("the same of each "+window.String()+", median", measure.Median(first)*1000, measure.Median(last)*1000, 0.10, "%.1f ms")
	}

	return out.String()
}
