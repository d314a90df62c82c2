package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// settle is the part of a run to ignore while caches fill and pools open.
const settle = 0.2

// Figures read from /metrics every few seconds.
const (
	memory     = "process_resident_memory_bytes"
	heap       = "go_memstats_heap_inuse_bytes"
	goroutines = "go_goroutines"
)

// Figures measured before each steady period.
const (
	capacity = "capacity" // requests a second
	bare     = "floor"    // operations of the floor a second
	cost     = "cost"     // of a request, as a multiple of a floor operation
)

// seen is what a run showed. Times count from its start.
type seen struct {
	began time.Time

	mu      sync.Mutex
	took    []sample                    // by each request, from its due time
	windows map[time.Duration][]float64 // the same, by start of the window
	levels  map[string][]sample         // by figure
}

type sample struct {
	at    time.Duration
	value float64
}

// soak loads the product and watches it meanwhile.
func (b *bench) soak(ctx context.Context) (*seen, error) {
	s := &seen{began: time.Now(), windows: map[time.Duration][]float64{}, levels: map[string][]sample{}}

	both, ctx := errgroup.WithContext(ctx)
	ctx, enough := context.WithCancel(ctx)

	both.Go(func() error {
		defer enough()

		return s.rounds(ctx, b)
	})
	both.Go(func() error { return s.watch(ctx, b.metrics) })

	return s, both.Wait()
}

func (s *seen) rounds(ctx context.Context, b *bench) error {
	for time.Since(s.began) < b.lasts {
		floor, err := b.floor(ctx)
		if err != nil {
			return err
		}

		most, err := b.capacity(ctx)
		if err != nil {
			return err
		}

		s.note(capacity, most)
		s.note(bare, floor)
		s.note(cost, floor/most)

		if err := s.steady(ctx, b, most*b.part); err != nil {
			return err
		}
	}

	return nil
}

// steady sends requests at a fixed rate, however long answers take. Latency counts from the due time, and no due
// request is left out.
func (s *seen) steady(ctx context.Context, b *bench, rate float64) error {
	var next atomic.Int64

	began := time.Now()

	return together(ctx, func(ctx context.Context) (bool, error) {
		after := time.Duration(float64(next.Add(1)) / rate * float64(time.Second))
		if after > steady {
			return false, nil
		}

		due := began.Add(after)

		select {
		case <-time.After(time.Until(due)):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}

		err := b.one(ctx)
		took := time.Since(due).Seconds()

		s.mu.Lock()
		defer s.mu.Unlock()

		s.took = append(s.took, sample{due.Sub(s.began), took})

		in := began.Sub(s.began) + after.Truncate(window)
		s.windows[in] = append(s.windows[in], took)

		return true, err
	})
}

func (s *seen) note(figure string, value float64) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.levels[figure] = append(s.levels[figure], sample{time.Since(s.began), value})
}

func (s *seen) all(figure string) []float64 {
	values := make([]float64, len(s.levels[figure]))
	for i, one := range s.levels[figure] {
		values[i] = one.value
	}

	return values
}

func (s *seen) watch(ctx context.Context, addr string) error {
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
				s.note(name, value)
			}
		}

		if err := resp.Body.Close(); err != nil {
			return fmt.Errorf("read the figures: %w", err)
		}
	}
}

// thirds returns the values of the first and last third of a run after it has settled.
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

// window is short compared with stalls of a shared machine, so that a stall spoils only its own windows.
const window = 10 * time.Second

func p99(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	if len(sorted) == 0 {
		return math.NaN()
	}

	return sorted[len(sorted)*99/100]
}

func (s *seen) report(b *bench) string {
	var out strings.Builder

	most, floor := s.all(capacity), s.all(bare)

	fmt.Fprintf(&out, "Each minute the bench measured how many requests a second of this mix the machine answers at most: "+
		"from %.0f to %.0f, median %.0f (its floor: from %.0f to %.0f, %.0f). "+
		"It then sent %.0f %% of that for the next %s, over %s: %d requests, all answered correctly. "+
		"The first third, after a settling time of %.0f %%, compared with the last:\n\n"+
		"| Figure | First third | Last third | Drift | Goal | |\n| --- | --- | --- | --- | --- | --- |\n",
		slices.Min(most), slices.Max(most), measure.Median(most), slices.Min(floor), slices.Max(floor), measure.Median(floor),
		b.part*100, steady, b.lasts, len(s.took), settle*100)

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
		{"Cost of a request as a multiple of the floor's, median", cost, "%.2f", 1, 0.10},
	} {
		first, last := thirds(s.levels[level.figure], b.lasts)
		if len(first) == 0 || len(last) == 0 {
			continue // the run is too short
		}

		row(level.name, measure.Median(first)/level.unit, measure.Median(last)/level.unit, level.goal, level.format)
	}

	first, last := thirds(s.took, b.lasts)
	if len(first) > 0 && len(last) > 0 {
		row("p99 of answers, from when they were due", p99(first)*1000, p99(last)*1000, 0.10, "%.1f ms")
	}

	var windows []sample
	for at, took := range s.windows {
		windows = append(windows, sample{at, p99(took)})
	}

	first, last = thirds(windows, b.lasts)
	if len(first) > 0 && len(last) > 0 {
		row("the same of each "+window.String()+", median", measure.Median(first)*1000, measure.Median(last)*1000, 0.10, "%.1f ms")
	}

	return out.String()
}

// worstMinutes is the number of minutes listed separately.
const worstMinutes = 3

// worst lists the minutes with the slowest answers, each with the machine's capacity before and after. If the capacity
// drops below the load, answers fall behind whatever the product does.
func (s *seen) worst(part float64) string {
	var minutes []minute

	most, floor := s.levels[capacity], s.levels[bare]
	for i := range len(most) - 1 {
		m := minute{at: most[i].at, most: [2]float64{most[i].value, most[i+1].value}, floor: [2]float64{floor[i].value, floor[i+1].value}}

		var took []float64
		for _, one := range s.took {
			if one.at >= most[i].at && one.at < most[i+1].at {
				took = append(took, one.value)
			}
		}

		m.p99 = p99(took)
		minutes = append(minutes, m)
	}

	slices.SortFunc(minutes, func(a, b minute) int { return cmp.Compare(b.p99, a.p99) })

	var out strings.Builder

	out.WriteString("\n| The minutes with the slowest answers | p99 | sent a second | answered at most, before and after | " +
		"the floor, before and after |\n| --- | --- | --- | --- | --- |\n")

	for _, m := range minutes[:min(worstMinutes, len(minutes))] {
		fmt.Fprintf(&out, "| from %s | %.1f ms | %.0f | %.0f, %.0f | %.0f, %.0f |\n",
			m.at.Round(time.Second), m.p99*1000, m.most[0]*part, m.most[0], m.most[1], m.floor[0], m.floor[1])
	}

	return out.String()
}

// minute is a steady period, and the machine's capacity before and after.
type minute struct {
	at          time.Duration
	p99         float64
	most, floor [2]float64
}
