package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

const kills = 5

// crashes kills the server under load and checks that everything it acknowledged is stored.
func (b *bench) crashes(ctx context.Context) (string, error) {
	var total, again int

	for range kills {
		before, err := b.stored(ctx)
		if err != nil {
			return "", err
		}

		acknowledged, sent := b.untilKilled(ctx)
		_ = b.db.Close()

		if err := b.start(ctx); err != nil {
			return "", err
		}

		after, err := b.stored(ctx)
		if err != nil {
			return "", err
		}

		kept := after - before
		if kept < acknowledged {
			return "", fmt.Errorf("%d reports were acknowledged, but %d are stored", acknowledged, kept)
		}

		if err := b.repeat(ctx, sent, before); err != nil {
			return "", err
		}

		total += acknowledged
		again += kept - acknowledged
	}

	return fmt.Sprintf("Killed %d times under that load: of %d acknowledged reports **0** were lost, %d were stored without an answer\n"+
		"and, when sent again, every report counted once.\n", kills, total, again), nil
}

// sent is a report that was sent, acknowledged or not.
type sent struct {
	token, body string
}

// untilKilled sends reports over all connections until the server is killed, and counts those acknowledged.
func (b *bench) untilKilled(ctx context.Context) (acknowledged int, all []sent) {
	var (
		mu      sync.Mutex
		running sync.WaitGroup
	)

	for range connections {
		running.Go(func() {
			for {
				token := b.tokens.Open(videoID, "", time.Now())

				for seq := range each {
					_, body, _ := bytes.Cut(b.report(token, seq, 5, time.Now()), []byte("\r\n\r\n"))
					s := sent{token, string(body)}
					err := b.send(ctx, s)

					mu.Lock()

					all = append(all, s)

					if err == nil {
						acknowledged++
					}

					mu.Unlock()

					if err != nil {
						return
					}
				}
			}
		})
	}

	moment := time.NewTimer(time.Second + time.Duration(rand.Int64N(int64(time.Second)))) //nolint:gosec // any moment is fine
	defer moment.Stop()

	select {
	case <-ctx.Done(): // still kill the server, or the clients would not end
	case <-moment.C:
	}

	_ = b.product.Cmd.Process.Signal(syscall.SIGKILL)

	running.Wait()

	return acknowledged, all
}

func (b *bench) send(ctx context.Context, s sent) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+b.product.Addr+"/playback/"+s.token, strings.NewReader(s.body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer resp.Body.Close() //nolint:errcheck // the body has been read

	var said struct {
		ViewToken string `json:"viewToken"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&said); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("report: %d: %w", resp.StatusCode, err)
	}

	return nil
}

// repeat sends all reports again and checks that each is stored once.
func (b *bench) repeat(ctx context.Context, all []sent, before int) error {
	for _, s := range all {
		if err := b.send(ctx, s); err != nil {
			return err
		}
	}

	after, err := b.stored(ctx)
	if err == nil && after-before != len(all) {
		err = fmt.Errorf("%d reports were sent, but %d are stored", len(all), after-before)
	}

	return err
}
