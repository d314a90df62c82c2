package studio_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// scrolling moves down by 60 px a frame through the whole list as far as it is loaded, and returns the 95th percentile of
// the time between two frames, the longest, and how many videos are loaded.
const scrolling = `new Promise((done) => {
	const took = [];
	let before = 0;
	requestAnimationFrame(function frame(now) {
		if (before) took.push(now - before);
		before = now;
		scrollBy(0, 60);
		if (took.length < 1500) requestAnimationFrame(frame);
		else {
			took.sort((a, b) => a - b);
			done([took[Math.floor(took.length * 0.95)], took.at(-1), scrollY]);
		}
	});
})`

// BenchmarkLongLibrary scrolls through 10,000 videos, whose thumbnails exist, and changes one that is on the screen.
func BenchmarkLongLibrary(b *testing.B) {
	l := open(b, testkit.MemberOpts{Role: auth.RoleOwner}, func(l *lab) {
		l.videos("Last")

		//nolint:unqueryvet // whatever columns there are
		_, err := l.Store.DB.ExecContext(b.Context(), `
			CREATE TEMP TABLE copies AS SELECT v.*, n FROM videos v, generate_series(1, 9999) n;
			UPDATE copies SET id = 'vid_' || lpad(n::text, 26, '0'), name = 'Video ' || n, updated_at = updated_at - n * interval '1 minute';
			ALTER TABLE copies DROP COLUMN n;
			INSERT INTO videos SELECT * FROM copies`)
		if err != nil {
			b.Fatal(err)
		}
	})
	l.Do(l.visit("/"), shows("Video 1"), l.listens())

	var figures []float64

	for b.Loop() {
		l.Do(chromedp.Evaluate(`scrollTo(0, 0)`, nil), chromedp.Evaluate(scrolling, &figures, browser.Awaited))
	}

	b.ReportMetric(figures[0], "ms/frame-p95")
	b.ReportMetric(figures[1], "ms/frame-max")
	b.ReportMetric(figures[2], "px")

	// With the whole walk so far in memory, one changed video.
	l.Do(chromedp.Evaluate(`scrollTo(0, 0)`, nil), shows("Video 1"))

	before := l.busy()

	l.elsewhere(`mutation ($id: ID!) { updateVideo(id: $id, input: {name: "Changed"}) { video { id } } }`, map[string]any{"id": l.ids()["Video 1"]})
	l.Do(shows("Changed"))
	b.ReportMetric((l.busy()-before)*1000, "ms/change")
}

// busy returns for how long the page's scripts and layout have run, in seconds.
func (l *lab) busy() (seconds float64) {
	l.Do(performance.Enable(), chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := performance.GetMetrics().Do(ctx)
		for _, one := range all {
			switch one.Name {
			case "ScriptDuration", "LayoutDuration", "RecalcStyleDuration":
				seconds += one.Value
			}
		}

		return err //nolint:wrapcheck // the test shows it
	}))

	return seconds
}
