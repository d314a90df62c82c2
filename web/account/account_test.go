package account_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
	pages "github.com/reelgraph/reelgraph/web/account"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// front is the pages with the graph behind them.
type front struct {
	*api.Server
	*browser.Page

	t       *testing.T
	address string
}

func open(t *testing.T, o pages.Options) *front {
	t.Helper()

	product := api.New(t, api.Options{})
	mux := http.NewServeMux()
	mux.Handle("/graphql", product.Config.Handler)
	mux.Handle("/", pages.Handler(o, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")

		if r.URL.Path != "/" && r.URL.Path != "/sign-in" && r.URL.Path != "/favicon.ico" {
			w.WriteHeader(http.StatusNotFound)
		}
	})))

	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)

	return &front{Server: product, Page: browser.Open(t), t: t, address: s.URL}
}

// visit opens a page whose token is in the fragment. Only another document runs the script again.
func (f *front) visit(path string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.Navigate("about:blank"), chromedp.Navigate(f.address + path),
		browser.Until(`document.readyState === "complete" && document.fonts.status === "loaded"`),
	}
}

// home waits until the page has gone to the first page of a signed-in person.
func home() chromedp.Action { return browser.Until(`location.pathname === "/"`) }

// type fills in a form with the keyboard: fields in their order, separated by Tab, and Enter at the end.
func typed(texts ...string) chromedp.Action {
	all := chromedp.Tasks{}

	for i, text := range texts {
		if i > 0 {
			all = append(all, chromedp.KeyEvent(kb.Tab))
		}

		all = append(all, chromedp.KeyEvent(text))
	}

	return append(all, chromedp.KeyEvent(kb.Enter))
}

func (f *front) whoAmI() (answer string) {
	f.t.Helper()
	f.Do(chromedp.Evaluate(`(async () => (await (await fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"},
		body: JSON.stringify({query: "{ viewer { role user { email } workspace { name } } }"})})).text()))()`, &answer, browser.Awaited))

	return answer
}

// The pages may load files of this server only, and are asked for again each time. Their files are kept forever.
func TestHeaders(t *testing.T) {
	t.Parallel()

	h := pages.Handler(pages.Options{}, http.NotFoundHandler())

	for _, root := range []string{"/welcome", "/invite", "/reset"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, root, nil))
		require.Equal(t, http.StatusOK, w.Code)

		policy := w.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'")
		require.Contains(t, policy, "script-src 'self';")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")
		require.Equal(t, []string{"no-referrer", "no-cache"}, []string{w.Header().Get("Referrer-Policy"), w.Header().Get("Cache-Control")})

		for _, at := range regexp.MustCompile(`(?:href|src)="(/account/[^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
			file := httptest.NewRecorder()
			h.ServeHTTP(file, httptest.NewRequest(http.MethodGet, at[1], nil))
			require.Equal(t, http.StatusOK, file.Code, at[1])
			require.Contains(t, file.Header().Get("Cache-Control"), "immutable")
		}

		w = httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, root, nil))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
	}
}

// The first owner sets up the server with the keyboard alone. Mistakes are named at their fields.
func TestWelcome(t *testing.T) {
	t.Parallel()

	f := open(t, pages.Options{})

	f.Do(f.visit("/welcome"), browser.See(`[data-when="no-token"]`, "the whole address"))
	f.ShootEverywhere("welcome-without-token")

	token, needed, err := account.MakeWelcome(t.Context(), f.Store)
	require.NoError(t, err)
	require.True(t, needed)

	f.Do(f.visit("/welcome#"+token.Plain), browser.See("h1", "Set up Reelgraph"))
	f.ShootEverywhere("welcome")

	f.Do(chromedp.Click(".strong", chromedp.ByQuery),
		browser.See("#name-problem", "Enter your name."), browser.See("#email-problem", "Enter your e-mail address."),
		browser.See("#password-problem", "Enter your password."), browser.Until(`document.activeElement.id === "name"`))
	f.ShootEverywhere("welcome-mistakes")

	f.Do(f.visit("/welcome#"+token.Plain), chromedp.Focus("#name", chromedp.ByQuery),
		typed("Ada", "ada@", "short"), browser.See("#email-problem", "not an e-mail address"), browser.See("#password-problem", "8 characters"))
	f.Do(f.visit("/welcome#"+token.Plain), chromedp.Focus("#name", chromedp.ByQuery), typed("Ada", "ada@example.test", "correct horse"), home())
	require.Contains(t, f.whoAmI(), `{"viewer":{"role":"OWNER","user":{"email":"ada@example.test"},"workspace":{"name":"Ada"}}}`)

	f.Do(f.visit("/welcome#"+token.Plain), chromedp.Focus("#name", chromedp.ByQuery), typed("Eve", "eve@example.test", "correct horse"),
		browser.See("[data-problem]", "This link is no longer valid"))
	f.quiet()
}

const invite = `mutation ($in: InviteMemberInput!) { inviteMember(input: $in) { invitation { url } } }`

func (f *front) invited(m testkit.Member, email string) (path string) {
	f.t.Helper()

	made := f.Ask(f.t, m.Key, invite, map[string]any{"in": map[string]any{"email": email}})
	require.Empty(f.t, made.Errors, made.Body)

	return strings.TrimPrefix(api.Dig(made.Data, "inviteMember", "invitation", "url").(string), api.BaseURL)
}

// An invitation makes an account, or joins with the account that is there, and can be declined.
func TestInvite(t *testing.T) {
	t.Parallel()

	f := open(t, pages.Options{})
	owner := testkit.NewMember(t, f.Store, testkit.MemberOpts{})
	known := testkit.NewMember(t, f.Store, testkit.MemberOpts{Email: "known@example.test"})

	_, err := f.Store.DB.ExecContext(t.Context(), "UPDATE users SET password_hash = $1 WHERE id = $2", auth.HashPassword("correct horse"), known.UserID)
	require.NoError(t, err)

	f.Do(f.visit(f.invited(owner, "new@example.test")), browser.See("[data-offer]", "Join "), chromedp.WaitVisible("#name", chromedp.ByQuery),
		browser.Until(`document.querySelector("#email").value === "new@example.test"`))
	f.ShootEverywhere("invite-new")
	f.Do(chromedp.Focus("#name", chromedp.ByQuery), typed("New", "", "correct horse"), home())
	require.Contains(t, f.whoAmI(), `"email":"new@example.test"`)

	next := f.invited(owner, "known@example.test")
	f.Do(f.visit(next), chromedp.WaitVisible("#known-password", chromedp.ByQuery))
	f.ShootEverywhere("invite-known")
	f.Do(chromedp.Focus("#known-password", chromedp.ByQuery), typed("wrong horse"), browser.Until(`document.querySelector("#known-problem").textContent !== ""`))
	f.ShootEverywhere("invite-wrong")
	f.Do(f.visit(next), chromedp.WaitVisible("#known-password", chromedp.ByQuery), chromedp.Focus("#known-password", chromedp.ByQuery),
		typed("correct horse"), home())
	require.Contains(t, f.whoAmI(), `"email":"known@example.test"`)

	// A person who is signed in with the invited address only clicks Join.
	other := testkit.NewMember(t, f.Store, testkit.MemberOpts{})
	f.Do(f.visit(f.invited(other, "known@example.test")), browser.See("[data-offer]", "Join "),
		browser.Until(`document.querySelector("form").hidden === false && document.querySelector("#known-password").offsetParent === null`),
		chromedp.Click(".strong", chromedp.ByQuery), home())

	last := f.invited(owner, "third@example.test")
	f.Do(f.visit(last), chromedp.WaitVisible("[data-decline]", chromedp.ByQuery),
		chromedp.Evaluate(`globalThis.confirm = (question) => question.includes("Decline")`, nil), chromedp.Click("[data-decline]", chromedp.ByQuery),
		chromedp.WaitVisible(`[data-when="declined"]`, chromedp.ByQuery))
	f.ShootEverywhere("invite-declined")
	f.Do(f.visit(last), browser.See("[data-gone]", "no longer valid"))
	f.ShootEverywhere("invite-gone")
	f.quiet()
}

// A reset link sets a password once. Without a link the page sends one, or says whom to ask.
func TestReset(t *testing.T) {
	t.Parallel()

	f := open(t, pages.Options{})
	m := testkit.NewMember(t, f.Store, testkit.MemberOpts{Email: "ada@example.test"})

	f.Do(f.visit("/reset"), browser.See(`[data-when="no-token"]`, "sends no mail"))
	f.ShootEverywhere("reset-without-mail")

	c := f.Store.Client(t.Context())
	token, _, err := account.MakeReset(auth.AsSystem(t.Context()), c, m.Email)
	require.NoError(t, err)

	f.Do(f.visit("/reset#"+token.Plain), chromedp.WaitVisible("#password", chromedp.ByQuery))
	f.ShootEverywhere("reset")
	f.Do(chromedp.Focus("#password", chromedp.ByQuery), typed("correct horse"), chromedp.WaitVisible(`[data-when="done"]`, chromedp.ByQuery))
	f.ShootEverywhere("reset-done")
	f.Do(f.visit("/reset#"+token.Plain), chromedp.Focus("#password", chromedp.ByQuery), typed("correct horse"), browser.See("[data-problem]", "no longer valid"))

	signedIn := f.Ask(t, "", `mutation { signIn(input: {email: "ada@example.test", password: "correct horse"}) { session { id } } }`, nil)
	require.Empty(t, signedIn.Errors, signedIn.Body)
	f.quiet()
}

// quiet checks that nothing went wrong in the browser but refused requests, and that no other host was asked.
func (f *front) quiet() {
	f.t.Helper()

	for _, trouble := range f.Troubles() {
		require.Contains(f.t, trouble, "Failed to load resource: the server responded with a status of 4", trouble)
	}

	require.Equal(f.t, map[string]bool{strings.TrimPrefix(f.address, "http://"): true}, f.Hosts())
}
