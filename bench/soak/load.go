package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const (
	videos  = 200
	clients = 32
)

// A round takes one minute: the capacity of a shared machine changes from minute to minute, and the load is a share of
// it.
const (
	probe  = 5 * time.Second       // for measuring the capacity, and as long for the floor
	steady = time.Minute - 2*probe // a whole number of windows
)

// client keeps one connection for each concurrent client.
var client = &http.Client{
	Timeout:   30 * time.Second,
	Transport: &http.Transport{MaxIdleConns: clients, MaxIdleConnsPerHost: clients},
}

// ask sends one request and reads the whole answer. Any status but success is an error.
func (b *bench) ask(ctx context.Context, method, path, body string, to any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+b.product.Addr+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Authorization", "Bearer "+b.key)

	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}

	resp, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}

	answer, err := io.ReadAll(resp.Body)
	err = errors.Join(err, resp.Body.Close())

	switch {
	case err != nil:
		return fmt.Errorf("read an answer: %w", err)
	case resp.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"errors"`)):
		return fmt.Errorf("%s %s returned %d: %.500s", method, path, resp.StatusCode, answer)
	case to == nil:
		return nil
	default:
		return json.Unmarshal(answer, to)
	}
}

// fill creates the videos of the workspace, all from one short recording.
func (b *bench) fill(ctx context.Context) error {
	source, err := b.upload(ctx)
	if err != nil {
		return err
	}

	for n := range videos {
		var made struct{ Video struct{ ID string } }
		if err := b.ask(ctx, http.MethodPost, "/v1/videos", fmt.Sprintf(`{"sourceId":%q,"name":"Video %d"}`, source, n), &made); err != nil {
			return err
		}

		b.videos = append(b.videos, made.Video.ID)
	}

	return nil
}

func (b *bench) upload(ctx context.Context) (sourceID string, err error) {
	film := filepath.Join(b.folder, "film.mp4")

	out, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30",
		"-t", "1", "-pix_fmt", "yuv420p", film).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("make a film: %w: %s", err, out)
	}

	content, err := os.ReadFile(film)
	if err != nil {
		return "", fmt.Errorf("read the film: %w", err)
	}

	var made struct{ SourceID, UploadURL string }
	if err := b.ask(ctx, http.MethodPost, "/v1/sources", `{"name":"film.mp4"}`, &made); err != nil {
		return "", err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPut, made.UploadURL, bytes.NewReader(content))
	if err != nil {
		return "", fmt.Errorf("upload: %w", err)
	}

	_, err = measure.Answer(r, `"failed"`)

	return made.SourceID, err
}

// one sends one request of the mix: two thirds are lists and details, a tenth of the rest are writes.
func (b *bench) one(ctx context.Context) error {
	video := b.videos[rand.IntN(len(b.videos))] //nolint:gosec // not security-relevant

	switch n := rand.IntN(100); { //nolint:gosec // as above
	case n < 40:
		return b.ask(ctx, http.MethodGet, "/v1/videos?limit=20", "", nil)
	case n < 65:
		return b.ask(ctx, http.MethodGet, "/v1/videos/"+video, "", nil)
	case n < 85:
		return b.ask(ctx, http.MethodPost, "/graphql", `{"query":"{ videos(first: 20) { nodes { id name tags { nodes { name } } } } }"}`, nil)
	case n < 88: // never the same text twice, to show that the document cache does not grow
		query := fmt.Sprintf(`{"query":"{ a%d: video(id: \"%s\") { name } }"}`, rand.Uint32(), video) //nolint:gosec // as above

		return b.ask(ctx, http.MethodPost, "/graphql", query, nil)
	case n < 96:
		return b.ask(ctx, http.MethodPatch, "/v1/videos/"+video, fmt.Sprintf(`{"name":"Video %d"}`, n), nil)
	default:
		var made struct{ Tag struct{ ID string } }

		tag := fmt.Sprintf(`{"name":"t%d"}`, rand.Uint64()) //nolint:gosec // as above
		if err := b.ask(ctx, http.MethodPost, "/v1/tags", tag, &made); err != nil {
			return err
		}

		return b.ask(ctx, http.MethodDelete, "/v1/tags/"+made.Tag.ID, "", nil)
	}
}

// capacity returns how many requests a second the machine answers now, with every client repeating at once.
func (b *bench) capacity(ctx context.Context) (float64, error) {
	return atOnce(ctx, func(ctx context.Context) error { return b.one(ctx) })
}

// floor returns how many times a second Postgres can write twenty rows and read them, with all clients at once. It uses
// none of the product's code, so it shows the machine's current capacity.
func (b *bench) floor(ctx context.Context) (float64, error) {
	return atOnce(ctx, func(ctx context.Context) error {
		var text []byte
		if err := b.bare.QueryRowContext(ctx,
			`SELECT json_agg(r) FROM (SELECT n AS id, md5(n::text) AS name FROM generate_series(1, 20) AS n) AS r`).Scan(&text); err != nil {
			return fmt.Errorf("ask postgres: %w", err)
		}

		var rows []struct {
			ID   int    `json:"id"`
			Name string `json:"name"`
		}

		return json.Unmarshal(text, &rows)
	})
}

// atOnce returns how often a second do completes when every client repeats it.
func atOnce(ctx context.Context, do func(context.Context) error) (float64, error) {
	var done atomic.Int64

	began := time.Now()
	err := together(ctx, func(ctx context.Context) (bool, error) {
		err := do(ctx)

		done.Add(1)

		return time.Since(began) < probe, err
	})

	return float64(done.Load()) / time.Since(began).Seconds(), err
}

// together lets every client repeat do until it returns false.
func together(ctx context.Context, do func(context.Context) (more bool, err error)) error {
	all, ctx := errgroup.WithContext(ctx)

	for range clients {
		all.Go(func() error {
			for {
				if more, err := do(ctx); !more || err != nil {
					return err
				}
			}
		})
	}

	return all.Wait()
}
