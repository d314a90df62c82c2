package reference_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// shown are the pages opened in a browser, one of each kind.
var shown = []string{"/", "/docs", "/docs/videos", "/docs/clips", "/docs/webhooks", "/docs/events", "/docs/shapes", "/docs/errors", "/docs/versioning"}

// TestReferenceInABrowser tests the reference in a browser: search, phone size, dark mode, and accessibility with
// axe.
func TestReferenceInABrowser(t *testing.T) {
	t.Parallel()

	front := httptest.NewServer(handler)
	t.Cleanup(front.Close)

	b := browser.Open(t)

	for _, path := range shown {
		name := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", "-")

		b.Do(chromedp.EmulateViewport(1440, 900), browser.Scheme("light"), open(front.URL+path))
		b.ShootEverywhere(name)
	}

	searches(t, b, front.URL)
	require.Empty(t, b.Troubles())
	require.Equal(t, map[string]bool{strings.TrimPrefix(front.URL, "http://"): true}, b.Hosts())
}

// searches finds an operation with the keyboard, opens it, and opens the menu on a phone.
func searches(t *testing.T, b *browser.Page, front string) {
	t.Helper()

	b.Do(
		chromedp.EmulateViewport(1440, 900), open(front+"/docs"),
		chromedp.KeyEvent("k", chromedp.KeyModifiers(input.ModifierCtrl)), browser.Until(`document.querySelector("dialog").open`),
		chromedp.KeyEvent("fillers"), browser.See("#results [aria-selected=true]", "Remove filler words"),
	)
	b.Shoot("search.png")
	b.Faultless("the search")
	b.Do(
		chromedp.KeyEvent("zzz"), browser.See(".none", "No results"),
		chromedp.Evaluate(`document.querySelector("dialog input").select()`, nil), chromedp.KeyEvent("applyVideoEdits"),
		browser.See("#results [aria-selected=true]", "Apply edits together"), chromedp.KeyEvent(kb.Enter),
		browser.Until(`location.pathname + location.hash === "/docs/videos#applyVideoEdits"`),
		browser.Until(`document.querySelector(".side .here")?.hash === "#applyVideoEdits"`),
	)

	// Links from when the reference was a single page still work.
	b.Do(
		chromedp.Navigate(front+"/docs#shape-Export"), browser.Until(`location.pathname + location.hash === "/docs/shapes#Export"`),
		chromedp.EmulateViewport(360, 780), open(front+"/docs/tags"),
		chromedp.Click(".menu summary", chromedp.ByQuery), browser.See(".menu", "Delete a tag"),
	)
	b.Shoot("menu-phone.png")
	b.Do(
		chromedp.Click(`.menu a[href="#deleteTag"]`, chromedp.ByQuery),
		browser.Until(`!document.querySelector(".menu").open && document.querySelector("#deleteTag").getBoundingClientRect().top < 200`),
	)
}

// open goes to a page and waits for its style, font and script.
func open(address string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.Navigate(address), browser.Until(`document.readyState === "complete" && document.fonts.status === "loaded"`),
		browser.Until(`document.fonts.check("16px Inter") && document.querySelector(".find")?.hidden !== true`),
	}
}
