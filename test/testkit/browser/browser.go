// Package browser opens pages in a real headless Chromium. Only tests import it.
package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Patience is how long anything may take to be seen.
const Patience = time.Minute

// lasting is how long a browser may be used: a test has many parts, and on a busy machine each takes its time.
const lasting = 10 * Patience

// Page is a page in Chromium, and what went wrong in it.
type Page struct {
	context.Context //nolint:containedctx // chromedp's page is its context

	tb       testing.TB
	mu       sync.Mutex
	troubles []string
	hosts    map[string]bool
}

// Open starts a Chromium of its own, which ends with the test.
func Open(tb testing.TB, options ...chromedp.ExecAllocatorOption) *Page {
	tb.Helper()

	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1440, 900),
		chromedp.UserDataDir(tb.TempDir()), chromedp.WSURLReadTimeout(Patience),
	)
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium refuses to start as root with one
	}

	ctx, cancel := context.WithTimeout(context.Background(), lasting)
	tb.Cleanup(cancel)

	ctx, cancel = chromedp.NewExecAllocator(ctx, append(flags, options...)...)
	tb.Cleanup(cancel)

	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(tb.Logf))
	tb.Cleanup(cancel)
	tb.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // and wait until Chromium has let go of its folder

	return newPage(tb, ctx)
}

// Fresh is another page of the same Chromium, which has forgotten what an origin had it keep. It is closed with its
// test: pages share the few connections that Chromium has to a server.
func (p *Page) Fresh(tb testing.TB, origin string) *Page {
	tb.Helper()

	ctx, cancel := chromedp.NewContext(p)
	tb.Cleanup(cancel)

	other := newPage(tb, ctx)
	other.Do(network.ClearBrowserCookies(), storage.ClearDataForOrigin(origin, "all"))

	return other
}

func newPage(tb testing.TB, ctx context.Context) *Page { //nolint:revive // a test's first argument is the test
	tb.Helper()

	p := &Page{Context: ctx, tb: tb, hosts: map[string]bool{}}
	chromedp.ListenTarget(ctx, p.hear)
	require.NoError(tb, chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable()))

	return p
}

// hear notes errors and the hosts that are asked for anything.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.troubles = append(p.troubles, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, arg := range e.Args {
				p.troubles = append(p.troubles, string(arg.Value)+arg.Description)
			}
		}
	case *log.EventEntryAdded:
		p.troubles = append(p.troubles, e.Entry.Text+" "+e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if at, err := url.Parse(e.Request.URL); err == nil && at.Scheme != "data" {
			p.hosts[at.Host] = true
		}
	}
}

// Troubles are the errors and warnings there were, which are then forgotten.
func (p *Page) Troubles() []string {
	p.mu.Lock()
	defer p.mu.Unlock()

	were := p.troubles
	p.troubles = nil

	return were
}

// Hosts are those that were asked for anything.
func (p *Page) Hosts() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.hosts
}

// Do acts in the page.
func (p *Page) Do(actions ...chromedp.Action) {
	p.tb.Helper()

	if err := chromedp.Run(p, actions...); err != nil {
		p.Shoot("failed.png")
		require.NoError(p.tb, err, "%v", p.Troubles())
	}
}

// Shoot keeps a picture of the page when the test is run with -artifacts.
func (p *Page) Shoot(name string) {
	p.tb.Helper()

	var picture []byte

	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.Context), Patience)
	defer cancel()

	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&picture)); err != nil {
		p.tb.Logf("no picture: %v", err)

		return
	}

	require.NoError(p.tb, os.WriteFile(filepath.Join(p.tb.ArtifactDir(), name), picture, 0o600))
}

// See waits until a text is in an element.
func See(element, text string) chromedp.Action {
	return Until(fmt.Sprintf("document.querySelector(%q)?.innerText.includes(%q)", element, text))
}

// looks is how often a page is looked at.
const looks = 25 * time.Millisecond

// Until waits until an expression holds, or what it promises does, in whichever page the browser is by then.
func Until(expression string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		late, again := time.NewTimer(Patience), time.NewTicker(looks)
		defer late.Stop()
		defer again.Stop()

		for {
			var holds bool

			err := chromedp.Evaluate("Promise.resolve("+expression+").then(Boolean)", &holds,
				func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }).Do(ctx)
			if err == nil && holds {
				return nil
			}

			select {
			case <-again.C: // a page that was left, too, is looked for again
			case <-late.C:
				return fmt.Errorf("never: %s (%w)", expression, errors.Join(err, context.DeadlineExceeded))
			case <-ctx.Done():
				return fmt.Errorf("wait for %s: %w", expression, ctx.Err())
			}
		}
	})
}
