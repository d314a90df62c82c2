package graphiql_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
	"github.com/reelgraph/reelgraph/web/graphiql"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// serve puts the editor beside the API, as the product does.
func serve(t *testing.T) (*api.Server, string) {
	t.Helper()

	product := api.New(t, api.Options{})
	mux := http.NewServeMux()
	mux.Handle("/graphiql", graphiql.Handler())
	mux.Handle("/graphiql/", graphiql.Handler())
	mux.Handle("/graphql/schema.graphqls", graph.SDLHandler())
	mux.Handle("/", product.Config.Handler)

	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)

	return product, front.URL
}

// browser is a page in headless Chromium, and what went wrong in it.
type browser struct {
	context.Context //nolint:containedctx // chromedp's page is its context

	mu       sync.Mutex
	troubles []string
	hosts    map[string]bool
}

func open(t *testing.T) *browser {
	t.Helper()

	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1440, 900),
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute),
	)
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium refuses to start as root with one
	}

	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)

	ctx, cancel = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancel)

	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // and wait until Chromium has let go of its folder

	b := &browser{Context: ctx, hosts: map[string]bool{}}
	chromedp.ListenTarget(ctx, b.hear)
	require.NoError(t, chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable()))

	return b
}

// hear notes errors and the hosts that are asked for anything.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()

	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.troubles = append(b.troubles, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, arg := range e.Args {
				b.troubles = append(b.troubles, string(arg.Value)+arg.Description)
			}
		}
	case *log.EventEntryAdded:
		b.troubles = append(b.troubles, e.Entry.Text+" "+e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if at, err := url.Parse(e.Request.URL); err == nil && at.Scheme != "data" {
			b.hosts[at.Host] = true
		}
	}
}

func (b *browser) do(t *testing.T, actions ...chromedp.Action) {
	t.Helper()

	if err := chromedp.Run(b, actions...); err != nil {
		b.shoot(t, "failed.png")
		require.NoError(t, err, "%v", b.troubles)
	}
}

// shoot keeps a picture of the page when the test is run with -artifacts.
func (b *browser) shoot(t *testing.T, name string) {
	t.Helper()

	var picture []byte

	require.NoError(t, chromedp.Run(b, chromedp.CaptureScreenshot(&picture)))
	require.NoError(t, os.WriteFile(filepath.Join(t.ArtifactDir(), name), picture, 0o600))
}

// put replaces what is in an editor.
func put(editor, text string) chromedp.Tasks {
	return chromedp.Tasks{
		chromedp.Click(editor, chromedp.ByQuery),
		chromedp.KeyEvent("a", chromedp.KeyModifiers(input.ModifierCtrl)),
		chromedp.KeyEvent(kb.Delete),
		input.InsertText(text),
	}
}

// see waits for a text in an element.
func see(element, text string) chromedp.Action {
	return chromedp.PollFunction(`(element, text) => document.querySelector(element)?.innerText.includes(text)`, nil,
		chromedp.WithPollingArgs(element, text), chromedp.WithPollingTimeout(time.Minute))
}

const (
	headersEditor = `.graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror-lines`
	queryEditor   = `.graphiql-query-editor .CodeMirror-lines`
	run           = `.graphiql-execute-button`
	result        = `.result-window`
)

func TestEditorInABrowser(t *testing.T) {
	t.Parallel()

	product, address := serve(t)
	m := testkit.NewMember(t, product.Store, testkit.MemberOpts{})
	export := finishedExport(t, product, m)
	b := open(t)

	b.do(t,
		chromedp.Navigate(address+"/graphiql"),
		chromedp.WaitVisible(run, chromedp.ByQuery),
		see(".graphiql-doc-explorer", "Docs"), see(".graphiql-doc-explorer", "subscription"),
		see(queryEditor, "query Welcome"), see(".graphiql-editor-tool", `{"Authorization": "Bearer "}`),
	)

	b.do(t, chromedp.Click(run, chromedp.ByQuery), see(result, "Put your API key into the Headers tab"))

	m.Do(t, product.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	b.do(t,
		put(queryEditor, "mutation { signIn(input: {\nemail: \""+m.Email+"\",\npassword: \"correct horse\"\n}) { session { current } } }"),
		chromedp.Click(run, chromedp.ByQuery), see(result, `"current": true`),
		put(queryEditor, `{ viewer { user { email } } }`),
		chromedp.Click(run, chromedp.ByQuery), see(result, m.Email),
		put(queryEditor, `mutation { signOut { signedOut } }`),
		chromedp.Click(run, chromedp.ByQuery), see(result, `"signedOut": true`),
		put(queryEditor, `{ viewer { user { email } } }`),
		chromedp.Click(run, chromedp.ByQuery), see(result, "Put your API key into the Headers tab"),
	)

	b.do(t, put(headersEditor, `{"Authorization": "Bearer `+m.Key+`"}`),
		chromedp.Click(run, chromedp.ByQuery), see(result, m.Email))
	b.shoot(t, "welcome.png")

	b.do(t,
		put(queryEditor, ""),
		chromedp.KeyEvent("{ viewer { user { em"), see(".CodeMirror-hints", "email"),
		chromedp.KeyEvent("ail } workspace { plan } } }"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("\r", chromedp.KeyModifiers(input.ModifierCtrl)),
		see(result, `"plan": "PREMIUM"`), see(result, m.Email),
	)
	b.shoot(t, "typed.png")

	b.do(t,
		put(queryEditor, `subscription { exportProgress(id: "`+export+`") { status progress } }`),
		chromedp.Click(run, chromedp.ByQuery), see(result, `"status": "COMPLETED"`),
	)

	b.do(t,
		chromedp.PollFunction(`(key) => localStorage["graphiql:tabState"]?.includes(key)`, nil, chromedp.WithPollingArgs(m.Key)),
		chromedp.Reload(), chromedp.WaitVisible(run, chromedp.ByQuery), see(".graphiql-editor-tool", m.Key),
		chromedp.Click(run, chromedp.ByQuery), see(result, `"data": {`),
	)

	b.mu.Lock()
	defer b.mu.Unlock()

	require.Empty(t, b.troubles)
	require.Equal(t, map[string]bool{strings.TrimPrefix(address, "http://"): true}, b.hosts)
}

func finishedExport(t *testing.T, s *api.Server, m testkit.Member) (id string) {
	t.Helper()

	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		id = c.Export.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetVideoID(v.ID).
			SetGranularity(domain.GranularityStory).SetResolution(domain.ResolutionP1080).SetFps(domain.FPS30).SetSpeed(domain.Speed1).
			SetSubtitles(false).SetRevision(0).SetPlanHash("hash").SetPlan(json.RawMessage("{}")).
			SetStatus(domain.ExportStatusCompleted).SetProgress(100).SetFinishedAt(time.Now()).SaveX(ctx).ID
	})

	return id
}

func TestAssetsAreKeptForever(t *testing.T) {
	t.Parallel()

	h := graphiql.Handler()
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}

		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)

		return w
	}

	page := get("/graphiql")
	require.Equal(t, http.StatusOK, page.Code)
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, http.StatusNotModified, get("/graphiql", "If-None-Match", page.Header().Get("ETag")).Code)
	require.NotRegexp(t, `(src|href)="(https?:)?//`, page.Body.String())

	for part := range strings.SplitSeq(page.Body.String(), `"`) {
		if !strings.HasPrefix(part, "/graphiql/assets/") {
			continue
		}

		plain, packed := get(part), get(part, "Accept-Encoding", "gzip, br")
		require.Equal(t, http.StatusOK, plain.Code, part)
		require.Equal(t, "public, max-age=31536000, immutable", plain.Header().Get("Cache-Control"))
		require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
		require.Less(t, packed.Body.Len(), plain.Body.Len()+100)
		require.Equal(t, http.StatusNotModified, get(part, "If-None-Match", plain.Header().Get("ETag")).Code)
	}

	require.Equal(t, http.StatusNotFound, get("/graphiql/assets/0/graphiql.min.js").Code)
	require.Equal(t, http.StatusMovedPermanently, get("/graphiql/").Code)
}
