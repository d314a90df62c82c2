package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const times = 100

// asking is a kind of request. Each request is about another video.
type asking struct {
	what string
	goal time.Duration // for the p95; zero means none
	path func(video, from, until string) (path, body string)
}

func graph(fields string) func(video, from, until string) (path, body string) {
	return func(video, from, until string) (string, string) {
		return "/graphql", fmt.Sprintf(`{"query":"{ videoAnalytics(videoId: \"%s\", startDate: \"%s\", endDate: \"%s\") { %s } }"}`,
			video, from, until, fields)
	}
}

func rest(path string) func(video, from, until string) (path, body string) {
	return func(video, from, until string) (string, string) {
		return strings.NewReplacer("VIDEO", video, "FROM", from, "UNTIL", until).Replace(path), ""
	}
}

func askings() []asking {
	const workspace = "/v1/analytics?startDate=FROM&endDate=UNTIL"

	return []asking{
		{"a video's summary, 90 days", 50 * time.Millisecond, graph("summary { totalViews uniqueSessions averagePercentViewed completions }")},
		{"a video's retention, 90 days", 100 * time.Millisecond, graph("retention { percent watchCount uniqueViewers }")},
		{"everything about a video, 90 days (REST)", 0, rest("/v1/videos/VIDEO/analytics?startDate=FROM&endDate=UNTIL")},
		{"everything about a video, all time (REST)", 0, rest("/v1/videos/VIDEO/analytics")},
		{"everything about the workspace, 90 days (REST)", 200 * time.Millisecond, rest(workspace)},
		{"the same in Kathmandu's days", 200 * time.Millisecond, rest(workspace + "&timezone=Asia/Kathmandu")},
		{"the same for the caller's own videos", 200 * time.Millisecond, rest(workspace + "&scope=mine&timezone=Asia/Kathmandu")},
	}
}

// took holds the median and the 95th percentile of a kind of request.
type took struct{ median, p95 time.Duration }

// measure sends every request to the small and to the large database in turn, so that other load on the machine affects
// both.
func (b *bench) measure(ctx context.Context) (few, many []took, err error) {
	if b.few, err = b.serve(ctx, "few"); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, b.few.Stop()) }()

	if b.many, err = b.serve(ctx, "reelgraph"); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, b.many.Stop()) }()

	for _, a := range askings() {
		each := map[*measure.Process][]time.Duration{}

		for i := range times {
			order := []*measure.Process{b.few, b.many}
			if i%2 == 1 {
				slices.Reverse(order)
			}

			for _, product := range order {
				one, err := b.ask(ctx, product, a, i)
				if err != nil {
					return nil, nil, err
				}

				each[product] = append(each[product], one)
			}
		}

		few, many = append(few, tookOf(each[b.few])), append(many, tookOf(each[b.many]))
		fmt.Fprintf(os.Stderr, "%s: %v, and of the many %v\n", a.what, few[len(few)-1], many[len(many)-1])
	}

	return few, many, nil
}

// ask sends one request of a kind.
func (b *bench) ask(ctx context.Context, product *measure.Process, a asking, i int) (time.Duration, error) {
	today := time.Now().UTC()
	path, body := a.path(fmt.Sprintf("vid_%026d", i*37%videos), today.AddDate(0, 0, 1-days).Format(time.DateOnly), today.Format(time.DateOnly))

	r, err := measure.Ask(ctx, product.Addr, path, b.key, body)
	if err != nil {
		return 0, err
	}

	began := time.Now()
	_, err = measure.Answer(r, `"errors"`)

	return time.Since(began), err
}

func tookOf(each []time.Duration) took {
	slices.Sort(each)

	return took{each[len(each)/2], each[len(each)*95/100]}
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

- %d videos of one workspace over %d days, some viewed far more than others. Each session has %d events in five reports:
  it plays, jumps once and plays on. Sums of three lengths for the video, its creator and the workspace.
- The product's job rolled up the first %d sessions, %.0f sessions a second. The others are %d copies of these, each some
  hours later. Their part of the figures was computed in SQL and checked: for 2,000 of them the job computes the same,
  and the sums of each level equal those of the sessions.
- One client, one request at a time, whole answers, each about another video, with few and with many events in turn. One
  Postgres (fsync off, otherwise as shipped) and the product over both databases run on the same machine.
`
