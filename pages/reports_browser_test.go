package pages_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	devtools "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
)

// TestReports tests what the server learns about a viewer. It has its own browser, so that neither test takes too
// long.
func TestReports(t *testing.T) { //nolint:tparallel // its parts share one browser
	t.Parallel()

	l := newLab(t)
	l.work()

	recorded := film(t, "12")
	b := browser.Open(t, chromedp.UserAgent(agent), chromedp.Flag("autoplay-policy", "no-user-gesture-required"))

	t.Run("reported", func(t *testing.T) { l.reported(t, b.Fresh(t, l.front), l.made(recorded)) })                     //nolint:paralleltest // as above
	t.Run("by a slow clock", func(t *testing.T) { l.byASlowClock(t, b.Fresh(t, l.front), recorded) })                  //nolint:paralleltest // as above
	t.Run("from a kept page", func(t *testing.T) { l.fromAKeptPage(t, b.Fresh(t, l.front), recorded) })                //nolint:paralleltest // as above
	t.Run("on a page that hangs", func(t *testing.T) { l.onAPageThatHangs(t, b.Fresh(t, l.front), l.made(recorded)) }) //nolint:paralleltest // as above
	t.Run("apart", func(t *testing.T) { l.apart(t, b.Fresh(t, l.front), recorded) })                                   //nolint:paralleltest // as above
}

// reported compares the figures with what the page itself recorded as played. The viewer seeks twice in the page and
// once by other means, sees a part again and pauses in it.
func (l *lab) reported(t *testing.T, b *browser.Page, v *ent.Video) {
	t.Helper()

	// The page does this by itself, frame by frame, so a busy machine does not change what is watched.
	b.Do(
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`),
		chromedp.Evaluate(`(() => {
			const video = document.querySelector("video"), chapter = (n) => document.querySelectorAll(".chapters a")[n].click();
			const toggle = () => document.querySelector("[data-do=play]").click();
			const steps = [[1, away], [3, () => chapter(2)], [9.5, () => chapter(0)], [1, rest], [1.5, toggle]];
			function rest() { video.addEventListener("pause", toggle, { once: true }); toggle() }
			// On a busy page, the last time update before the jump already has the jump's target.
			function away() { left = video.currentTime; video.currentTime = 2.2; video.dispatchEvent(new Event("timeupdate")) }
			let last = 0;
			window.left = window.sum = 0;
			video.addEventListener("seeking", () => { last = video.currentTime });
			// This runs in each frame after the player, which then no longer knows where the jump began.
			video.addEventListener("playing", look, { once: true });
			function look() {
				const now = video.currentTime;
				if (!video.seeking) sum += now - last;
				last = now;
				if (!video.seeking && steps.length && now >= steps[0][0] && now < steps[0][0] + 2) { steps.shift()[1](); last = video.currentTime }
				requestAnimationFrame(look);
			}
		})()`, nil),
		browser.Until(`window.heard !== false`),
		chromedp.Click(".begin", chromedp.ByQuery),
		browser.Until(`document.querySelector(".player.playing") === null && document.querySelector("video").currentTime > 1.4 && document.querySelector("video").currentTime < 3`),
	)

	var truth, left float64

	b.Do(chromedp.Evaluate(`sum`, &truth), chromedp.Evaluate(`left`, &left))

	seconds, counts := l.watched(t, v)
	require.InDelta(t, truth, seconds, 0.1)

	var whence []float64

	for _, report := range l.received(v) {
		var events []analytics.Event

		require.NoError(t, json.Unmarshal(report.Events, &events))

		for _, e := range events {
			if e.Type == values.PlaybackEventTypeSeek && *e.ToSeconds == 2.2 {
				whence = append(whence, *e.FromSeconds)
			}
		}
	}

	require.InDeltaSlice(t, []float64{left}, whence, 0.05, "where the jump outside the player began")

	require.Equal(t, 2, counts[3], "seen again: %v", counts)
	require.Equal(t, 1, counts[11], "watched after a pause: %v", counts)
	require.Equal(t, 0, counts[15], "skipped by the jump outside the player: %v", counts)
	require.Equal(t, 1, counts[20], "seen once: %v", counts)
	require.Equal(t, 0, counts[50], "jumped over: %v", counts)
	require.Equal(t, 1, counts[72], "watched after a jump: %v", counts)
}

// watched returns the figures of a video whose viewer has paused: the seconds, and how often each percent was watched.
func (l *lab) watched(t *testing.T, v *ent.Video) (seconds float64, counts map[int]int) {
	t.Helper()

	require.Eventually(t, func() bool { return l.paused(v) }, browser.Patience, 50*time.Millisecond)
	require.NoError(t, (&rollup.Roll{Store: l.Store}).Work(t.Context(), &river.Job[jobs.Roll]{JobRow: &rivertype.JobRow{}}))

	var figures struct {
		Summary   struct{ TotalWatchTimeSeconds float64 }
		Retention []struct{ Percent, WatchCount int }
	}

	answer := l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID+"/analytics", "")
	require.NoError(t, json.Unmarshal([]byte(answer.Body), &figures), answer.Body)

	counts = map[int]int{}
	for _, r := range figures.Retention {
		counts[r.Percent] = r.WatchCount
	}

	return figures.Summary.TotalWatchTimeSeconds, counts
}

// onAPageThatHangs tests that playback counts while the page hangs, and twice where the browser then returns to the
// beginning.
func (l *lab) onAPageThatHangs(t *testing.T, b *browser.Page, v *ent.Video) {
	t.Helper()

	b.Do(
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`),
		chromedp.Evaluate(`(() => {
			const video = document.querySelector("video");
			const until = (at, then) => video.addEventListener("timeupdate", () => video.currentTime < at ? until(at, then) : then(), { once: true });
			until(0.1, () => {
				for (const began = performance.now(); performance.now() - began < 5300;);
				until(5, () => {
					left = video.currentTime;
					video.currentTime = 0;
					until(0.5, () => document.querySelector("[data-do=play]").click());
				});
			});
		})()`, nil),
		chromedp.Click(".begin", chromedp.ByQuery),
		browser.Until(`document.querySelector(".player.playing") === null && window.left && document.querySelector("video").currentTime < 3`),
	)

	var truth float64

	b.Do(chromedp.Evaluate(`left + document.querySelector("video").currentTime`, &truth))

	seconds, counts := l.watched(t, v)
	require.InDelta(t, truth, seconds, 0.1)
	require.Equal(t, 2, counts[3], "from the beginning again: %v", counts)
	require.Equal(t, 1, counts[30], "while the page hung: %v", counts)
}

// byASlowClock tests that a wrong clock of the viewer does not change the figures.
func (l *lab) byASlowClock(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	b.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := devtools.AddScriptToEvaluateOnNewDocument(`(() => { const { now } = Date; Date.now = () => now() - 5 * 60_000 })()`).Do(ctx)

		return err
	}))
	l.reported(t, b, l.made(recorded))
}

// fromAKeptPage tests the same for a page restored from the browser's cache, where a session continues. It learns the
// server's time after play was pressed, and hears late that playback has begun.
func (l *lab) fromAKeptPage(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.made(recorded)

	b.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := devtools.AddScriptToEvaluateOnNewDocument(`(() => {
			const { fetch } = window;
			let go;
			const asked = new Promise((then) => { go = then });
			window.heard = false;
			window.fetch = async (...what) => {
				const answer = await fetch(...what);
				window.heard = true;
				await asked;
				return answer;
			};
			addEventListener("play", () => {
				go();
				for (const began = performance.now(); performance.now() - began < 600;);
			}, { capture: true, once: true });
		})()`).Do(ctx)

		return err
	}))

	b.Do(chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`))
	require.Eventually(t, func() bool { return l.reports(v) > 0 }, browser.Patience, 50*time.Millisecond)

	l.age.Store(int64(5 * time.Minute))
	defer l.age.Store(0)

	l.reported(t, b, v)
}

// apart checks that a reload continues its session, and that a duplicated tab, which starts with a copy of the page's
// storage, gets its own.
func (l *lab) apart(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, nil)

	const ready = `.querySelector(".player.ready") !== null`

	sessions := func() (n int) {
		l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
			n = c.ViewSession.Query().Where(viewsession.VideoID(v.ID)).CountX(ctx)
		})

		return n
	}
	heard := func(reports int) {
		require.Eventually(t, func() bool { return l.reports(v) >= reports }, browser.Patience, 50*time.Millisecond)
	}

	b.Do(chromedp.Navigate(l.front+"/video/"+v.ID+"/embed"), browser.Until(`document`+ready))
	heard(1)
	b.Do(chromedp.Reload(), browser.Until(`document`+ready))
	heard(2)
	require.Equal(t, 1, sessions())

	var copied string

	b.Do(chromedp.Evaluate(`JSON.stringify(sessionStorage)`, &copied))
	b.Do(
		chromedp.Navigate(l.front+"/robots.txt"),
		chromedp.Evaluate(`Object.assign(sessionStorage, `+copied+`)`, nil),
		chromedp.Navigate(l.front+"/video/"+v.ID+"/embed"), browser.Until(`document`+ready),
	)
	require.Eventually(t, func() bool { return sessions() == 2 }, browser.Patience, 50*time.Millisecond)

	// A session whose token has expired does not continue; its next report starts another.
	over := l.video(recorded, nil)

	b.Do(
		chromedp.Navigate(l.front+"/robots.txt"),
		chromedp.Evaluate(`sessionStorage.setItem("reelgraph.session.`+over.ID+`",
			JSON.stringify({ token: "over", seq: 500, lastMs: Date.now(), released: true }))`, nil),
		chromedp.Navigate(l.front+"/video/"+over.ID+"/embed"), browser.Until(`document`+ready),
	)
	require.Eventually(t, func() bool { return l.reports(over) > 0 }, browser.Patience, 50*time.Millisecond)
	require.Equal(t, int64(1), l.received(over)[0].Seq)
}
