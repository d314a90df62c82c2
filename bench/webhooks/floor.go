package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/webhook"
)

// atOnce is how many deliveries the product sends to one endpoint concurrently, and workers to all endpoints.
const (
	atOnce  = 8
	workers = 256

	bodyBytes = 177 // same length as the product's
)

// floor measures a bare client that sends the same signed POSTs. It is a separate process like the product and has the
// same limits, but no queue and no database.
func (b *bench) floor(ctx context.Context) (perSecond float64, err error) {
	all := b.receivers.await(b.events, endpoints)

	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("find the client: %w", err)
	}

	client := exec.CommandContext(ctx, self, "-events", strconv.Itoa(b.events), "-client")
	for _, e := range b.receivers.all {
		client.Args = append(client.Args, e.url)
	}

	if out, err := client.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("the client: %w: %s", err, out)
	}

	<-all // all were answered

	return b.receivers.pace(), nil
}

// postAll is the bare client.
func postAll(ctx context.Context, events int, urls []string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce, MaxIdleConns: workers * 4}}
	key := webhook.NewSecret()
	text := strings.Repeat("x", bodyBytes)

	sending, ctx := errgroup.WithContext(ctx)

	for worker := range workers {
		sending.Go(func() error {
			for n := worker; n < events; n += workers {
				if err := post(ctx, client, urls[n%len(urls)], id("floor", n), text, key); err != nil {
					return err
				}
			}

			return nil
		})
	}

	return sending.Wait() //nolint:wrapcheck // the error says what was attempted
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
