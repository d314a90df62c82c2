package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// turns is how many of the nine request an export or a transcription, one after the other.
const turns = 3

// slack is the time for checking the queue and planning, in addition to the current piece.
const slack = 2 * time.Second

// exports measures how long short exports wait for a worker next to a long one.
func (b *bench) exports(ctx context.Context) (string, error) {
	slow := b.slow()

	if err := slow.export(ctx); err != nil {
		return "", err
	}

	if err := b.atWork(ctx, slow, "render"); err != nil {
		return "", err
	}

	pieces, err := b.pieces(ctx)
	if err != nil {
		return "", err
	}

	piece, most := at(pieces, 0.5), at(pieces, 1)

	var waits, whole []float64

	for _, t := range b.tenants[:turns] {
		began := time.Now()

		if err := t.export(ctx); err != nil {
			return "", err
		}

		wait, err := b.ended(ctx, t, "render")
		if err != nil {
			return "", err
		}

		waits, whole = append(waits, wait), append(whole, time.Since(began).Seconds())
	}

	if err := b.idle(ctx); err != nil {
		return "", err
	}

	return turn("export", waits, whole, fmt.Sprintf("%.2f s (median; the longest %.2f)", piece, most), most)
}

// pieces measures five pieces of the running export while nothing else waits. The first piece takes longer, because the
// film is planned first.
func (b *bench) pieces(ctx context.Context) (took []float64, err error) {
	last, before := time.Now(), 0

	for len(took) < 5 {
		var made int
		if err := b.db.QueryRowContext(ctx, `SELECT count(*) FROM export_chunks`).Scan(&made); err != nil {
			return nil, fmt.Errorf("count pieces: %w", err)
		}

		if made > before {
			took = append(took, time.Since(last).Seconds()/float64(made-before))
			last, before = time.Now(), made
		}

		if time.Since(last) > time.Minute {
			return nil, fmt.Errorf("%d pieces of an export in a minute", made)
		}

		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
	}

	return took, nil
}

func (t *tenant) export(ctx context.Context) error {
	return t.call(ctx, http.MethodPost, "/v1/videos/"+t.video+"/exports", asJSON, `{}`, nil)
}

// hearings measures how long short recordings wait for transcription next to a long one.
func (b *bench) hearings(ctx context.Context) (string, error) {
	if err := b.idle(ctx); err != nil {
		return "", err
	}

	b.deaf.Store(false)
	defer b.deaf.Store(true)

	long, err := make360p(ctx, b.folder, "long", 7200)
	if err != nil {
		return "", err
	}

	slow := b.slow()
	if err := slow.speak(ctx, long); err != nil {
		return "", err
	}

	if err := b.atWork(ctx, slow, "transcribe"); err != nil {
		return "", err
	}

	begun := time.Now()

	var waits, whole []float64

	for _, t := range b.tenants[:turns] {
		began := time.Now()

		if err := t.speak(ctx, t.film); err != nil {
			return "", err
		}

		wait, err := b.ended(ctx, t, "transcribe")
		if err != nil {
			return "", err
		}

		waits, whole = append(waits, wait), append(whole, time.Since(began).Seconds())
	}

	decoded := max(time.Unix(0, b.asked.Load()).Sub(begun), 0).Seconds()

	return turn("hearing", waits, whole, fmt.Sprintf("%.2f s; before the first one the sound of two hours is decoded for %.2f s",
		hearingTakes.Seconds(), decoded), decoded+hearingTakes.Seconds())
}

// speak uploads a recording with a tone and creates a video that requests a transcript.
func (t *tenant) speak(ctx context.Context, film []byte) (err error) {
	if t.source, err = t.upload(ctx, film); err != nil {
		return err
	}

	_, err = t.makeVideo(ctx)

	return err
}

// atWork waits until a job of a workspace has started.
func (b *bench) atWork(ctx context.Context, t *tenant, kind string) error {
	return b.until(ctx, `EXISTS (SELECT FROM river_job WHERE kind = $1 AND metadata->>'workspace' = $2 AND state = 'running')`,
		kind, t.workspace)
}

// ended waits until the newest job of a workspace has finished, and returns how long it waited for its first worker. A
// job may release its worker and wait again.
func (b *bench) ended(ctx context.Context, t *tenant, kind string) (wait float64, err error) {
	for begun := false; ; {
		var (
			state        string
			waited, last float64
		)

		err := b.db.QueryRowContext(ctx, `
			SELECT state, extract(epoch FROM clock_timestamp() - created_at)::float8,
				coalesce(extract(epoch FROM attempted_at - created_at), 0)::float8
			FROM river_job WHERE kind = $1 AND metadata->>'workspace' = $2 ORDER BY id DESC LIMIT 1`, kind, t.workspace).Scan(&state, &waited, &last)
		if err != nil {
			return 0, fmt.Errorf("find a job: %w", err)
		}

		switch {
		case begun:
		case state == "running", state == "completed":
			begun, wait = true, last
		}

		if state == "completed" {
			return wait, nil
		}

		if waited > 300 {
			return 0, fmt.Errorf("a %s is %s after %.0f s", kind, state, waited)
		}

		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

func turn(name string, waits, whole []float64, piece string, most float64) (string, error) {
	met := at(waits, 1) <= most+slack.Seconds()
	text := fmt.Sprintf("\nA quick %s next to a long one, one at a time: it waited **%.2f s** at most for a worker (median %.2f; "+
		"goal: the current piece, here %s, and %.0f s to hand over the worker, %s), and took %.2f s in all (median).\n",
		name, at(waits, 1), at(waits, 0.5), piece, slack.Seconds(), measure.Verdict(met), at(whole, 0.5))

	if !met {
		return text, missed([]string{fmt.Sprintf("a quick %s waited %.2f s for a worker", name, at(waits, 1))})
	}

	return text, nil
}
