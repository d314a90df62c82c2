package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// work runs the workload until the context ends.
func (w *world) work(ctx context.Context) (wait func()) {
	var running sync.WaitGroup

	for i := range workers {
		own := rand.New(rand.NewPCG(w.Seed, uint64(w.ledger.number()*workers+i))) //nolint:gosec // a seed makes a run repeatable

		running.Go(func() {
			for ctx.Err() == nil {
				w.perform(ctx, w.next(own))
			}
		})
	}

	return running.Wait
}

// next makes up a call.
func (w *world) next(random *rand.Rand) *call {
	name := fmt.Sprintf("chaos-%d-%d", w.Seed, w.ledger.number())
	c := &call{key: name, method: http.MethodPost}

	switch n := random.IntN(10); {
	case n < 3:
		c.kind, c.path, c.body = makesTag, "/v1/tags", fmt.Sprintf(`{"name":%q}`, name)
	case n < 5:
		c.kind, c.path, c.body = makesPlaylist, "/v1/playlists", fmt.Sprintf(`{"name":%q}`, name)
	case n < 6:
		c.kind, c.path = makesByGraph, "/graphql"
		c.body = graphBody(`mutation($n: String!) { createPlaylist(input: {name: $n}) { playlist { id name } } }`, name)
	case n < 8:
		c.kind, c.method, c.path = edits, http.MethodPatch, "/v1/videos/"+w.video
		c.body = fmt.Sprintf(`{"name":%q}`, name)
	case n < 9:
		playlist := w.someones(random)
		if playlist == "" {
			return w.next(random)
		}

		c.kind, c.path, c.body = adds, "/v1/playlists/"+playlist+"/videos", fmt.Sprintf(`{"videoId":%q}`, w.video)
	default:
		c.kind, c.path = rollsBack, "/graphql"
		c.body = graphBody(`mutation($n: String!) {
			createPlaylist(input: {name: $n}) { playlist { id } } deleteTag(id: "tag_none") { deletedId } }`, name)
	}

	return c
}

func graphBody(query, name string) string {
	return fmt.Sprintf(`{"query":%q,"variables":{"n":%q}}`, query, name)
}

// someones returns the id of a playlist without a video, or an empty string if there is none.
func (w *world) someones(random *rand.Rand) string {
	w.ledger.mu.Lock()
	defer w.ledger.mu.Unlock()

	for range 10 {
		if len(w.ledger.done) == 0 {
			break
		}

		c := w.ledger.done[random.IntN(len(w.ledger.done))]
		if c.kind != makesPlaylist || c.path == "" {
			continue
		}

		var made struct {
			Playlist struct {
				ID string `json:"id"`
			} `json:"playlist"`
		}
		if json.Unmarshal([]byte(c.answer), &made) == nil && !w.ledger.given[made.Playlist.ID] {
			w.ledger.given[made.Playlist.ID] = true

			return made.Playlist.ID
		}
	}

	return ""
}

// pause is how long a client waits after Retry-After. The tests cannot wait whole seconds.
const pause = 20 * time.Millisecond

// perform makes a call and records its answer. It repeats a call that got Retry-After, as a client would. A call whose
// connection broke is left to settle.
func (w *world) perform(ctx context.Context, c *call) {
	w.ledger.begin(c)

	for ctx.Err() == nil {
		settled, err := w.try(ctx, c)
		if settled || err != nil {
			return
		}

		sleep(ctx, pause)
	}
}

// try makes a call once and reports whether it is settled. An error means a broken connection.
func (w *world) try(ctx context.Context, c *call) (settled bool, err error) {
	r, err := http.NewRequestWithContext(context.WithoutCancel(ctx), c.method, w.base+c.path, strings.NewReader(c.body))
	if err != nil {
		return false, fmt.Errorf("make a request: %w", err)
	}

	r.GetBody = nil // the transport must not repeat it: every attempt is counted
	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header["Idempotency-Key"] = []string{c.key}

	resp, err := w.client.Do(r)
	if err != nil {
		w.ledger.answered(0)

		return false, fmt.Errorf("ask: %w", err)
	}

	text, err := answerOf(resp)
	if err != nil {
		w.ledger.answered(0)

		return false, fmt.Errorf("read an answer: %w", err)
	}

	w.ledger.answered(resp.StatusCode)

	return w.judge(c, resp, text)
}

// errUnforeseen is returned for an answer that no promise allows.
var errUnforeseen = errors.New("an answer that no promise allows")

func (w *world) judge(c *call, resp *http.Response, text string) (settled bool, err error) {
	failed := strings.Contains(c.path, "graphql") && strings.Contains(text, `"errors"`)
	unavailable := failed && strings.Contains(text, `"unavailable"`) || failed && strings.Contains(text, `"conflict"`)

	switch {
	case resp.StatusCode == http.StatusServiceUnavailable, resp.StatusCode == http.StatusConflict:
		if resp.Header.Get("Retry-After") == "" {
			w.ledger.brokenf("%s %s: %d without Retry-After", c.method, c.path, resp.StatusCode)
		}

		return false, nil
	case unavailable:
		return false, nil
	case c.kind == rollsBack && failed:
		w.ledger.forget(c)

		return true, nil
	case resp.StatusCode == http.StatusOK && !failed:
		w.ledger.acknowledge(c, text)

		return true, nil
	default:
		w.ledger.brokenf("%s %s (%s): %d %.300s", c.method, c.path, c.kind, resp.StatusCode, text)

		return false, errUnforeseen
	}
}
