package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/browser"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// line stands between a browser and the server. It can hold uploads, and break them off.
type line struct {
	*httptest.Server

	mu      sync.Mutex
	most    int           // how many uploads were under way at the same time
	now     int           // how many are
	breaks  int           // how many more uploads break off after half of a megabyte
	gate    chan struct{} // uploads wait behind half of a megabyte until it is closed; nil: they do not
	resumed []int64       // the offsets at which uploads began, other than 0
}

var errBroken = errors.New("the line is broken")

const half = 1 << 19

// newLine opens a line to a server.
func newLine(t *testing.T, base string) *line {
	t.Helper()

	target, err := url.Parse(base)
	require.NoError(t, err)

	l := &line{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPatch {
			proxy.ServeHTTP(w, r)

			return
		}

		r.Body = l.begin(r)
		defer l.end()

		proxy.ServeHTTP(w, r)
	}))

	t.Cleanup(func() {
		l.CloseClientConnections() // held uploads end
		l.Close()
	})

	return l
}

// begin notes an upload and returns its body.
func (l *line) begin(r *http.Request) io.ReadCloser {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.now++
	l.most = max(l.most, l.now)

	if at, _ := strconv.ParseInt(r.Header.Get("Upload-Offset"), 10, 64); at > 0 {
		l.resumed = append(l.resumed, at)
	}

	b := &body{ReadCloser: r.Body, left: half, gate: l.gate, gone: r.Context()}

	if l.breaks > 0 {
		l.breaks--
		b.breaks = true
	}

	return b
}

func (l *line) end() {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.now--
}

// set changes how the next uploads run.
func (l *line) set(breaks int, gate chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.breaks, l.gate = breaks, gate
}

// underWay reports whether so many uploads run now.
func (l *line) underWay(n int) func() bool {
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()

		return l.now == n
	}
}

func (l *line) seen() (most int, resumed []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.most, append(resumed, l.resumed...)
}

// body is the body of an upload, which waits or breaks off behind half of a megabyte.
type body struct {
	io.ReadCloser

	left   int
	breaks bool
	gate   chan struct{}
	gone   context.Context //nolint:containedctx // of the request whose body it is
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		if b.breaks {
			return 0, errBroken
		}

		if b.gate != nil {
			select {
			case <-b.gate:
				b.gate = nil
			case <-b.gone.Done():
				return 0, errBroken
			}
		}

		return b.ReadCloser.Read(p) //nolint:wrapcheck // passed on
	}

	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n

	return n, err //nolint:wrapcheck // passed on
}

// films makes recordings of more than a megabyte.
func films(t *testing.T, names ...string) (paths []string) {
	t.Helper()

	dir := t.TempDir()
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
		require.NoError(t, footage.Counter(t.Context(), paths[len(paths)-1], footage.Film{
			Width: 320, Height: 180, Frames: 60, Filter: "noise=alls=70:allf=t", Encoder: []string{"-c:v", "libx264", "-preset", "ultrafast", "-qp", "0"},
		}))
	}

	return paths
}

const chooser = `main input[type="file"]`

func choose(selector string, paths ...string) chromedp.Action {
	return chromedp.SetUploadFiles(selector, paths, chromedp.ByQuery, chromedp.NodeReady)
}

// inTray waits until the list of uploads says something.
func inTray(text string) chromedp.Action {
	return browser.Until(fmt.Sprintf(`document.querySelector('section[aria-label="Uploads"]')?.textContent.includes(%q)`, text))
}

// listed waits until the list of videos has a name.
func listed(name string) chromedp.Action {
	return browser.Until(fmt.Sprintf(`[...document.querySelectorAll("main li h2")].some((e) => e.textContent === %q)`, name))
}

// TestUploadsInABrowser: files that are chosen become videos, three at a time. Uploads go on by themselves after a broken
// connection; what the server has is not sent again.
func TestUploadsInABrowser(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	l := newLine(t, s.base)
	s.env["REELGRAPH_BASE_URL"] = l.URL
	stdout, _ := s.start()
	welcome := regexp.MustCompile(`/welcome#(\S+)`).FindStringSubmatch(stdout.String())
	require.NotNil(t, welcome, stdout.String())

	paths := films(t, "One.mp4", "Two.mp4", "Three.mp4", "Four.mp4", "Cut.mp4")
	p := browser.Open(t)

	var status int

	p.Do(chromedp.Navigate(l.URL+"/welcome"), chromedp.Evaluate(fmt.Sprintf(`fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({
		query: "mutation ($in: CreateOwnerInput!) { createOwner(input: $in) { user { id } } }",
		variables: {in: {token: %q, name: "Olga", email: "olga@example.com", password: "correct horse"}}})}).then((r) => r.status)`, welcome[1]), &status, browser.Awaited))
	require.Equal(t, http.StatusOK, status)
	p.Do(chromedp.Navigate(l.URL+"/"), browser.See("h1", "Videos"), browser.See("main", "Upload your first video"))

	// Four files by the button: three at a time.
	gate := make(chan struct{})
	l.set(0, gate)
	p.Do(choose(chooser, paths[:4]...), inTray("Uploading 4 files"), inTray("Waiting · "))
	require.Eventually(t, l.underWay(3), time.Minute, 10*time.Millisecond)
	p.ShootEverywhere("uploads")
	close(gate)
	l.set(0, nil)
	p.Do(inTray("4 files uploaded"), listed("One"), listed("Two"), listed("Three"), listed("Four"))
	p.ShootEverywhere("uploads-done")

	most, resumed := l.seen()
	require.Equal(t, 3, most)
	require.Empty(t, resumed)

	// One whose connection breaks. Chromium itself may send the same request again before the page hears of it.
	l.set(2, nil)
	p.Do(choose(chooser, paths[4]), inTray("5 files uploaded"), listed("Cut"))

	_, resumed = l.seen()
	require.NotEmpty(t, resumed)
	require.Equal(t, int64(half), resumed[0])
}
