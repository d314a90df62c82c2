package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// atOnce is what the product sends to one endpoint at a time, and workers to all of them.
const (
	atOnce  = 8
	workers = 256

	bodyBytes = 177 // as long as those of the product
)

// floor sends the same POSTs, signed alike, from a bare client of this process that keeps the same
// bounds, and knows no queue and no database.
func (b *bench) floor(ctx context.Context, events int) (perSecond float64, err error) {
	all := b.receivers.await(events)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce, MaxIdleConns: workers * 4}}
	key := webhook.NewSecret()
	text := strings.Repeat("x", bodyBytes)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	var sending sync.WaitGroup

	began := time.Now()

	for worker := range workers {
		sending.Go(func() {
			for n := worker; n < events && ctx.Err() == nil; n += workers {
				if err := post(ctx, client, b.receivers.all[n%endpoints].url, id("floor", n), text, key); err != nil {
					cancel(err)
				}
			}
		})
	}

	select {
	case <-all:
	case <-ctx.Done():
	}

	took := time.Since(began)

	sending.Wait()
	client.CloseIdleConnections()

	return float64(events) / took.Seconds(), context.Cause(ctx)
}

func post(ctx context.Context, client *http.Client, url, id, body, key string) error {
	header, err := webhook.Sign(id, time.Now(), []byte(body), key)
	if err != nil {
		return err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	header.Set("Content-Type", "application/json")
	r.Header = header

	resp, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}

	return resp.Body.Close()
}
