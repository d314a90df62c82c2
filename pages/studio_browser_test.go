package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// TestStudioVideo: the studio's page of a video plays the page for embedding, follows its time, and changes the video.
// Everything is done with the keyboard, except dragging. All parts share one Chromium and one server.
func TestStudioVideo(t *testing.T) { //nolint:tparallel // its parts share one browser
	t.Parallel()

	l := newLab(t)
	l.work()
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(l.member.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	s := studioPage{lab: l, Page: browser.Open(t, chromedp.UserAgent(agent), chromedp.Flag("autoplay-policy", "no-user-gesture-required"))}
	s.video = l.made(film(t, "12"))

	// The graph of the lab has another address than its pages, and so a cookie of its own.
	var status int

	s.Do(
		chromedp.EmulateViewport(1440, 900), chromedp.Navigate(l.front+"/sign-in"),
		chromedp.Evaluate(fmt.Sprintf(`fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({
			query: "mutation ($in: SignInInput!) { signIn(input: $in) { session { id } } }", variables: {in: {email: %q, password: "correct horse"}}})}).then((r) => r.status)`,
			l.member.Email), &status, browser.Awaited),
		chromedp.Navigate(l.front+"/sign-in?to=/videos/"+s.video.ID+"%3Ft=5"),
		chromedp.SendKeys("#email", l.member.Email, chromedp.ByQuery), chromedp.SendKeys("#password", "correct horse\r", chromedp.ByQuery),
		browser.See("h1", "How a reel finds its viewers"), framed(`.player.ready`),
	)

	require.Equal(t, http.StatusOK, status)

	t.Run("looks", func(t *testing.T) { s.on(t).looks() })               //nolint:paralleltest // one browser
	t.Run("shares", func(t *testing.T) { s.on(t).shares() })             //nolint:paralleltest // as above
	t.Run("renames", func(t *testing.T) { s.on(t).renames() })           //nolint:paralleltest // as above
	t.Run("follows the time", func(t *testing.T) { s.on(t).follows() })  //nolint:paralleltest // as above
	t.Run("comments", func(t *testing.T) { s.on(t).comments() })         //nolint:paralleltest // as above
	t.Run("chapters", func(t *testing.T) { s.on(t).chapters() })         //nolint:paralleltest // as above
	t.Run("trims", func(t *testing.T) { s.on(t).trims() })               //nolint:paralleltest // as above
	t.Run("exports", func(t *testing.T) { s.on(t).exports() })           //nolint:paralleltest // as above
	t.Run("keeps the password", func(t *testing.T) { s.on(t).secret() }) //nolint:paralleltest // as above
	t.Run("deletes", func(t *testing.T) { s.on(t).deletes() })           //nolint:paralleltest // as above

	require.Empty(t, s.Troubles())
}

// studioPage is the studio with a video open.
type studioPage struct {
	*lab
	*browser.Page

	t     *testing.T
	video *ent.Video
}

func (s studioPage) on(t *testing.T) studioPage {
	t.Helper()

	s.t = t

	return s
}

// framed waits until the player's page has an element.
func framed(element string) chromedp.Action {
	return browser.Until(fmt.Sprintf(`document.querySelector("main iframe")?.contentDocument?.querySelector(%q)`, element) + ` != null`)
}

// named is a function that tells the name of an element, as a person reads it.
const named = `((e) => (e?.getAttribute("aria-label") ?? e?.labels?.[0]?.innerText ?? e?.innerText ?? "").trim())`

// reach moves the focus forward with the Tab key to the element with a name.
func reach(name string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for range 150 {
			var at string

			if err := chromedp.KeyEvent(kb.Tab).Do(ctx); err != nil {
				return err
			}

			if err := chromedp.Evaluate(named+`(document.activeElement)`, &at).Do(ctx); err != nil {
				return err
			}

			if at == name {
				return nil
			}
		}

		return fmt.Errorf("cannot reach %q with the Tab key", name)
	})
}

// press presses the button with a name, with the keyboard alone.
func press(name string) chromedp.Action {
	return chromedp.Tasks{reach(name), chromedp.KeyEvent(kb.Enter)}
}

// part waits until a section of the page has a text.
func part(id, text string) chromedp.Action {
	return browser.See(fmt.Sprintf(`[aria-labelledby=%q]`, id), text)
}

// gone waits until a section of the page does not have a text.
func gone(id, text string) chromedp.Action {
	return browser.Until(fmt.Sprintf(`!document.querySelector('[aria-labelledby=%q]').innerText.includes(%q)`, id, text))
}

// dialog waits for a dialog, and its end for none.
func dialog(title string) chromedp.Action {
	if title == "" {
		return browser.Until(`document.querySelector("dialog[open]") === null`)
	}

	return browser.See("dialog[open] h2", title)
}

// faultless runs axe on a part of the page.
func (s studioPage) faultless(root string) {
	s.t.Helper()

	script, err := os.ReadFile("../test/conformance/node_modules/axe-core/axe.min.js")
	require.NoError(s.t, err, "the npm packages of test/conformance are missing: sh scripts/install.sh test")

	var faults []string

	s.Do(browser.Until(`document.getAnimations().length === 0`), chromedp.Evaluate(string(script), nil), chromedp.Evaluate(fmt.Sprintf(
		`axe.run(%q).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => [v.id, n.html, n.failureSummary].join(" "))))`, root), &faults, browser.Awaited))
	require.Empty(s.t, faults)
}

// now returns the video as it is stored.
func (s studioPage) now() (v *ent.Video) {
	s.t.Helper()
	s.member.Do(s.t, s.Store, func(ctx context.Context, c *ent.Client) { v = c.Video.Query().WithClips().OnlyX(ctx) })

	return v
}

func (s studioPage) looks() {
	s.Do(part("chapters", "Where it leads"), part("transcript", "Somebody watches it."), part("comments", "Add comment"), part("figures", "Nobody has watched it"))

	for _, scheme := range []string{"light", "dark"} {
		s.Do(browser.Scheme(scheme))
		s.Shoot("studio-video-" + scheme + ".png")
		s.faultless("#main")
	}

	s.Do(browser.Scheme("light"), chromedp.EmulateViewport(360, 780), browser.Until(`document.documentElement.scrollWidth <= 360`))
	s.Shoot("studio-video-phone.png")
	s.faultless("#main")
	s.Do(chromedp.EmulateViewport(1440, 900))
}

func (s studioPage) shares() {
	s.Do(press("Share"), dialog("Share"))
	s.Shoot("studio-share.png")
	s.faultless("dialog")

	var radios []string

	s.Do(chromedp.Evaluate(`[...document.querySelectorAll("dialog [type=radio]")].map((e) => `+named+`(e) + ": " + document.getElementById(e.getAttribute("aria-describedby")).innerText.length)`, &radios))
	require.Len(s.t, radios, 4)

	for i, label := range []string{"Anyone with the link", "Members only", "Password", "Embeds only"} {
		require.Regexp(s.t, "^"+label+`: [1-9]\d+$`, radios[i])
	}

	// The focus is on the chosen radio. Without a password there is none to save.
	s.Do(
		browser.Until(named+`(document.activeElement) === "Anyone with the link"`),
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), press("Save"), browser.See("dialog [role=alert]", "Enter a password."),
	)
	s.Do(chromedp.Focus(`dialog input[maxlength="255"]`, chromedp.ByQuery), chromedp.KeyEvent("open sesame"), chromedp.KeyEvent(kb.Enter), dialog(""), browser.See("main header", "Password"))

	v := s.now()
	require.Equal(s.t, values.LinkScopePassword, v.Settings.LinkScope)
	require.True(s.t, auth.PasswordMatches(v.PasswordHash, "open sesame"))
}

// renames: a name that somebody else gave meanwhile is shown, and not overwritten unless the person says so.
func (s studioPage) renames() {
	s.Do(press("Rename"), browser.Until(named+`(document.activeElement) === "Name"`), chromedp.KeyEvent("Mine"))
	s.Call(s.t, s.member.Key, http.MethodPatch, "/v1/videos/"+s.video.ID, `{"name":"Theirs"}`)
	s.Do(chromedp.KeyEvent(kb.Enter), browser.See("main header [role=alert]", "Theirs"))
	require.Equal(s.t, "Theirs", s.now().Name)
	s.Do(chromedp.KeyEvent(kb.Enter), browser.Until(`document.querySelector("h1").innerText === "Mine" && document.title.startsWith("Mine")`))
	require.Equal(s.t, "Mine", s.now().Name)

	// What somebody else changed elsewhere does not disturb, and appears without a reload.
	s.Call(s.t, s.member.Key, http.MethodPatch, "/v1/videos/"+s.video.ID, `{"description":"New"}`)
	s.Do(press("Rename"), browser.Until(named+`(document.activeElement) === "Name"`), chromedp.KeyEvent("Again"), chromedp.KeyEvent(kb.Enter), browser.See("h1", "Again"))
	s.Call(s.t, s.member.Key, http.MethodPatch, "/v1/videos/"+s.video.ID, `{"name":"From the API"}`)
	s.Do(browser.See("h1", "From the API"))
}

// follows: the player's time is that of the address, and a search in the transcript leads to the moment.
func (s studioPage) follows() {
	s.Do(
		browser.Until(`[...document.querySelectorAll("[aria-labelledby=chapters] [aria-current=true]")].some((e) => e.innerText.includes("The middle of it"))`),
		reach("Search the transcript"), chromedp.KeyEvent("WATCHES"), part("transcript", "1 place found"),
		chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter),
		browser.Until(`document.querySelector("main iframe").contentDocument.querySelector("video").currentTime > 5.6`),
		chromedp.Evaluate(`document.querySelector("main iframe").contentDocument.querySelector("[data-do=play]").click()`, nil),
		press("Share"), dialog("Share"), browser.Until(`[...document.querySelectorAll("dialog button")].some((e) => /^Copy link at 0:0[5-9]$/.test(e.innerText.trim()))`),
		chromedp.KeyEvent(kb.Escape), dialog(""),
	)
}

func (s studioPage) comments() {
	s.Do(
		reach("Comment"), chromedp.KeyEvent("Where is the sound?"), press("Add comment"), part("comments", "Where is the sound?"),
		press("Reply"), browser.Until(named+`(document.activeElement) === "Reply"`), chromedp.KeyEvent("Here."), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter),
		part("comments", "Here."),
	)
	s.faultless("[aria-labelledby=comments]")
	s.member.Do(s.t, s.Store, func(ctx context.Context, c *ent.Client) {
		said := c.Comment.Query().Order(ent.Asc(comment.FieldCreatedAt)).AllX(ctx)
		require.Len(s.t, said, 2)
		require.NotNil(s.t, said[0].AtMs, "at the player's time")
	})
	s.Do(press("Resolve"), gone("comments", "Where is the sound?"), press("Show 1 resolved"), part("comments", "Resolved by"))
}

func (s studioPage) chapters() {
	s.Do(
		press("Add chapter"), dialog("Add chapter"), chromedp.KeyEvent("Another part"), chromedp.KeyEvent(kb.Enter), dialog(""), part("chapters", "Another part"),
		press("More for Another part"), browser.Until(named+`(document.activeElement) === "Rename"`), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter),
		gone("chapters", "Another part"), part("chapters", "Where it leads"),
	)
}

// trims: the ends are moved by keys and by dragging, and Reset clears both.
func (s studioPage) trims() {
	s.Do(framed(`[data-player]`), reach("Start"), input.DispatchKeyEvent(input.KeyDown).WithKey("ArrowRight").WithModifiers(input.ModifierShift), chromedp.KeyEvent(kb.ArrowRight), part("trim", "0:10 of 0:12 is kept"))
	require.Equal(s.t, values.Cuts{values.SpanOf(0, 1100)}, s.now().Edges.Clips[0].Cuts)

	var at struct{ X, Y float64 }

	s.Do(chromedp.Evaluate(`(() => { const e = document.querySelector("[role=slider][aria-label=End]"); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return {x: r.left + 5, y: r.top + 20} })()`, &at))
	s.Do(
		input.DispatchMouseEvent(input.MousePressed, at.X, at.Y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, at.X-40, at.Y).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseMoved, at.X-80, at.Y).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseReleased, at.X-80, at.Y).WithButton(input.Left).WithClickCount(1),
		part("trim", "0:09 of 0:12 is kept"),
	)
	require.Len(s.t, s.now().Edges.Clips[0].Cuts, 2)
	s.Shoot("studio-trim.png")
	s.faultless("[aria-labelledby=trim]")

	s.Do(press("Reset"), part("trim", "Nothing is trimmed"))
	require.Empty(s.t, s.now().Edges.Clips[0].Cuts)
}

// exports: an export tells its progress, and can be downloaded.
func (s studioPage) exports() {
	s.Do(press("Export"), dialog("Export"))
	s.faultless("dialog")
	s.Do(press("Export"), dialog(""), browser.Until(`document.querySelector("[aria-labelledby=exports] progress, [aria-labelledby=exports] a[download]") !== null`),
		part("exports", "Ready"))

	var href string

	s.Do(chromedp.Evaluate(`document.querySelector("[aria-labelledby=exports] a[download]").getAttribute("href")`, &href))

	file := s.client().get(href)
	require.Contains(s.t, file.header.Get("Content-Disposition"), ".mp4")
	require.True(s.t, strings.HasPrefix(href, "/"), "at the address of the page")
}

// secret: who made a video watches it without its password.
func (s studioPage) secret() {
	require.Equal(s.t, values.LinkScopePassword, s.now().Settings.LinkScope)
	s.Do(chromedp.Reload(), browser.See("h1", "From the API"), framed(`[data-player]`))
}

func (s studioPage) deletes() {
	s.Do(
		press("More"), browser.Until(named+`(document.activeElement) === "Open the viewers’ page"`), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Enter),
		browser.Until(`location.pathname === "/"`), browser.See("[role=status]", "1 video moved to the trash"),
	)
	require.Equal(s.t, http.StatusNotFound, s.Call(s.t, s.member.Key, http.MethodGet, "/v1/videos/"+s.video.ID, "").Status)
	s.Do(press("Undo"), browser.Until(`document.querySelector("main").innerText.includes("From the API")`))
	require.Equal(s.t, "From the API", s.now().Name)
}
