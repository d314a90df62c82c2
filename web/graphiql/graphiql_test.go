package graphiql_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
	"github.com/reelgraph/reelgraph/web/graphiql"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// serve puts the editor beside the API, as the product does.
func serve(t *testing.T) (*api.Server, string) {
	t.Helper()

	product := api.New(t, api.Options{})
	mux := http.NewServeMux()
	mux.Handle("/graphiql", graphiql.Handler(http.NotFoundHandler()))
	mux.Handle("/graphiql/", graphiql.Handler(http.NotFoundHandler()))
	mux.Handle("/graphql/schema.graphqls", graph.SDLHandler())
	mux.Handle("/", product.Config.Handler)

	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)

	return product, front.URL
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
	b := browser.Open(t)

	b.Do(
		chromedp.Navigate(address+"/graphiql"),
		chromedp.WaitVisible(run, chromedp.ByQuery),
		browser.See(".graphiql-doc-explorer", "Docs"), browser.See(".graphiql-doc-explorer", "subscription"),
		browser.See(queryEditor, "query Welcome"), browser.See(".graphiql-editor-tool", `{"Authorization": "Bearer "}`),
	)

	b.Do(chromedp.Click(run, chromedp.ByQuery), browser.See(result, "Put your API key into the Headers tab"))
	b.Shoot("nobody.png")
	b.Do(
		put(queryEditor, `subscription { exportProgress(id: "`+export+`") { status } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, "Put your API key into the Headers tab"),
	)

	m.Do(t, product.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	b.Do(
		put(queryEditor, "mutation { signIn(input: {\nemail: \""+m.Email+"\",\npassword: \"correct horse\"\n}) { session { current } } }"),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"current": true`),
		put(queryEditor, `{ viewer { user { email } } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, m.Email),
		put(queryEditor, `mutation { signOut { deletedId } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"deletedId": "ses_`),
		put(queryEditor, `{ viewer { user { email } } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, "Put your API key into the Headers tab"),
	)

	// Who signed in elsewhere, as at /sign-in, is known here.
	b.Do(
		chromedp.PollFunction(`async (query) => (await fetch("/graphql", {
			method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query }),
		})).ok`, nil, chromedp.WithPollingArgs(`mutation { signIn(input: {email: "`+m.Email+`", password: "correct horse"}) { session { current } } }`)),
		chromedp.Reload(), chromedp.WaitVisible(run, chromedp.ByQuery),
		put(queryEditor, `{ viewer { user { email } } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, m.Email),
	)

	b.Do(put(headersEditor, `{"Authorization": "Bearer `+m.Key+`"}`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, m.Email))
	b.Shoot("welcome.png")

	b.Do(
		put(queryEditor, ""),
		chromedp.KeyEvent("{ viewer { user { em"), browser.See(".CodeMirror-hints", "email"),
		chromedp.KeyEvent("ail } workspace { plan } } }"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("\r", chromedp.KeyModifiers(input.ModifierCtrl)),
		browser.See(result, `"plan": "PREMIUM"`), browser.See(result, m.Email),
	)
	b.Shoot("typed.png")

	b.Do(
		put(queryEditor, `subscription { exportProgress(id: "`+export+`") { status progress } }`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"status": "COMPLETED"`),
	)

	b.Do(
		chromedp.PollFunction(`(key) => localStorage["graphiql:tabState"]?.includes(key)`, nil, chromedp.WithPollingArgs(m.Key)),
		chromedp.Reload(), chromedp.WaitVisible(run, chromedp.ByQuery), browser.See(".graphiql-editor-tool", m.Key),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"data": {`),
	)

	refused := "Failed to load resource: the server responded with a status of 401 (Unauthorized) " + address + "/graphql"
	require.Equal(t, []string{refused, refused, refused}, b.Troubles(), "as nobody, thrice")
	require.Equal(t, map[string]bool{strings.TrimPrefix(address, "http://"): true}, b.Hosts())
}

func finishedExport(t *testing.T, s *api.Server, m testkit.Member) (id string) {
	t.Helper()

	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		id = c.Export.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetVideoID(v.ID).
			SetGranularity(values.GranularityStory).SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).
			SetSubtitles(false).SetRevision(0).SetPlanHash("hash").SetPlan(json.RawMessage("{}")).
			SetStatus(values.ExportStatusCompleted).SetProgress(100).SetFinishedAt(time.Now()).SaveX(ctx).ID
	})

	return id
}

func TestAssetsAreKeptForever(t *testing.T) {
	t.Parallel()

	h := graphiql.Handler(http.NotFoundHandler())
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

		coding := "br"
		if plain.Body.Len() < 1<<10 {
			coding = "" // not worth it
		}

		require.Equal(t, coding, packed.Header().Get("Content-Encoding"), part)
		require.Less(t, packed.Body.Len(), plain.Body.Len()+100)
		require.Equal(t, http.StatusNotModified, get(part, "If-None-Match", plain.Header().Get("ETag")).Code)
	}

	require.Equal(t, http.StatusNotFound, get("/graphiql/assets/0/graphiql.min.js").Code)
	require.Equal(t, http.StatusMovedPermanently, get("/graphiql/").Code)
}
