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
	// freed is how soon after a restart a repeat must succeed.
	freed = time.Second

	// delivered is how long deliveries may take that a dead process had begun: it is missed for some
	// seconds, and an attempt that it had made is made again.
	delivered = 2 * time.Minute

	sample = 50 // of what is asked for once more at the end
)

// settle repeats every call of which nobody knows what became, and answers how long the last took.
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
				w.ledger.brokenf("%s (%s) is stuck: for %s a repeat is not answered: %v", c.key, c.kind, took, err)

				break
			}

			sleep(ctx, 2*time.Millisecond)
		}

		longest = max(longest, time.Since(began))
	}

	return longest
}

// verify compares what was acknowledged with what is there. Nothing may be under way any more.
func (w *world) verify(ctx context.Context) error {
	for _, step := range []func(context.Context) error{w.replays, w.rows, w.revision, w.events, w.deliveries} {
		if err := step(ctx); err != nil {
			return err
		}
	}

	return w.ledger.verdict()
}

// replays asks again for what was answered: the same answer must come, and nothing happen.
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

// rows counts what was made: each once, and nothing else.
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

// compare finds what is missing, what is there more than once, and what should not be there.
func (w *world) compare(what string, found map[string]int, made []*call) {
	for _, c := range made {
		if found[c.key] != 1 {
			w.ledger.brokenf("%s: %s (%s) was acknowledged and is there %d times", what, c.key, c.kind, found[c.key])
		}

		delete(found, c.key)
	}

	for key, times := range found {
		w.ledger.brokenf("%s: %s was never acknowledged and is there %d times", what, key, times)
	}
}

func (w *world) counts(ctx context.Context, query string) (map[string]int, error) {
	found := map[string]int{}

	rows, err := w.store.DB.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err tells

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

// revision holds that each edit moved the video by one.
func (w *world) revision(ctx context.Context) error {
	moved, err := w.count(ctx, "SELECT revision FROM videos WHERE id = $1", w.video)
	if edits := len(w.ledger.acknowledged(edits)); err == nil && moved != edits {
		w.ledger.brokenf("the video has moved by %d, after %d edits", moved, edits)
	}

	return err
}

// events holds that each cause has one event, and nothing else has one.
func (w *world) events(ctx context.Context) error {
	created, err := w.counts(ctx, `SELECT body::jsonb #>> '{data,playlistName}', count(*) FROM webhook_messages
		WHERE event_type = 'playlist.created' GROUP BY 1`)
	if err != nil {
		return err
	}

	w.compare("events", created, w.ledger.acknowledged(makesPlaylist, makesByGraph))

	// Nobody adds to a playlist twice.
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

// deliveries waits until every event has been delivered, and holds that nothing else was.
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
			w.ledger.brokenf("%d deliveries did not come in %s", waiting, delivered)

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
	defer rows.Close() //nolint:errcheck // Err tells

	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("read messages: %w", err)
		}

		if heard[id] == 0 {
			w.ledger.brokenf("%s was committed and never delivered", id)
		}

		delete(heard, id)
	}

	for id := range heard {
		w.ledger.brokenf("%s was delivered, and its transaction never committed", id)
	}

	return rows.Err()
}

// spread says how often each status was answered.
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
