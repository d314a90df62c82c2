package graphiql_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
	"github.com/reelgraph/reelgraph/web/graphiql"
	"github.com/reelgraph/reelgraph/web/reference"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// serve serves the editor and the API like the product.
func serve(t *testing.T) (*api.Server, string) {
	t.Helper()

	product := api.New(t, api.Options{})
	mux := http.NewServeMux()
	mux.Handle("/graphiql", graphiql.Handler(http.NotFoundHandler()))
	mux.Handle("/graphiql/", graphiql.Handler(http.NotFoundHandler()))
	mux.Handle("/graphql/schema.graphqls", graph.SDLHandler())
	mux.Handle("/docs/", reference.Handler(api.BaseURL, http.NotFoundHandler()))
	mux.Handle("/", product.Config.Handler)

	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)

	return product, front.URL
}

// put replaces the text of an editor.
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

const (
	refused = "Sign in at /sign-in?to=/graphiql, or put an API key into the Headers tab"
	start   = `document.querySelector(".graphiql-execute-button") !== null`
)

// ask runs a document in the editor.
func ask(document string) chromedp.Tasks {
	return chromedp.Tasks{put(queryEditor, document), chromedp.Click(run, chromedp.ByQuery)}
}

func TestEditorInABrowser(t *testing.T) {
	t.Parallel()

	product, address := serve(t)
	m := testkit.NewMember(t, product.Store, testkit.MemberOpts{})
	export := finishedExport(t, product, m)
	b := browser.Open(t)

	m.Do(t, product.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	b.Do(
		chromedp.Navigate(address+"/graphiql"), browser.Until(start),
		browser.See(".graphiql-doc-explorer", "Docs"), browser.See(".graphiql-doc-explorer", "subscription"),
		browser.See(queryEditor, "query ListVideos"), browser.See("#session", "Not signed in"),
		browser.Until(`document.querySelector("#session a").getAttribute("href") === "/sign-in?to=/graphiql"`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, refused),
	)
	b.Shoot("nobody.png")
	b.Do(
		ask(`subscription { exportProgress(id: "`+export+`") { status } }`), browser.See(result, refused),
		ask("mutation { signIn(input: {\nemail: \""+m.Email+"\",\npassword: \"correct horse\"\n}) { session { current } } }"),
		browser.See(result, `"current": true`), browser.See("#session", "Signed in as"),
		ask(`{ viewer { user { email } } }`), browser.See(result, m.Email),
		ask(`mutation { signOut { deletedId } }`), browser.See(result, `"deletedId": "ses_`), browser.See("#session", "Not signed in"),
		ask(`{ viewer { user { email } } }`), browser.See(result, refused),
	)

	// A key takes precedence over a session and is forgotten when the page closes.
	b.Do(
		chromedp.Click(`button[data-name="headers"]`, chromedp.ByQuery),
		put(headersEditor, `{"Authorization": "Bearer `+m.Key+`"}`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, m.Email),
		put(queryEditor, ""),
		chromedp.KeyEvent("{ viewer { user { em"), browser.See(".CodeMirror-hints", "email"),
		chromedp.KeyEvent("ail } workspace { plan } } }"), chromedp.KeyEvent(kb.Escape),
		chromedp.KeyEvent("\r", chromedp.KeyModifiers(input.ModifierCtrl)),
		browser.See(result, `"plan": "PREMIUM"`), browser.See(result, m.Email),
	)
	b.Shoot("typed.png")
	b.Do(
		ask(`subscription { exportProgress(id: "`+export+`") { status progress } }`), browser.See(result, `"status": "COMPLETED"`),
		browser.Until(`Object.values(localStorage).every((kept) => !kept.includes("`+m.Key+`"))`),
	)

	unauthorized := "Failed to load resource: the server responded with a status of 401 (Unauthorized) " + address + "/graphql"
	for _, trouble := range b.Troubles() {
		require.Equal(t, unauthorized, trouble)
	}

	require.Equal(t, map[string]bool{strings.TrimPrefix(address, "http://"): true}, b.Hosts())
}

// TestReadyTabs: a signed-in person finds tabs that can be run unchanged, and documents opened by a link.
func TestReadyTabs(t *testing.T) {
	t.Parallel()

	product, address := serve(t)
	m := testkit.NewMember(t, product.Store, testkit.MemberOpts{})
	export := finishedExport(t, product, m)
	b := browser.Open(t)

	m.Do(t, product.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword("correct horse")).ExecX(ctx)
	})

	tab := func(title string) chromedp.Tasks {
		return chromedp.Tasks{
			browser.Until(`[...document.querySelectorAll(".graphiql-tab-button")].find((tab) => tab.innerText === "` + title + `")?.click() ?? true`),
			browser.See(`.graphiql-tab-active`, title),
		}
	}

	b.Do(
		// The person signs in on another page, such as /sign-in.
		chromedp.Navigate(address+"/graphql/schema.graphqls"),
		chromedp.PollFunction(`async (query) => (await fetch("/graphql", {
			method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query }),
		})).ok`, nil, chromedp.WithPollingArgs(`mutation { signIn(input: {email: "`+m.Email+`", password: "correct horse"}) { session { current } } }`)),
		chromedp.Navigate(address+"/graphiql"), browser.Until(start), browser.See("#session", "Signed in as"),
		browser.See(".graphiql-editor-tool", `"first": 5`), chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"hasNextPage": false`),
	)
	b.Shoot("list.png")
	b.Do(tab("EditInABatch"), chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"operationId": "closer"`))
	b.Shoot("edit.png")
	b.Do(
		tab("StartExport"), chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"status": "PENDING"`),
		tab("FollowExport"), browser.See(".graphiql-editor-tools", "Variables"),
		browser.See(`.graphiql-editor-tool`, export), chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"status": "COMPLETED"`),
	)

	// A link in the reference opens its document and variables in a new tab.
	b.Do(
		chromedp.Navigate(address+"/docs/tags"), chromedp.Click(`#createTag a[href^="/graphiql#"]`, chromedp.ByQuery), browser.Until(start),
		browser.See(".graphiql-tab-active", "CreateTag"), browser.See(queryEditor, "mutation CreateTag"),
		browser.See(".graphiql-editor-tool", `"name": "Launch"`),
		chromedp.Click(run, chromedp.ByQuery), browser.See(result, `"name": "Launch"`),
		browser.Until(`location.hash === "" && document.querySelectorAll(".graphiql-tab").length === 5`),
		browser.Until(`["tabState", "query"].every((name) => localStorage["graphiql:" + name].includes("CreateTag"))`),
		chromedp.EmulateViewport(390, 780), chromedp.Reload(), browser.Until(start), browser.See(queryEditor, "mutation CreateTag"),
		browser.Until(`document.documentElement.scrollWidth <= 390`),
	)
	b.Shoot("linked-phone.png")
	b.Do(
		chromedp.EmulateViewport(1440, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		tab("EditInABatch"),
	)
	b.Shoot("dark.png")
}

// TestReadyTabsAreValid: the prepared tabs and their variables are valid.
func TestReadyTabsAreValid(t *testing.T) {
	t.Parallel()

	schema := exec.NewExecutableSchema(exec.Config{}).Schema()

	documents, err := filepath.Glob("tabs/*.graphql")
	require.NoError(t, err)
	require.Len(t, documents, 4)

	for _, path := range documents {
		text, err := os.ReadFile(path)
		require.NoError(t, err)

		document, faults := gqlparser.LoadQueryWithRules(schema, string(text), rules.NewDefaultRules())
		require.Empty(t, faults, path)

		text, err = os.ReadFile(strings.TrimSuffix(path, ".graphql") + ".json")
		require.NoError(t, err)

		var variables map[string]any

		require.NoError(t, json.Unmarshal(text, &variables))

		_, err = validator.VariableValues(schema, document.Operations[0], variables)
		require.NoError(t, err, path)
	}
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
			coding = "" // too small to compress
		}

		require.Equal(t, coding, packed.Header().Get("Content-Encoding"), part)
		require.Less(t, packed.Body.Len(), plain.Body.Len()+100)
		require.Equal(t, http.StatusNotModified, get(part, "If-None-Match", plain.Header().Get("ETag")).Code)
	}

	require.Equal(t, http.StatusNotFound, get("/graphiql/assets/0/graphiql.min.js").Code)
	require.Equal(t, http.StatusMovedPermanently, get("/graphiql/").Code)
}
