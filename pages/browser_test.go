package pages_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// agent is the User-Agent of an ordinary browser. The figures leave out headless browsers.
const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

// playing is the time of the visible player in seconds.
const playing = `document.querySelector(".player.playing video")?.currentTime`

// browser.Awaited waits for the promise that an expression returns.

// TestPlayer tests the player in a browser. All parts share one Chromium and one server.
func TestPlayer(t *testing.T) { //nolint:tparallel // its parts share one browser
	t.Parallel()

	l := newLab(t)
	l.work()

	recorded := film(t, "12")
	b := browser.Open(t, chromedp.UserAgent(agent), chromedp.Flag("autoplay-policy", "no-user-gesture-required"))

	v := l.video(recorded, func(s *values.VideoSettings) { s.DownloadsEnabled = true })
	l.rendered(v, recorded)

	at := l.front + "/video/" + v.ID

	// Parts run one after the other: they share one browser and one server, and check what is shown at the moment.
	t.Run("plays", func(t *testing.T) { l.plays(t, b, at) })                                                //nolint:paralleltest // as above
	t.Run("by the keyboard", func(t *testing.T) { l.byTheKeyboard(t, b.Fresh(t, l.front), at) })            //nolint:paralleltest // as above
	t.Run("by the pointer", func(t *testing.T) { l.byThePointer(t, b.Fresh(t, l.front), at) })              //nolint:paralleltest // as above
	t.Run("on a phone", func(t *testing.T) { l.onAPhone(t, b.Fresh(t, l.front), at) })                      //nolint:paralleltest // as above
	t.Run("without faults", func(t *testing.T) { l.withoutFaults(t, b.Fresh(t, l.front), v) })              //nolint:paralleltest // as above
	t.Run("from its recordings", func(t *testing.T) { l.fromRecordings(t, b.Fresh(t, l.front), recorded) }) //nolint:paralleltest // as above
	t.Run("in other hands", func(t *testing.T) { l.inOtherHands(t, b.Fresh(t, l.front), recorded) })        //nolint:paralleltest // as above
	t.Run("upright", func(t *testing.T) { l.upright(t, b.Fresh(t, l.front)) })                              //nolint:paralleltest // as above
	t.Run("whole", func(t *testing.T) { l.whole(t, b.Fresh(t, l.front), v) })                               //nolint:paralleltest // as above
	t.Run("cannot be made", func(t *testing.T) { l.cannotBeMade(t, b.Fresh(t, l.front), recorded) })        //nolint:paralleltest // as above
	t.Run("behind a password", func(t *testing.T) { l.behindAPassword(t, b.Fresh(t, l.front), recorded) })  //nolint:paralleltest // as above
	t.Run("for members", func(t *testing.T) { l.forMembers(t, b.Fresh(t, l.front), recorded) })             //nolint:paralleltest // as above
	t.Run("embedded", func(t *testing.T) { l.embedded(t, b.Fresh(t, l.front), v) })                         //nolint:paralleltest // as above
	t.Run("says something", func(t *testing.T) { l.says(t, b.Fresh(t, l.front), at) })                      //nolint:paralleltest // as above
}

// plays tests playing, seeking, captions, chapters, the transcript and the playback rate.
func (l *lab) plays(t *testing.T, b *browser.Page, at string) {
	t.Helper()

	b.Do(
		chromedp.Navigate(at+"/view"), chromedp.WaitVisible(".begin", chromedp.ByQuery),
		browser.Until(`getComputedStyle(document.querySelector("h1")).fontSize !== "" && document.querySelector("video").readyState > 1`),
	)
	b.Shoot("view.png")
	b.Do(
		// The captions of a paused position: while playing they would be gone before a busy machine looks.
		chromedp.Click("[data-do=captions]", chromedp.ByQuery), browser.See(".captions", "begins somewhere"),
		browser.Until(`document.querySelector(".captions .spoken") !== null`),
		chromedp.Click(".begin", chromedp.ByQuery), browser.Until(playing+` > 0.3`),
	)
	b.Shoot("playing.png")
	b.Do(
		// A chapter, which becomes the current one in the list and in the player.
		chromedp.Click(".chapters li:nth-child(2) a", chromedp.ByQuery), browser.Until(playing+` >= 4 && `+playing+` < 6`),
		browser.Until(`document.querySelector(".chapters [aria-current]")?.innerText.includes("The middle of it")`),
		browser.See(".player .chapter", "The middle of it"),
		browser.Until(`document.querySelector(".lines [aria-current]") !== null`),
		// A sentence of the transcript.
		chromedp.Click(".lines button:nth-child(3)", chromedp.ByQuery), browser.Until(playing+` >= 5`),
		chromedp.SetValue("[data-do=rate]", "2", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector("[data-do=rate]").dispatchEvent(new Event("change", { bubbles: true }))`, nil),
		browser.Until(`document.querySelector(".player video").playbackRate === 2`),
		// To the end, and again from the start.
		browser.Until(`document.querySelector("[data-do=play]").getAttribute("aria-label") === "Play again"`),
		chromedp.Click("[data-do=play]", chromedp.ByQuery), browser.Until(playing+` > 0 && `+playing+` < 5`),
		chromedp.Click("[data-do=theatre]", chromedp.ByQuery), browser.Until(`document.body.classList.contains("theatre")`),
		chromedp.Click("[data-do=full]", chromedp.ByQuery), browser.Until(`document.fullscreenElement?.matches(".player")`),
		chromedp.Evaluate(`document.exitFullscreen()`, nil), browser.Until(`document.fullscreenElement === null`),
		chromedp.Click("[data-do=theatre]", chromedp.ByQuery),
		// The preview under the pointer.
		chromedp.Evaluate(`(() => { const bar = document.querySelector(".seek"), r = bar.getBoundingClientRect();
			bar.dispatchEvent(new PointerEvent("pointermove", { clientX: r.left + r.width / 2, clientY: r.top, bubbles: true })) })()`, nil),
		browser.See(".peek .where", "0:06 · The middle of it"),
		browser.Until(`getComputedStyle(document.querySelector(".peek .sheet")).backgroundImage.includes("/stills/")`),
	)
	b.Shoot("peek.png")

	require.Empty(t, b.Troubles())
	require.Equal(t, map[string]bool{strings.TrimPrefix(l.front, "http://"): true}, b.Hosts())

	var href string

	b.Do(chromedp.Evaluate(`document.querySelector("a[download]").getAttribute("href")`, &href))
	require.Contains(t, l.client().get(href).header.Get("Content-Disposition"), "How a reel finds its viewers.mp4")
}

func (l *lab) byTheKeyboard(t *testing.T, b *browser.Page, at string) {
	t.Helper()

	focus := func(label string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			for range 60 {
				var now string

				if err := chromedp.KeyEvent(kb.Tab).Do(ctx); err != nil {
					return err
				}

				if err := chromedp.Evaluate(`document.activeElement.getAttribute("aria-label") ?? ""`, &now).Do(ctx); err != nil {
					return err
				}

				if now == label {
					return nil
				}
			}

			return fmt.Errorf("cannot reach %s with the tab key", label)
		})
	}

	b.Do(
		chromedp.Navigate(at+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`),
		focus("Play"), chromedp.KeyEvent(" "), browser.Until(playing+` > 0.2`),
		focus("Position"), chromedp.KeyEvent(kb.ArrowRight), browser.Until(playing+` > 5`),
		browser.Until(`/^[0-9]+ seconds of 12 seconds$/.test(document.activeElement.getAttribute("aria-valuetext"))`),
		chromedp.KeyEvent("k"), browser.Until(`document.querySelector(".player.playing") === null`),
		chromedp.KeyEvent(kb.Home), browser.Until(`document.querySelector("video").currentTime === 0`),
		chromedp.KeyEvent("5"), browser.Until(`document.querySelector("video").currentTime === 6`),
		chromedp.KeyEvent("j"), browser.Until(`document.querySelector("video").currentTime === 0`),
		chromedp.KeyEvent("m"), browser.Until(`document.querySelector("video").muted`),
		chromedp.KeyEvent("c"), browser.Until(`document.querySelector("[data-do=captions]").getAttribute("aria-pressed") === "true"`),
		focus("Full screen"), chromedp.KeyEvent("\r"), browser.Until(`document.fullscreenElement !== null`),
		chromedp.KeyEvent("f"), browser.Until(`document.fullscreenElement === null`),
	)
	require.Empty(t, b.Troubles())
}

// byThePointer clicks on the seek bar, drags along it and taps it. Each action is one seek.
func (l *lab) byThePointer(t *testing.T, b *browser.Page, at string) {
	t.Helper()

	var bar struct{ X, Y, Width float64 }

	mouse := func(kind input.MouseType, part float64) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			return input.DispatchMouseEvent(kind, bar.X+part*bar.Width, bar.Y).WithButton(input.Left).WithButtons(1).WithClickCount(1).Do(ctx)
		})
	}
	stands := func(seconds, seeks int) chromedp.Action {
		return browser.Until(fmt.Sprintf(`Math.abs(document.querySelector("video").currentTime - %d) < 0.3 && seeks === %d`, seconds, seeks))
	}

	b.Do(
		chromedp.Navigate(at+"/view"), browser.Until(`document.querySelector(".player.ready") && document.querySelector("video").readyState > 1`),
		chromedp.Evaluate(`window.seeks = 0; document.querySelector("video").addEventListener("seeking", () => { seeks++ });
			(({ x, y, width, height }) => ({ x, y: y + height / 2, width }))(document.querySelector(".position").getBoundingClientRect())`, &bar),
		mouse(input.MousePressed, 0.5), mouse(input.MouseReleased, 0.5), stands(6, 1),
		// A drag shows its target and seeks when it ends.
		mouse(input.MousePressed, 0.5), mouse(input.MouseMoved, 0.6), mouse(input.MouseMoved, 0.75),
		browser.See(".now", "0:09"), stands(6, 1),
		mouse(input.MouseReleased, 0.75), stands(9, 2),
		// A drag canceled by the browser does not seek.
		mouse(input.MousePressed, 0.75), mouse(input.MouseMoved, 0.25), browser.See(".now", "0:03"),
		chromedp.Evaluate(`document.querySelector(".position").dispatchEvent(new PointerEvent("pointercancel", { bubbles: true })); 0`, nil),
		browser.See(".now", "0:09"), mouse(input.MouseReleased, 0.25), stands(9, 2),
		emulation.SetTouchEmulationEnabled(true),
		chromedp.ActionFunc(func(ctx context.Context) error {
			return input.SynthesizeTapGesture(bar.X+bar.Width/4, bar.Y).WithGestureSourceType(input.GestureTouch).Do(ctx)
		}),
		stands(3, 3),
		// No seek is repeated later.
		chromedp.Click("[data-do=play]", chromedp.ByQuery), browser.Until(playing+` > 3.5`),
		browser.Until(playing+` < 9 && seeks === 3`),
	)
	require.Empty(t, b.Troubles())
}

func (l *lab) onAPhone(t *testing.T, b *browser.Page, at string) {
	t.Helper()

	b.Do(
		emulation.SetDeviceMetricsOverride(360, 740, 2, true), emulation.SetTouchEmulationEnabled(true),
		chromedp.Navigate(at+"/view"), browser.Until(`document.querySelector(".player.ready") && document.querySelector("video").readyState > 1`),
		browser.Until(`document.documentElement.scrollWidth <= 360`),
		// All controls are fully visible and clickable.
		browser.Until(`Array.from(document.querySelectorAll(".controls button, .rate select")).filter((e) => e.offsetParent).every((e) => {
			const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= 360 && r.width >= 24 && r.height >= 24 })`),
	)
	b.Shoot("phone.png")
	b.Do(
		chromedp.Click(".begin", chromedp.ByQuery), browser.Until(playing+` > 0.2`),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(`scrollTo(0, 400)`, nil),
	)
	b.Shoot("phone-dark.png")
}

// withoutFaults runs axe on every kind of page, in both color schemes.
func (l *lab) withoutFaults(t *testing.T, b *browser.Page, v *ent.Video) {
	t.Helper()

	closed := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePassword })
	private := l.video(film(t, "1"), func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePrivate })
	list := l.playlist(v, closed)

	for _, page := range []string{
		"/video/" + v.ID + "/view", "/video/" + v.ID + "/embed", "/video/" + closed.ID + "/view", "/video/" + private.ID + "/view",
		"/playlist/" + list.ID + "/view", "/playlist/" + list.ID + "/embed", "/video/vid_none/view",
	} {
		for _, scheme := range []string{"light", "dark"} {
			b.Do(
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
				chromedp.Navigate(l.front+page), chromedp.WaitVisible("main", chromedp.ByQuery),
				browser.Until(`!document.querySelector("[data-player]") || document.querySelector(".player.ready")`),
			)
			b.Faultless(page + ", " + scheme)
			b.Shoot(strings.NewReplacer("/", "-", v.ID, "open", closed.ID, "closed", private.ID, "private", list.ID, "").Replace(page[1:]) + "-" + scheme + ".png")
		}
	}
}

// upright checks that the preview of a portrait video shows the whole picture and nothing beside it.
func (l *lab) upright(t *testing.T, b *browser.Page) {
	t.Helper()

	v := l.made(film(t, "upright"))
	l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetWidth(360).SetHeight(640) })
	l.rendered(v, film(t, "upright"))

	var (
		shown struct{ Width, Height, Across, Down float64 }
		taken []byte
	)

	b.Do(
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.Until(`document.querySelector(".player.ready") !== null`),
		chromedp.ActionFunc(func(ctx context.Context) error {
			var at []float64
			if err := chromedp.Evaluate(`(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector(".seek").getBoundingClientRect())`,
				&at).Do(ctx); err != nil {
				return err
			}

			return chromedp.MouseEvent(input.MouseMoved, at[0], at[1]).Do(ctx)
		}),
		browser.Until(`(() => {
			const at = getComputedStyle(document.querySelector(".peek .sheet")).backgroundImage.match(/"(.*)"/)?.[1];
			return at && Object.assign(new Image(), { src: at }).decode().then(() => true);
		})()`),
		chromedp.Evaluate(`(() => {
			const tile = document.querySelector(".peek .sheet"), [across, down] = getComputedStyle(tile).backgroundSize.split(" ").map(parseFloat);
			return { width: tile.clientWidth, height: tile.clientHeight, across, down };
		})()`, &shown),
		chromedp.Screenshot(".peek .sheet", &taken, chromedp.ByQuery),
	)
	b.Shoot("upright.png")
	require.InDelta(t, 360.0/640, shown.Width/shown.Height, 0.01)
	require.InDelta(t, 16.0/9, shown.Across/shown.Down, 0.01, "the sheet has as many rows as columns")

	picture, err := png.Decode(bytes.NewReader(taken))
	require.NoError(t, err)

	all := picture.Bounds()

	const inside = 4 // pixels of tolerance for odd sides

	for _, p := range []image.Point{{all.Min.X + inside, all.Dy() / 2}, {all.Max.X - inside, all.Dy() / 2}} {
		red, green, blue, _ := picture.At(p.X, p.Y).RGBA()
		require.Greater(t, (red+green+blue)>>8, uint32(100), "black at %v of %v", p, all)
	}
}

// whole checks in windows of all shapes that no part of the picture is cut off: it fills the stage, or fits inside it.
func (l *lab) whole(t *testing.T, b *browser.Page, wide *ent.Video) {
	t.Helper()

	upright := l.made(film(t, "upright"))
	l.change(upright, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) { u.SetWidth(360).SetHeight(640) })
	l.rendered(upright, film(t, "upright"))

	for _, v := range []*ent.Video{wide, upright} {
		for _, page := range []string{"/view", "/embed"} {
			for _, window := range [][2]int64{{1300, 700}, {390, 844}, {640, 360}} {
				b.Do(
					emulation.SetDeviceMetricsOverride(window[0], window[1], 1, false),
					chromedp.Navigate(l.front+"/video/"+v.ID+page),
					browser.Until(`document.querySelector(".player.ready") !== null && document.querySelector("video").videoWidth > 0`),
					browser.Until(`(() => {
						const of = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round).join() };
						const video = document.querySelector("video"), stage = video.closest(".stage"), r = stage.getBoundingClientRect();
						return getComputedStyle(video).objectFit === "contain" && of(video) === of(stage) &&
							r.left >= 0 && r.right <= innerWidth && r.height <= innerHeight && r.height > 100;
					})()`),
				)
				b.Shoot(fmt.Sprintf("whole-%s-%s-%dx%d.png", v.ID[len(v.ID)-4:], page[1:], window[0], window[1]))
			}
		}
	}
}

// cannotBeMade tests the message of a page whose film cannot be made.
func (l *lab) cannotBeMade(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, nil)

	l.export(v, func(e *ent.ExportCreate) {
		e.SetForPages(true).SetStatus(values.ExportStatusProcessing).SetProgress(40)
	})
	// A cropped video cannot be played from its recordings.
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Clip.UpdateOne(v.Edges.Clips[0]).SetCrop(&values.CropBox{WidthPct: 50, HeightPct: 50}).ExecX(ctx)
	})
	b.Do(chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.See(".notice", "being prepared: 40 %"))
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Export.Update().Where(export.VideoID(v.ID)).SetStatus(values.ExportStatusFailed).SetFinishedAt(time.Now()).ExecX(ctx)
	})
	b.Do(browser.See(".notice", "This video cannot be played right now."))
}

func (l *lab) behindAPassword(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePassword })
	l.rendered(v, recorded)
	l.change(v, func(u *ent.VideoUpdateOne, _ *values.VideoSettings) {
		u.SetPasswordHash(auth.HashPassword("open sesame"))
	})

	for _, page := range []string{"view", "embed"} {
		other := b.Fresh(t, l.front)
		other.Do(
			chromedp.Navigate(l.front+"/video/"+v.ID+"/"+page), browser.See("h1", "Password needed"),
			chromedp.SendKeys("#password", "wrong\r", chromedp.ByQuery), browser.See("#wrong", "Wrong password"),
			chromedp.SendKeys("#password", "open sesame\r", chromedp.ByQuery), browser.Until(`document.querySelector(".player.ready") !== null`),
			chromedp.Click(".begin", chromedp.ByQuery), browser.Until(playing+` > 0.2`),
		)
	}
}

func (l *lab) forMembers(t *testing.T, b *browser.Page, recorded string) {
	t.Helper()

	v := l.video(recorded, func(s *values.VideoSettings) { s.LinkScope = values.LinkScopePrivate })
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(l.member.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	b.Do(
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.See("h1", "Sign in to watch"),
		chromedp.SendKeys("#email", l.member.Email, chromedp.ByQuery), chromedp.SendKeys("#password", "wrong\r", chromedp.ByQuery),
		browser.See("#wrong", "is wrong"),
		chromedp.SendKeys("#password", "correct horse\r", chromedp.ByQuery), browser.Until(`document.querySelector(".player.ready") !== null`),
		browser.See(".say", "You write as Someone"),
		chromedp.Click(".say a", chromedp.ByQuery), browser.See("main", "You are signed in as Someone"),
	)
	b.Faultless("/sign-in, signed in")
	b.Shoot("signed-in.png")
	b.Do(
		chromedp.Click(`form[action="/sign-out"] button`, chromedp.ByQuery),
		browser.Until(`document.querySelector('form[action="/sign-in"] [name=to]') && !document.querySelector('form[action="/sign-out"]')`),
		chromedp.Navigate(l.front+"/video/"+v.ID+"/view"), browser.See("h1", "Sign in to watch"),
	)
}

// embedded tests a video on other sites, which only the allowed ones can embed.
func (l *lab) embedded(t *testing.T, b *browser.Page, v *ent.Video) {
	t.Helper()

	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>Another site</title><iframe src="%s/video/%s/embed" width="640" height="360" allow="autoplay; fullscreen"></iframe>`,
			l.front, v.ID)
	}))
	t.Cleanup(site.Close)

	// The frame has another origin, so the test looks at the reports that the server receives.
	frames := func() int { return l.reports(v) }
	before := frames()

	b.Do(chromedp.Navigate(site.URL), chromedp.WaitReady("iframe", chromedp.ByQuery))
	require.Eventually(t, func() bool { return frames() > before }, browser.Patience, 50*time.Millisecond)
	require.Empty(t, b.Troubles())

	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) {
		s.AllowedEmbedDomains = []string{"elsewhere.example"}
	})
	b.Do(chromedp.Navigate(site.URL), chromedp.WaitReady("iframe", chromedp.ByQuery))
	require.Eventually(t, func() bool {
		return strings.Contains(strings.Join(b.Troubles(), "\n"), "frame-ancestors")
	}, browser.Patience, 50*time.Millisecond)

	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) { s.AllowedEmbedDomains = []string{"127.0.0.1"} })

	before = frames()

	b.Do(chromedp.Navigate(site.URL), chromedp.WaitReady("iframe", chromedp.ByQuery))
	require.Eventually(t, func() bool { return frames() > before }, browser.Patience, 50*time.Millisecond)
}

// says writes a comment at a moment while the video keeps playing.
func (l *lab) says(t *testing.T, b *browser.Page, at string) {
	t.Helper()

	b.Do(
		chromedp.Navigate(at+"/view?t=5"), browser.Until(`document.querySelector("video").currentTime === 5`),
		chromedp.SendKeys("#say-name", "Ada <i>", chromedp.ByQuery), chromedp.SendKeys("#say-body", "Well said & done", chromedp.ByQuery),
		chromedp.Click(".pin input", chromedp.ByQuery), chromedp.Click(".send button", chromedp.ByQuery),
		browser.See(".said", "Well said & done"), browser.See(".said", "Ada <i>"), browser.See(".said .stamp", "0:05"),
		chromedp.Reload(), browser.See(".said", "Well said & done"), browser.See(".comments .count", "1"),
		chromedp.Click(".tools summary", chromedp.ByQuery), chromedp.SendKeys(".tools [name=author]", "Bob", chromedp.ByQuery),
		chromedp.SendKeys(".tools textarea", "Quite so", chromedp.ByQuery), chromedp.Click(".tools .send button", chromedp.ByQuery),
		browser.See(".replies", "Quite so"), browser.See(".comments .count", "2"),
		browser.Until(`!document.querySelector(".tools details").open`),
		chromedp.Reload(), browser.See(".replies .comment", "Quite so"),
	)
	require.Empty(t, b.Troubles())
}
