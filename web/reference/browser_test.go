package reference_test

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
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

		b.Do(chromedp.EmulateViewport(1440, 900), light(), open(front.URL+path))
		b.Shoot(name + "-desktop.png")
		b.Do(faultless(t, path))
		b.Do(dark())
		b.Shoot(name + "-dark.png")
		b.Do(faultless(t, path+" in the dark"))
		b.Do(light(), chromedp.EmulateViewport(360, 780), browser.Until(`document.documentElement.scrollWidth <= 360`))
		b.Shoot(name + "-phone.png")
		b.Do(faultless(t, path+" on a phone"))
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
	b.Do(
		faultless(t, "the search"),
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

func light() chromedp.Action { return scheme("light") }
func dark() chromedp.Action  { return scheme("dark") }

func scheme(value string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}})
}

const axe = "../../test/conformance/node_modules/axe-core/axe.min.js"

// faultless runs axe on the page.
func faultless(t *testing.T, where string) chromedp.Action {
	t.Helper()

	script, err := os.ReadFile(axe)
	require.NoError(t, err, "the npm packages of test/conformance are missing: sh scripts/install.sh test")

	var faults []string

	return chromedp.Tasks{
		chromedp.Evaluate(string(script), nil),
		chromedp.Evaluate(`axe.run().then((found) => found.violations.flatMap((v) => v.nodes.map((n) => v.id + " " + n.target + " " + n.failureSummary)))`,
			&faults, awaited),
		checked(func() { require.Empty(t, faults, where) }),
	}
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

func checked(check func()) chromedp.Action {
	return chromedp.ActionFunc(func(context.Context) error {
		check()

		return nil
	})
}
