package browser

import (
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Faultless runs axe on the page as it is, and fails for each violation.
func (p *Page) Faultless(where string) {
	p.tb.Helper()

	script, err := os.ReadFile(filepath.Join(p.root(), "test/conformance/node_modules/axe-core/axe.min.js"))
	require.NoError(p.tb, err, "the npm packages of test/conformance are missing: sh scripts/install.sh test")

	var faults []string

	p.Do(
		chromedp.Evaluate(string(script), nil),
		chromedp.Evaluate(
			`axe.run().then((r) => r.violations.flatMap((v) => v.nodes.map((n) => [v.id, n.target, n.html, n.failureSummary].join(" "))))`,
			&faults, Awaited),
	)
	require.Empty(p.tb, faults, where)
}

// Scheme switches between the color schemes "light" and "dark".
func Scheme(value string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}})
}

// ShootEverywhere takes pictures of the page on a desktop, in the dark and on a phone, runs axe on each, and checks that
// nothing is wider than the phone.
func (p *Page) ShootEverywhere(name string) {
	p.tb.Helper()

	p.Do(chromedp.EmulateViewport(1440, 900), Scheme("light"))
	p.Shoot(name + "-desktop.png")
	p.Faultless(name)
	p.Do(Scheme("dark"))
	p.Shoot(name + "-dark.png")
	p.Faultless(name + " in the dark")
	p.Do(Scheme("light"), chromedp.EmulateViewport(360, 780), Until(`document.documentElement.scrollWidth <= 360`))
	p.Shoot(name + "-phone.png")
	p.Faultless(name + " on a phone")
	p.Do(chromedp.EmulateViewport(1440, 900))
}

// root returns the folder of go.mod above the working directory.
func (p *Page) root() string {
	dir, err := os.Getwd()
	require.NoError(p.tb, err)

	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}

		dir = filepath.Dir(dir)
	}
}

// Awaited makes chromedp.Evaluate wait for the promise that the expression returns.
func Awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
