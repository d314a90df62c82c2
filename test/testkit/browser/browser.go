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

// Patience is the maximum time that a test waits for anything to appear.
const Patience = time.Minute

// lasting limits how long a browser may be used. A test has many parts, and each may be slow on a busy machine.
const lasting = 10 * Patience

// Page is a page in Chromium. It records the errors and warnings of the page.
type Page struct {
	context.Context //nolint:containedctx // chromedp's page is its context

	tb       testing.TB
	mu       sync.Mutex
	troubles []string
	hosts    map[string]bool
}

// Open starts a separate Chromium, which ends with the test.
func Open(tb testing.TB, options ...chromedp.ExecAllocatorOption) *Page {
	tb.Helper()

	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1440, 900),
		chromedp.UserDataDir(tb.TempDir()), chromedp.WSURLReadTimeout(Patience),
	)
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium does not start as root with a sandbox
	}

	ctx, cancel := context.WithTimeout(context.Background(), lasting)
	tb.Cleanup(cancel)

	ctx, cancel = chromedp.NewExecAllocator(ctx, append(flags, options...)...)
	tb.Cleanup(cancel)

	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(tb.Logf))
	tb.Cleanup(cancel)
	tb.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits until Chromium has released its folder

	return newPage(tb, ctx)
}

// Fresh opens another page in the same Chromium and clears the storage of the given origin. The new page is closed at
// the end of its test, because pages share the few connections that Chromium opens to a server.
func (p *Page) Fresh(tb testing.TB, origin string) *Page {
	tb.Helper()

	ctx, cancel := chromedp.NewContext(p)
	tb.Cleanup(cancel)

	other := newPage(tb, ctx)
	other.Do(network.ClearBrowserCookies(), storage.ClearDataForOrigin(origin, "all"))

	return other
}

func newPage(tb testing.TB, ctx context.Context) *Page { //nolint:revive // tests take the test as the first argument
	tb.Helper()

	p := &Page{Context: ctx, tb: tb, hosts: map[string]bool{}}
	chromedp.ListenTarget(ctx, p.hear)
	require.NoError(tb, chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable()))

	return p
}

// hear records errors and the hosts of all requests.
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

// Troubles returns the errors and warnings since the previous call of Troubles.
func (p *Page) Troubles() []string {
	p.mu.Lock()
	defer p.mu.Unlock()

	were := p.troubles
	p.troubles = nil

	return were
}

// Hosts returns the hosts of all requests of the page.
func (p *Page) Hosts() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.hosts
}

// Do runs actions in the page.
func (p *Page) Do(actions ...chromedp.Action) {
	p.tb.Helper()

	if err := chromedp.Run(p, actions...); err != nil {
		p.Shoot("failed.png")
		require.NoError(p.tb, err, "%v", p.Troubles())
	}
}

// Shoot saves a screenshot when the test runs with -artifacts.
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

// See waits until an element contains the text.
func See(element, text string) chromedp.Action {
	return Until(fmt.Sprintf("document.querySelector(%q)?.innerText.includes(%q)", element, text))
}

// looks is the interval between checks of a page.
const looks = 25 * time.Millisecond

// Until waits until a JavaScript expression, or the promise that it returns, is true. It continues to wait if the
// browser navigates to another page.
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
			case <-again.C: // the page may have been replaced, so look again
			case <-late.C:
				return fmt.Errorf("never: %s (%w)", expression, errors.Join(err, context.DeadlineExceeded))
			case <-ctx.Done():
				return fmt.Errorf("wait for %s: %w", expression, ctx.Err())
			}
		}
	})
}
