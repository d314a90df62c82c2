package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const (
	spokenVideos = 100_000
	times        = 300 // requests for each place
	goalPage     = 10 * time.Millisecond
)

// asking is a repeatable request and its expected answer.
type asking struct {
	path, body string
	refused    bool
}

// took returns the time until the last byte of one answer.
func (b *bench) took(ctx context.Context, a asking, into any) (time.Duration, error) {
	r, err := measure.Ask(ctx, b.product.Addr, a.path, b.key, a.body)
	if err != nil {
		return 0, err
	}

	began := time.Now()

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("ask: %w", err)
	}

	body, err := io.ReadAll(resp.Body)
	elapsed := time.Since(began)

	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return 0, fmt.Errorf("read an answer: %w", err)
	}

	fails := resp.StatusCode != http.StatusOK || strings.Contains(string(body), `"errors"`)
	if fails != a.refused || fails && !strings.Contains(string(body), `"code":"bad_request"`) { // a 429 does not count as a refusal
		return 0, fmt.Errorf("%s %.200s returned %d: %.500s", a.path, a.body, resp.StatusCode, body)
	}

	if into != nil {
		if err := json.Unmarshal(body, into); err != nil {
			return 0, fmt.Errorf("read an answer: %w", err)
		}
	}

	return elapsed, nil
}

// repeated sends n requests and returns the median and the 95th percentile.
func (b *bench) repeated(ctx context.Context, n int, next func(i int) asking) (median, p95 time.Duration, err error) {
	all := make([]time.Duration, n)

	for i := range all {
		if all[i], err = b.took(ctx, next(i), nil); err != nil {
			return 0, 0, err
		}
	}

	slices.Sort(all)

	return all[n/2], all[n*95/100], nil
}

// row writes a line of the table, with the goal if there is one.
func (b *bench) row(what string, median, p95, goal time.Duration) {
	held := ""
	if goal > 0 {
		held = fmt.Sprintf("≤ %s, %s", goal, measure.Verdict(p95 <= goal))
	}

	fmt.Fprintf(&b.report, "| %s | %s | **%s** | %s |\n", what, short(median), short(p95), held)
}

func short(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

const tableHead = "\n| what | median | p95 | goal of p95 |\n| --- | --- | --- | --- |\n"

// page is the part of a page that a walk reads.
type page struct {
	Videos     []struct{ ID string }
	Pagination struct{ NextCursor string }
}

// pages walks the whole list in the largest pages, stops at some places, and measures pages of both sizes there.
func (b *bench) pages(ctx context.Context, videos int) (err error) {
	// Search is already measured, and updating its index would take longer than everything else.
	if _, err := b.db.ExecContext(ctx, "DROP INDEX video_search"); err != nil {
		return fmt.Errorf("drop the index of search: %w", err)
	}

	if b.key, err = b.seed(ctx, 2, videos, false); err != nil {
		return err
	}

	if err := b.ready(ctx, "pages"); err != nil {
		return err
	}

	fmt.Fprintf(&b.report, "\nPages of %d videos in one workspace, a thousand of them in each millisecond.\n%s", videos, tableHead)

	seen, cursor := 0, ""
	stops := []int{0, videos / 4, videos / 2, videos * 3 / 4, videos - 200}
	began := time.Now()

	for {
		if len(stops) > 0 && seen >= stops[0] {
			if err := b.place(ctx, seen, cursor); err != nil {
				return err
			}

			stops = stops[1:]
		}

		var got page

		if _, err := b.took(ctx, asking{path: "/v1/videos?limit=100" + after(cursor)}, &got); err != nil {
			return err
		}

		seen += len(got.Videos)

		if cursor = got.Pagination.NextCursor; cursor == "" {
			break
		}
	}

	if seen != videos {
		return fmt.Errorf("the walk found %d of %d videos", seen, videos)
	}

	fmt.Fprintf(&b.report, "\nThe walk over all of them, in pages of 100, took %s with the measurements at its places.\n",
		time.Since(began).Round(time.Second))

	return nil
}

func after(cursor string) string {
	if cursor == "" {
		return ""
	}

	return "&cursor=" + url.QueryEscape(cursor)
}

// place measures the pages after a cursor.
func (b *bench) place(ctx context.Context, depth int, cursor string) error {
	graph := `{"query":"{ videos(first: 20) { nodes { id name updatedAt views } pageInfo { endCursor } } }"}`
	if cursor != "" {
		graph = strings.Replace(graph, "first: 20", `first: 20, after: \"`+cursor+`\"`, 1)
	}

	for _, of := range []struct {
		what string
		asking
	}{
		{"REST, 20", asking{path: "/v1/videos?limit=20" + after(cursor)}},
		{"REST, 100", asking{path: "/v1/videos?limit=100" + after(cursor)}},
		{"graph, 20", asking{path: "/graphql", body: graph}},
	} {
		median, p95, err := b.repeated(ctx, times, func(int) asking { return of.asking })
		if err != nil {
			return err
		}

		b.row(fmt.Sprintf("%s, behind %d", of.what, depth), median, p95, goalPage)
	}

	return nil
}

// search measures searches with many and few hits, in names and in transcripts.
func (b *bench) search(ctx context.Context) (err error) {
	if b.key, err = b.seed(ctx, 1, spokenVideos, true); err != nil {
		return err
	}

	if err := b.ready(ctx, "search"); err != nil {
		return err
	}

	fmt.Fprintf(&b.report, "Search over %d videos with names of three words and %d spoken words each.\n%s", spokenVideos, said, tableHead)

	for _, s := range []struct {
		what  string
		query func(i int) string
	}{
		{"two words, few hits", func(i int) string { return fmt.Sprintf("word%d", 3000+i) + fmt.Sprintf(" word%d", 40+i) }},
		{"a rare word", func(i int) string { return fmt.Sprintf("word%d", vocabulary-1-i) }},
		{"a frequent word", func(i int) string { return fmt.Sprintf("word%d", 10+i%20) }},
		{"the beginning of a word in a tenth of all videos", func(i int) string { return fmt.Sprintf("word%d", 1+i%9) }},
	} {
		median, p95, err := b.repeated(ctx, 60, func(i int) asking {
			return asking{path: "/v1/videos/search?query=" + url.QueryEscape(s.query(i))}
		})
		if err != nil {
			return err
		}

		b.row(s.what, median, p95, 0)
	}

	return nil
}
