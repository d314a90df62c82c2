package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const times = 100

// asking is a kind of request. Each time that it is made it is about another video.
type asking struct {
	what string
	goal time.Duration // of p95; zero: none
	path func(b *bench, video, from, until string) (path, body string)
}

func graph(fields string) func(*bench, string, string, string) (string, string) {
	return func(_ *bench, video, from, until string) (string, string) {
		return "/graphql", fmt.Sprintf(`{"query":"{ videoAnalytics(videoId: \"%s\", startDate: \"%s\", endDate: \"%s\") { %s } }"}`,
			video, from, until, fields)
	}
}

func rest(path string) func(*bench, string, string, string) (string, string) {
	return func(_ *bench, video, from, until string) (string, string) {
		return strings.NewReplacer("VIDEO", video, "FROM", from, "UNTIL", until).Replace(path), ""
	}
}

func askings() []asking {
	const workspace = "/v1/analytics?startDate=FROM&endDate=UNTIL"

	return []asking{
		{"a video's summary, 90 days", 50 * time.Millisecond, graph("summary { totalViews uniqueSessions avgPercentViewed completions }")},
		{"a video's retention, 90 days", 100 * time.Millisecond, graph("retention { percent watchCount uniqueViewers }")},
		{"all of a video, 90 days (REST)", 0, rest("/v1/videos/VIDEO/analytics?startDate=FROM&endDate=UNTIL")},
		{"all of a video, all time (REST)", 0, rest("/v1/videos/VIDEO/analytics")},
		{"all of the workspace, 90 days (REST)", 200 * time.Millisecond, rest(workspace)},
		{"the same in Kathmandu's days", 200 * time.Millisecond, rest(workspace + "&timezone=Asia/Kathmandu")},
		{"the same of the caller's own videos", 200 * time.Millisecond, rest(workspace + "&scope=mine&timezone=Asia/Kathmandu")},
	}
}

// took are the median and the 95th percentile of an asking.
type took struct{ median, p95 time.Duration }

// measure asks for everything, one after the other.
func (b *bench) measure(ctx context.Context) ([]took, error) {
	var all []took

	today := time.Now().UTC()
	from, until := today.AddDate(0, 0, 1-days).Format(time.DateOnly), today.Format(time.DateOnly)

	for _, a := range askings() {
		each := make([]time.Duration, times)

		for i := range each {
			path, body := a.path(b, fmt.Sprintf("vid_%026d", i*37%videos), from, until)

			r, err := measure.Ask(ctx, b.product.Addr, path, b.key, body)
			if err != nil {
				return nil, err
			}

			began := time.Now()

			if _, err := measure.Answer(r, `"errors"`); err != nil {
				return nil, err
			}

			each[i] = time.Since(began)
		}

		slices.Sort(each)

		t := took{each[times/2], each[times*95/100]}
		all = append(all, t)

		fmt.Fprintf(os.Stderr, "%s: %s, p95 %s\n", a.what, t.median, t.p95)
	}

	return all, nil
}

func report(few, many []took) string {
	var text strings.Builder

	text.WriteString("| | 2 million events: median | p95 | 20 million: median | p95 | goal | growth of the median, goal ≤ 1.5 |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")

	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

	for i, a := range askings() {
		goal := ""
		if a.goal > 0 {
			goal = fmt.Sprintf("≤ %d ms, %s", a.goal.Milliseconds(), measure.Verdict(many[i].p95 <= a.goal))
		}

		grown := float64(many[i].median) / float64(few[i].median)

		fmt.Fprintf(&text, "| %s | %s | %s | %s | **%s** | %s | **%.2f**, %s |\n",
			a.what, ms(few[i].median), ms(few[i].p95), ms(many[i].median), ms(many[i].p95), goal, grown, measure.Verdict(grown <= 1.5))
	}

	return text.String()
}

const how = `
How:

- %d videos of one workspace over %d days, some seen far more than others; %d events in five reports a session, which
  plays, jumps once and plays on. Sums of three lengths for the video, its creator and the workspace.
- The first %d sessions were rolled up by the product's job, %.0f sessions a second. The others are %d times the same,
  later by some hours each; what they add was moved and added up in SQL, and proved: of 2,000 of them the job makes the
  same, and the sums of each level are those of the sessions.
- One client, one request at a time, whole answers, each about another video; Postgres (fsync off, as shipped otherwise)
  and the product on the same machine.
`
