package chaos

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	// freed is the time after a restart within which a repeat must succeed.
	freed = time.Second

	// delivered is how long deliveries may take that a killed process had begun. It takes some seconds until its death
	// is noticed, and its attempt is then made again.
	delivered = 2 * time.Minute

	sample = 50 // acknowledged calls repeated at the end
)

// settle repeats every call whose outcome is unknown, and returns the time until the last was answered.
func (w *world) settle(ctx context.Context) (longest time.Duration) {
	began := time.Now()

	for _, c := range w.ledger.unknown() {
		asked := time.Now()

		for ctx.Err() == nil {
			settled, err := w.try(ctx, c)
			if settled {
				break
			}

			if took := time.Since(asked); took > freed {
				w.ledger.brokenf("%s (%s) is stuck: no answer to a repeat after %s: %v", c.key, c.kind, took, err)

				break
			}

			sleep(ctx, 2*time.Millisecond)
		}

		longest = max(longest, time.Since(began))
	}

	return longest
}

// verify compares what was acknowledged with what is stored. No call may be under way.
func (w *world) verify(ctx context.Context) error {
	for _, step := range []func(context.Context) error{w.replays, w.rows, w.revision, w.events, w.deliveries} {
		if err := step(ctx); err != nil {
			return err
		}
	}

	return w.ledger.verdict()
}

// replays repeats answered calls: each must get the same answer and change nothing.
func (w *world) replays(ctx context.Context) error {
	all := w.ledger.acknowledged(makesTag, makesPlaylist, makesByGraph, edits, adds)

	for range min(sample, len(all)) {
		c := all[w.random.IntN(len(all))]

		settled, err := w.try(ctx, c)
		if err != nil || !settled {
			return fmt.Errorf("repeat %s: %w", c.key, err)
		}
	}

	return nil
}

// rows checks that each created row exists exactly once, and no other.
func (w *world) rows(ctx context.Context) error {
	for table, kinds := range map[string][]kind{"tags": {makesTag}, "playlists": {makesPlaylist, makesByGraph}} {
		found, err := w.counts(ctx, "SELECT name, count(*) FROM "+table+" WHERE name LIKE 'chaos-%' GROUP BY name")
		if err != nil {
			return err
		}

		w.compare(table, found, w.ledger.acknowledged(kinds...))
	}

	return nil
}

// compare reports rows that are missing, stored more than once, or unexpected.
func (w *world) compare(what string, found map[string]int, made []*call) {
	for _, c := range made {
		if found[c.key] != 1 {
			w.ledger.brokenf("%s: %s (%s) was acknowledged and is stored %d times", what, c.key, c.kind, found[c.key])
		}

		delete(found, c.key)
	}

	for key, times := range found {
		w.ledger.brokenf("%s: %s was never acknowledged and is stored %d times", what, key, times)
	}
}

func (w *world) counts(ctx context.Context, query string) (map[string]int, error) {
	found := map[string]int{}

	rows, err := w.store.DB.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err reports the error

	for rows.Next() {
		var (
			name  string
			times int
		)

		if err := rows.Scan(&name, &times); err != nil {
			return nil, fmt.Errorf("count: %w", err)
		}

		found[name] = times
	}

	return found, rows.Err()
}

// revision checks that each edit raised the video's revision by one.
func (w *world) revision(ctx context.Context) error {
	moved, err := w.count(ctx, "SELECT revision FROM videos WHERE id = $1", w.video)
	if edits := len(w.ledger.acknowledged(edits)); err == nil && moved != edits {
		w.ledger.brokenf("the video's revision rose by %d after %d edits", moved, edits)
	}

	return err
}

// events checks that each cause has exactly one event, and that there are no others.
func (w *world) events(ctx context.Context) error {
	created, err := w.counts(ctx, `SELECT body::jsonb #>> '{data,playlistName}', count(*) FROM webhook_messages
		WHERE event_type = 'playlist.created' GROUP BY 1`)
	if err != nil {
		return err
	}

	w.compare("events", created, w.ledger.acknowledged(makesPlaylist, makesByGraph))

	// No call adds to a playlist that already has a video.
	for _, of := range []string{"*", "DISTINCT body::jsonb #>> '{data,playlistId}'"} {
		added, err := w.count(ctx, "SELECT count("+of+") FROM webhook_messages WHERE event_type = 'playlist.video_added'")
		if err != nil {
			return err
		}

		if want := len(w.ledger.acknowledged(adds)); added != want {
			w.ledger.brokenf("%d videos were added to playlists, and count(%s) of their events is %d", want, of, added)
		}
	}

	return nil
}

// deliveries waits until every event is delivered, and checks that nothing else was.
func (w *world) deliveries(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, delivered)
	defer cancel()

	for {
		waiting, err := w.count(ctx, "SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'")
		if err != nil {
			return err
		}

		if waiting == 0 {
			break
		}

		sleep(ctx, 50*time.Millisecond)

		if ctx.Err() != nil {
			w.ledger.brokenf("%d deliveries did not arrive within %s", waiting, delivered)

			return nil
		}
	}

	heard, wrong := w.receiver.messages()
	for _, fault := range wrong {
		w.ledger.brokenf("a delivery was wrong: %s", fault)
	}

	rows, err := w.store.DB.QueryContext(ctx, "SELECT id FROM webhook_messages")
	if err != nil {
		return fmt.Errorf("read messages: %w", err)
	}

	return w.heardAll(rows, heard)
}

func (w *world) heardAll(rows *sql.Rows, heard map[string]int) error {
	defer rows.Close() //nolint:errcheck // Err reports the error

	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("read messages: %w", err)
		}

		if heard[id] == 0 {
			w.ledger.brokenf("%s was committed but never delivered", id)
		}

		delete(heard, id)
	}

	for id := range heard {
		w.ledger.brokenf("%s was delivered, but its transaction was never committed", id)
	}

	return rows.Err()
}

// spread formats how often each status was returned.
func spread(statuses map[int]int) string {
	var parts []string

	for _, status := range []int{0, http.StatusOK, http.StatusConflict, http.StatusServiceUnavailable} {
		if statuses[status] > 0 {
			name := fmt.Sprint(status)
			if status == 0 {
				name = "broken"
			}

			parts = append(parts, fmt.Sprintf("%d × %s", statuses[status], name))
		}
	}

	return strings.Join(parts, ", ")
}
