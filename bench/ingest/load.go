package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const (
	connections = 32
	each        = 15 // reports of a session
	period      = 15 * time.Second
	most        = 4000 // reports a second to prepare for
)

// loads measures reports of several sizes.
func (b *bench) loads(ctx context.Context) (string, error) {
	var text strings.Builder

	text.WriteString("| events in a report | reports a second | events a second | goal |\n| --- | --- | --- | --- |\n")

	for _, events := range []int{2, 5, 10} {
		a, err := b.load(ctx, events)
		if err != nil {
			return "", err
		}

		perSecond := float64(a.Count) / a.Took.Seconds()
		rate := perSecond * float64(events)
		verdict := ""

		if events == 5 {
			verdict = fmt.Sprintf("≥ %d, %s", goal, measure.Verdict(rate >= goal))
		}

		fmt.Fprintf(&text, "| %d | %.0f | **%.0f** | %s |\n", events, perSecond, rate, verdict)
	}

	return text.String(), nil
}

// load sends reports of separate sessions over each connection.
func (b *bench) load(ctx context.Context, events int) (a measure.Answers, err error) {
	share := int(period.Seconds()) * most / connections / each * each // reports of one connection
	requests := make([][]byte, 0, share*connections)
	now := time.Now()
	token := ""

	for i := range cap(requests) {
		if i%each == 0 {
			token = b.tokens.Open(videoID, "", now)
		}

		requests = append(requests, b.report(token, i%each, events, now))
	}

	before, err := b.stored(ctx)
	if err != nil {
		return a, err
	}

	a, err = measure.Load{Connections: connections, Duration: period}.Run(ctx, measure.Target{Addr: b.product.Addr, Requests: requests})
	if err != nil {
		return a, err
	}

	after, err := b.stored(ctx)
	if err != nil {
		return a, err
	}

	if after-before != a.Count {
		return a, fmt.Errorf("%d reports were acknowledged, but %d are stored", a.Count, after-before)
	}

	return a, nil
}

func (b *bench) stored(ctx context.Context) (n int, err error) {
	if err := b.db.QueryRowContext(ctx, "SELECT count(*) FROM playback_events").Scan(&n); err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}

	return n, nil
}
