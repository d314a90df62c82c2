package pages_test

import (
	"context"
	"net/http"
	"testing"

	devtools "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// fromRecordings plays a video without a film from its recordings, skipping the cuts, and then its film.
func (l *lab) fromRecordings(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, nil)
	l.Call(t, l.member.Key, http.MethodPost, "/v1/videos/"+v.ID+"/clips/"+v.Edges.Clips[0].ID+"/cut", `{"cuts":[{"fromMs":1000,"toMs":9000}]}`)

	b.Do(
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`),
		browser.See(".total", "0:04"),
		chromedp.Evaluate(`window.seen = []; (function look() { seen.push(document.querySelector("video").currentTime); requestAnimationFrame(look) })()`, nil),
		chromedp.Click(".begin", chromedp.ByQuery),
		browser.Until(`document.querySelector("[data-do=play]").getAttribute("aria-label") === "Play again"`),
		browser.See(".now", "0:04"),
	)

	var wrong []float64

	b.Do(chromedp.Evaluate(`seen.filter((at) => at > 1.1 && at < 8.98)`, &wrong))
	require.Empty(t, wrong, "a cut part was shown")
	b.Do(
		browser.Until(`fetch(JSON.parse(document.querySelector(".reel").textContent).streamAt).then((a) => a.json()).then((s) => "file" in s)`),
		chromedp.Reload(), browser.Until(`document.querySelector("video").src.includes("/watch/") && document.querySelector("video").duration < 4.1`),
	)

	made := l.exports(v)
	require.Len(t, made, 1)
	require.True(t, made[0].ForPages)
	require.NotContains(t, l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID+"/exports", "").Body, made[0].ID)
}

// inOtherHands plays recordings in ways other than the page's controls: a browser that requires a gesture, media keys,
// and picture in picture, which mutes. The first span is shorter than the time of a jump.
func (l *lab) inOtherHands(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, nil)
	l.Call(t, l.member.Key, http.MethodPost, "/v1/videos/"+v.ID+"/clips/"+v.Edges.Clips[0].ID+"/cut",
		`{"cuts":[{"fromMs":30,"toMs":4000},{"fromMs":5000,"toMs":12000}]}`)

	const (
		label = `document.querySelector("[data-do=play]").getAttribute("aria-label")`
		muted = `document.querySelector("[data-do=mute]").getAttribute("aria-pressed")`
	)

	b.Do(
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := devtools.AddScriptToEvaluateOnNewDocument(`(() => {
				const { play } = HTMLMediaElement.prototype;
				HTMLMediaElement.prototype.play = function () {
					HTMLMediaElement.prototype.play = play;
					return Promise.reject(new DOMException("a gesture first", "NotAllowedError"));
				};
			})()`).Do(ctx)

			return err
		}),
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view?play=1"), browser.Until(`document.querySelector(".player.ready") !== null`),
		browser.Until(label+` === "Play" && !document.querySelector(".begin").hidden && document.querySelector(".player.playing") === null`),
		chromedp.Evaluate(`(() => {
			const video = document.querySelector("video");
			window.seen = []; window.jumps = 0;
			video.addEventListener("seeking", () => jumps++);
			(function look(...before) {
				const hung = Math.max(0, ...before.slice(1).map((at, i) => before[i] - at - 17)) / 1000;
				if (!video.seeking) seen.push({ at: video.currentTime, hung });
				requestAnimationFrame(() => look(performance.now(), ...before.slice(0, 3)));
			})(performance.now());
			const { fetch } = window;
			window.told = [];
			window.fetch = (to, how) => {
				if (String(to).startsWith("/playback/")) told.push(...JSON.parse(how.body).events);
				return fetch(to, how);
			};
		})()`, nil),
		chromedp.Click(".begin", chromedp.ByQuery), browser.Until(label+` === "Play again"`),
		chromedp.Evaluate(`(() => {
			window.labels = [];
			new MutationObserver(() => labels.push(`+label+`)).observe(document.querySelector("[data-do=play]"), { attributes: true });
			const video = document.querySelector("video");
			void video.play();
			told.length = 0;
			(function hang(begun) {
				begun ||= !video.seeking && video.currentTime < 4.4;
				if (!begun || video.currentTime < 4.4) return requestAnimationFrame(() => hang(begun));
				const { pause } = video;
				video.pause = () => { window.noticed = video.currentTime; pause.call(video) };
				for (const from = performance.now(); performance.now() < from + 1000; );
			})(false);
		})()`, nil),
		browser.Until(`labels.join() === "Pause,Play again" && document.querySelector("video").paused`),
		browser.Until(`noticed > 5.1 && !document.querySelector("video").seeking && document.querySelector("video").currentTime <= 5`),
		browser.Until(`told.at(-1)?.toSeconds === 1.03`),
		chromedp.Evaluate(`jumps = 0; document.querySelector(".position").focus()`, nil), chromedp.KeyEvent(kb.Home),
		browser.Until(`jumps > 0 && !document.querySelector("video").seeking && document.querySelector(".position").value < 0.1`),
		browser.Until(`new Promise((done) => { let frames = 0; (function look() { ++frames < 20 ? requestAnimationFrame(look) : done(true) })() })`),
	)

	var (
		wrong []struct{ At, Hung float64 }
		jumps int
	)

	// A script cannot leave a cut while the page itself hangs, as on an overloaded machine.
	b.Do(chromedp.Evaluate(`seen.filter(({ at, hung }) => at > 0.15 + hung && at < 3.95 || at > 5.1 + hung)`, &wrong), chromedp.Evaluate(`jumps`, &jumps))
	require.Empty(t, wrong, "a cut part was shown")
	require.LessOrEqual(t, jumps, 2, "one jump to the start, one at the end of the first span")

	b.Do(
		chromedp.Evaluate(`(() => {
			const loudness = document.querySelector(".loudness");
			loudness.value = "0";
			loudness.dispatchEvent(new Event("input"));
		})()`, nil),
		chromedp.Reload(), browser.Until(`document.querySelector(".player.ready") !== null`), browser.Until(muted+` === "true"`),
		chromedp.Evaluate(`document.querySelector("[data-do=mute]").click()`, nil),
		browser.Until(muted+` === "false" && document.querySelector("video").volume === 1 && !document.querySelector("video").muted`),
		chromedp.Evaluate(`document.querySelector("video").muted = true`, nil), browser.Until(muted+` === "true"`),
	)
}
