package studio_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
	"github.com/reelgraph/reelgraph/web/studio"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const password = "correct horse"

// picture is a GIF of one pixel, which stands for every thumbnail.
const picture = "GIF89a\x01\x00\x01\x00\x80\x01\x00\x51\x45\xd6\x51\x45\xd6!\xf9\x04\x01\x00\x00\x01\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// lab is the studio in a browser, with the graph behind it.
type lab struct {
	*api.Server
	*browser.Page

	t        testing.TB
	address  string
	member   testkit.Member
	upgraded atomic.Bool  // the server has a newer studio than the open page
	reloads  atomic.Int32 // how often the page was loaded since
	streams  atomic.Int32 // websockets that were opened
	cut      atomic.Bool  // no websocket can be opened
	refused  atomic.Int32 // websockets that could not be opened
	lines    lines
	waits    atomic.Bool // the script of the studio waits for three questions
	asked    sync.Map    // how often each question was asked since then, *atomic.Int32 by text
	three    chan struct{}
}

// lines are the connections of websockets, as the page's server sees them.
type lines struct {
	mu  sync.Mutex
	all []net.Conn
}

func (l *lines) each(act func(net.Conn)) {
	l.mu.Lock()
	defer l.mu.Unlock()

	for _, one := range l.all {
		act(one)
	}
}

// kept notes the connection that a handler takes over.
type kept struct {
	http.ResponseWriter

	lines *lines
}

func (k kept) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	line, both, err := http.NewResponseController(k.ResponseWriter).Hijack()
	if err == nil {
		k.lines.mu.Lock()
		defer k.lines.mu.Unlock()

		k.lines.all = append(k.lines.all, line)
	}

	return line, both, err //nolint:wrapcheck // passed on
}

// count notes a question.
func (l *lab) count(r *http.Request) {
	if !l.waits.Load() {
		return
	}

	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}

	r.Body = io.NopCloser(bytes.NewReader(body))

	times, known := l.asked.LoadOrStore(string(body), new(atomic.Int32))
	times.(*atomic.Int32).Add(1)

	if !known {
		l.three <- struct{}{}
	}
}

// graph is the server's graph, whose websockets can be cut.
func (l *lab) graph(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		l.count(r)
		l.Config.Handler.ServeHTTP(w, r)

		return
	}

	if l.cut.Load() {
		l.refused.Add(1)
		w.WriteHeader(http.StatusBadGateway)

		return
	}

	l.streams.Add(1)
	l.Config.Handler.ServeHTTP(kept{w, &l.lines}, r)
}

// open starts the studio and signs a person in. fill makes what is there before the studio is opened.
func open(tb testing.TB, o testkit.MemberOpts, fill func(l *lab)) *lab {
	tb.Helper()

	l := &lab{t: tb, Server: api.New(tb, api.Options{}), three: make(chan struct{}, 100)}
	l.member = testkit.NewMember(tb, l.Store, o)
	l.member.Do(tb, l.Store, func(ctx context.Context, c *ent.Client) {
		c.User.UpdateOneID(l.member.UserID).SetPasswordHash(auth.HashPassword(password)).ExecX(ctx)
	})
	fill(l)
	l.tell()

	front := httptest.NewServer(l.routes())
	tb.Cleanup(front.Close)

	l.address, l.Page = front.URL, browser.Open(tb)
	l.Do(chromedp.Navigate(l.address+"/sign-in"), l.signIn())

	return l
}

// tell passes notifications of the database on to subscriptions until the test ends.
func (l *lab) tell() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})

	go func() {
		defer close(ended)

		l.Resolver.Topics.Run(ctx)
	}()

	l.t.Cleanup(func() {
		cancel()
		<-ended
	})
}

// signIn signs the person in without a page.
func (l *lab) signIn() chromedp.Action {
	var status int

	return chromedp.Tasks{
		chromedp.Evaluate(fmt.Sprintf(`fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({
			query: "mutation ($in: SignInInput!) { signIn(input: $in) { session { id } } }", variables: {in: {email: %q, password: %q}}})}).then((r) => r.status)`,
			l.member.Email, password), &status, browser.Awaited),
		chromedp.ActionFunc(func(context.Context) error {
			require.Equal(l.t, http.StatusOK, status)

			return nil
		}),
	}
}

func (l *lab) routes() http.Handler {
	page := studio.Handler(studio.Options{
		IsBrowser: func(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") },
		SignedIn: func(r *http.Request) (bool, error) {
			return strings.Contains(r.Header.Get("Cookie"), "reelgraph_session="), nil
		},
		Refuse: l.Errors.Write,
	}, http.NotFoundHandler())
	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", l.graph)
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.waits.Load() && strings.HasPrefix(r.URL.Path, "/studio/assets/index-") && strings.HasSuffix(r.URL.Path, ".js") {
			for range 3 {
				select {
				case <-l.three:
				case <-r.Context().Done():
					return
				}
			}
		}

		if l.upgraded.Load() {
			l.newer(page).ServeHTTP(w, r)
		} else {
			page.ServeHTTP(w, r)
		}
	}))
	mux.HandleFunc("/stills/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/gif")
		_, _ = w.Write([]byte(picture))
	})

	for _, plain := range []string{"/sign-in", "/favicon.ico", "/video/"} {
		mux.HandleFunc(plain, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") })
	}

	return mux
}

var script = regexp.MustCompile(`src="([^"]+\.js)"`)

// newer serves a studio that names another script. A part of the old one is gone until the page has been loaded anew.
func (l *lab) newer(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "document" {
			l.reloads.Add(1)
		}

		if strings.Contains(r.URL.Path, "/assets/Playlists-") && l.reloads.Load() == 0 {
			http.NotFound(w, r)

			return
		}

		if strings.HasPrefix(r.URL.Path, "/studio/") {
			page.ServeHTTP(w, r)

			return
		}

		held := httptest.NewRecorder()

		r.Header.Del("Accept-Encoding")
		page.ServeHTTP(held, r)
		maps.Copy(w.Header(), held.Header())

		// Another spelling is another studio for the open page, and the same for the browser.
		body := script.ReplaceAllString(held.Body.String(), `src='$1'`)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(held.Code)
		_, _ = w.Write([]byte(body))
	})
}

// visit opens the library and waits for its heading.
func (l *lab) visit(path string) chromedp.Action {
	return chromedp.Tasks{chromedp.Navigate(l.address + path), browser.See("h1", "Videos"), browser.Until(`document.fonts.status === "loaded"`)}
}

// named is an expression for the visible element of a kind with exactly this name.
func named(kind, name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility() && !e.closest("[inert]") &&
		(!document.querySelector("dialog[open]") || e.closest("dialog[open], [popover]"))).find((e) =>
		(e.getAttribute("aria-label") ?? e.labels?.[0]?.textContent ?? e.textContent).trim() === %q)`, kind, name)
}

// reach waits for an element and moves the focus to it, as the Tab key would.
func reach(kind, name string) chromedp.Action {
	return browser.Until(`(() => { const e = ` + named(kind, name) + `; e?.focus(); return e && document.activeElement === e; })()`)
}

// press uses a button, a link or an item of a menu by the keyboard.
func press(kind, name string) chromedp.Action {
	return chromedp.Tasks{reach(kind, name), chromedp.KeyEvent(kb.Enter)}
}

// row is an expression for the item of the list with a video's name.
func row(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("main li")].find((e) => e.querySelector("h2")?.textContent === %q)`, name)
}

// pressIn uses a button of a row by the keyboard.
func pressIn(video, button string) chromedp.Action {
	return chromedp.Tasks{
		browser.Until(fmt.Sprintf(`(() => { const all = [...(%s)?.querySelectorAll("button") ?? []].filter((b) => b.textContent.trim() === %q);
			all[0]?.focus(); return all.length === 1 && document.activeElement === all[0]; })()`, row(video), button)),
		chromedp.KeyEvent(kb.Enter),
	}
}

func shows(name string) chromedp.Action { return browser.Until(row(name) + " !== undefined") }
func lacks(name string) chromedp.Action { return browser.Until(row(name) + " === undefined") }

// said waits until the status region says something.
func said(text string) chromedp.Action {
	return browser.Until(fmt.Sprintf(`[...document.querySelectorAll('[role="status"]')].some((e) => e.textContent.includes(%q))`, text))
}

// quiet checks that the page reported no fault and asked no other host.
func (l *lab) quiet(expected ...string) {
	l.t.Helper()

	for _, trouble := range l.Troubles() {
		known := false

		for _, one := range expected {
			known = known || strings.Contains(trouble, one)
		}

		require.True(l.t, known, trouble)
	}

	require.Equal(l.t, map[string]bool{strings.TrimPrefix(l.address, "http://"): true}, l.Hosts())
}

func (l *lab) videos(names ...string) {
	for i, name := range names {
		testkit.NewVideo(l.t, l.Store, l.member, testkit.VideoOpts{Name: name, UpdatedAt: time.Now().Add(-time.Duration(i) * time.Minute)})
	}
}

// names returns the names of all videos outside the trash.
func (l *lab) names() (all []string) {
	l.member.Do(l.t, l.Store, func(ctx context.Context, c *ent.Client) {
		for _, v := range c.Video.Query().AllX(ctx) {
			all = append(all, v.Name)
		}
	})

	return all
}

// ids returns the ids of the videos by name.
func (l *lab) ids() map[string]string {
	all := map[string]string{}

	l.member.Do(l.t, l.Store, func(ctx context.Context, c *ent.Client) {
		for _, v := range c.Video.Query().AllX(ctx) {
			all[v.Name] = v.ID
		}
	})

	return all
}

// demo changes the filling with demo videos as the worker does.
func (l *lab) demo(status values.DemoStatus, percent int) {
	l.t.Helper()

	l.member.Do(l.t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.DemoRun.Update().SetStatus(status).SetProgress(percent).ExecX(ctx)
	})
	require.NoError(l.t, l.Store.Announce(l.t.Context(), jobs.DemoTopic(l.member.WorkspaceID)))
}

// TestEmptyLibrary: a new workspace offers what to do next.
func TestEmptyLibrary(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{Role: auth.RoleOwner}, func(*lab) {})
	l.Do(l.visit("/"), browser.See("main", "Upload your first video"), reach("input", "Search"), reach("button", "Upload"), reach("button", "Fill with demo videos"))
	l.ShootEverywhere("library-empty")
	l.Do(press("button", "Record"), browser.See("dialog[open]", "later version"), chromedp.KeyEvent(kb.Escape),
		browser.Until(`document.activeElement === `+named("button", "Record")))

	// The workers, which are not there, would make the videos.
	l.Do(press("button", "Fill with demo videos"), said("The demo videos will be made soon."), l.listens())
	l.ShootEverywhere("library-filling")
	l.demo(values.DemoStatusRunning, 40)
	l.Do(browser.Until(`document.querySelector('progress[aria-label="Demo videos"]')?.value === 0.4`))
	l.videos("A demo")
	l.Do(shows("A demo"), said("The demo videos are being made."))
	l.demo(values.DemoStatusCompleted, 100)
	l.Do(browser.Until(`document.querySelector('progress[aria-label="Demo videos"]') === null`), shows("A demo"), reach("button", "Upload"))
	l.quiet()
}

// TestOnlyOwnersFill: others are not offered what would be refused.
func TestOnlyOwnersFill(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{Role: auth.RoleMember}, func(*lab) {})
	l.Do(l.visit("/"), browser.See("main", "Upload your first video"), reach("button", "Upload"), l.listens(),
		browser.Until(named("button", "Fill with demo videos")+` === undefined`))
	l.quiet()
}

// TestLibraryByKeyboard: everything in the list works without a pointer, and each state passes axe.
func TestLibraryByKeyboard(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{}, func(l *lab) { l.videos("Roadmap for spring", "Café tour", "Weekly standup") })
	l.Do(l.visit("/"), shows("Roadmap for spring"), shows("Weekly standup"),
		browser.Until(`document.querySelector('nav[aria-label="Library"]') !== null`))
	l.ShootEverywhere("library")

	// Search, from anywhere.
	l.Do(chromedp.Evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true}))`, nil), browser.Until(`document.activeElement === `+named("input", "Search")), chromedp.KeyEvent("cafe"),
		lacks("Roadmap for spring"), shows("Café tour"), browser.Until(`location.search === "?q=cafe"`))
	l.ShootEverywhere("library-search")
	l.Do(chromedp.KeyEvent("x"), browser.See("main", "No video matches"))
	l.ShootEverywhere("library-nothing-found")
	l.Do(press("button", "Show all videos"), shows("Weekly standup"))

	// Rename.
	l.Do(pressIn("Café tour", "More"), browser.Until(`document.activeElement.getAttribute("role") === "menuitem"`))
	l.ShootEverywhere("library-menu")
	l.Do(chromedp.KeyEvent(kb.Escape), pressIn("Café tour", "More"), press(`[role="menuitem"]`, "Rename"), browser.Until(`document.activeElement === `+named("input", "Name")),
		chromedp.KeyEvent("Garden tour"))
	l.ShootEverywhere("library-rename")
	l.Do(chromedp.KeyEvent(kb.Enter), shows("Garden tour"), lacks("Café tour"))
	require.Contains(t, l.names(), "Garden tour")

	// Tags: a new one, and its place in the navigation.
	l.Do(pressIn("Garden tour", "More"), press(`[role="menuitem"]`, "Tags"), reach("input", "Tags"), chromedp.KeyEvent("Outside"),
		browser.Until(`document.querySelector('[role="option"][aria-selected="true"]')?.textContent === "Create “Outside”"`))
	l.ShootEverywhere("library-tags")
	l.Do(chromedp.KeyEvent(kb.Enter), said("1 video tagged “Outside”"), press("button", "Done"), press("nav a", "Outside"),
		lacks("Weekly standup"), shows("Garden tour"), press("button", "Remove the filter Outside"), shows("Weekly standup"))

	// A copy of the link, which is the same button in each row.
	l.Do(pressIn("Garden tour", "Copy link"), said("Link copied"))
	l.quiet()
}

// TestTrashInTheStudio: deleting can be undone at once, and for 30 days in the trash.
func TestTrashInTheStudio(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{}, func(l *lab) { l.videos("First", "Second", "Third") })
	l.Do(l.visit("/"), shows("First"), pressIn("First", "More"), press(`[role="menuitem"]`, "Delete"),
		lacks("First"), said("1 video moved to the trash"))
	require.ElementsMatch(t, []string{"Second", "Third"}, l.names())
	l.Do(press("button", "Undo"), shows("First"), said("1 video restored"))
	require.ElementsMatch(t, []string{"First", "Second", "Third"}, l.names())

	// Several at once.
	l.Do(reach("input", "Select First"), chromedp.KeyEvent(" "), reach("input", "Select Third"), chromedp.KeyEvent(" "), said("2 videos selected"))
	l.ShootEverywhere("library-selected")
	l.Do(press("button", "Delete"), lacks("First"), lacks("Third"), shows("Second"), said("2 videos moved to the trash"))
	require.Equal(t, []string{"Second"}, l.names())

	l.Do(press("nav a", "Trash"), browser.See("h1", "Trash"), browser.See("main", "First"), browser.See("main", "Third"))
	l.ShootEverywhere("trash")
	l.Do(browser.Until(`(() => { const row = [...document.querySelectorAll("main li")].find((e) => e.textContent.includes("Third"));
		[...row.querySelectorAll("button")].find((b) => b.textContent === "Restore").focus(); return true; })()`), chromedp.KeyEvent(kb.Enter),
		browser.Until(`!document.querySelector("main").textContent.includes("Third")`),
		press("main button", "Delete forever"), browser.See("dialog[open]", "cannot be brought back"))
	l.ShootEverywhere("trash-delete")
	l.Do(press("dialog button", "Delete forever"), browser.See("main", "The trash is empty"),
		press("nav a", "Videos"), shows("Third"), shows("Second"), lacks("First"))
	require.ElementsMatch(t, []string{"Second", "Third"}, l.names())
	l.quiet()
}

// TestEndedSession: a rename goes on after the person has signed in again, with the text that was typed.
func TestEndedSession(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{}, func(l *lab) { l.videos("Before") })
	l.Do(l.visit("/"), pressIn("Before", "More"), press(`[role="menuitem"]`, "Rename"), reach("input", "Name"), chromedp.KeyEvent("A long new name"))

	_, err := l.Store.DB.ExecContext(t.Context(), "DELETE FROM sessions")
	require.NoError(t, err)

	l.Do(chromedp.KeyEvent(kb.Enter), browser.See("dialog:modal:has(input[type=password])", "Your session has ended"))
	l.ShootEverywhere("session-ended")
	l.Do(reach("input", "Password"), chromedp.KeyEvent("wrong horse"), chromedp.KeyEvent(kb.Enter), browser.See("dialog:has(input[type=password])", "The password is wrong."),
		reach("input", "Password"), chromedp.Evaluate(`document.activeElement.select()`, nil), chromedp.KeyEvent(password), chromedp.KeyEvent(kb.Enter),
		shows("A long new name"), browser.Until(`!document.querySelector("dialog[open]")`))
	require.Equal(t, []string{"A long new name"}, l.names())
	l.quiet("status of 401")
}

// TestUpgradedServer: a tab that is older than the server reloads itself when a part of it is gone, and keeps what was
// typed.
func TestUpgradedServer(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{}, func(l *lab) { l.videos("Kept") })
	l.Do(l.visit("/?q=kept"), shows("Kept"), chromedp.Evaluate(`sessionStorage.setItem("draft:x", "typed"); globalThis.old = true`, nil))
	l.upgraded.Store(true)
	l.Do(press("nav a", "Playlists"), browser.Until(`!globalThis.old`), browser.See("h1", "Playlists"),
		browser.Until(`location.pathname === "/playlists" && sessionStorage.getItem("draft:x") === "typed"`))
	require.EqualValues(t, 1, l.reloads.Load())
	l.quiet("status of 404")
}

// TestLongLibrary: of a long list only what is near the window is drawn, and its end can be reached.
func TestLongLibrary(t *testing.T) {
	t.Parallel()

	const many = 240

	l := open(t, testkit.MemberOpts{}, func(l *lab) {
		names := make([]string, many)
		for i := range names {
			names[i] = fmt.Sprintf("Video %03d", i)
		}

		l.videos(names...)
	})
	l.Do(l.visit("/"), shows("Video 000"),
		browser.Until(`(() => { scrollTo(0, document.documentElement.scrollHeight); return `+row("Video 239")+` !== undefined; })()`), lacks("Video 000"))

	var drawn int

	l.Do(chromedp.Evaluate(`document.querySelectorAll("main li h2").length`, &drawn))
	require.Less(t, drawn, 80)
	require.Positive(t, drawn)

	// The way back from a video leads to the same place.
	l.Do(press("main a", "Video 239"), browser.Until(`location.pathname.startsWith("/videos/")`), chromedp.NavigateBack(), shows("Video 239"),
		browser.Until(`scrollY > 1000`))
	l.quiet()
}

// TestViewersOnlyWatch: a viewer of the workspace sees no button that would be refused.
func TestViewersOnlyWatch(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{Role: auth.RoleViewer}, func(l *lab) {
		owner := testkit.NewMember(t, l.Store, testkit.MemberOpts{WorkspaceID: l.member.WorkspaceID, Role: auth.RoleOwner})
		testkit.NewVideo(t, l.Store, owner, testkit.VideoOpts{Name: "Theirs"})
	})
	l.Do(l.visit("/"), shows("Theirs"), browser.Until(named("button", "Upload")+` === undefined && `+named("button", "Record")+` === undefined`),
		pressIn("Theirs", "More"), browser.Until(`document.querySelectorAll('[role="menuitem"]').length === 2`))
	l.quiet()
}

// elsewhere changes something as another program of the person would, through the graph.
func (l *lab) elsewhere(document string, variables map[string]any) map[string]any {
	l.t.Helper()

	answer := l.Ask(l.t, l.member.Key, document, variables)
	require.Empty(l.t, answer.Errors, answer.Body)

	return answer.Data
}

// duplicate copies a video, and returns the name of the copy.
func (l *lab) duplicate(id string) string {
	l.t.Helper()

	data := l.elsewhere(`mutation ($id: ID!) { duplicateVideo(id: $id) { video { name } } }`, map[string]any{"id": id})

	return api.Dig(data, "duplicateVideo", "video", "name").(string)
}

// soon is the time in which changes by others must appear.
const soon = 1500 * time.Millisecond

// appears checks that a change by others appears soon, without a reload.
func (l *lab) appears(what string, action chromedp.Action) {
	l.t.Helper()

	begin := time.Now()

	l.Do(action)

	took := time.Since(begin)
	l.t.Logf("%s after %d ms", what, took.Milliseconds())
	require.Less(l.t, took, soon, what)
}

// TestChangesByOthersAppear: what another tab or a program changes is on the screen within 1.5 s.
func TestChangesByOthersAppear(t *testing.T) { //nolint:paralleltest // it measures times
	l := open(t, testkit.MemberOpts{Role: auth.RoleOwner}, func(l *lab) { l.videos("Alpha", "Beta", "Gamma") })
	l.Do(l.visit("/"), shows("Alpha"), shows("Gamma"), chromedp.Evaluate(`globalThis.here = true`, nil), l.listens())

	ids := l.ids()
	l.elsewhere(`mutation ($id: ID!) { updateVideo(id: $id, input: {name: "Alpha 2"}) { video { id } } }`, map[string]any{"id": ids["Alpha"]})
	l.appears("a new name", chromedp.Tasks{shows("Alpha 2"), lacks("Alpha")})
	made := l.duplicate(ids["Beta"])
	l.appears("a new video", shows(made))
	l.elsewhere(`mutation ($id: ID!) { trashVideos(ids: [$id]) { deletedIds } }`, map[string]any{"id": ids["Beta"]})
	l.appears("a deleted video", lacks("Beta"))
	l.elsewhere(`mutation ($id: ID!) { restoreVideos(ids: [$id]) { videos { id } } }`, map[string]any{"id": ids["Beta"]})
	l.appears("a restored video", shows("Beta"))

	tag := api.Dig(l.elsewhere(`mutation { createTag(input: {name: "Urgent"}) { tag { id } } }`, nil), "createTag", "tag", "id")
	l.appears("a new tag", browser.Until(named("nav a", "Urgent")+` !== undefined`))
	l.elsewhere(`mutation ($id: ID!, $tag: ID!) { tagVideos(videoIds: [$id], tagIds: [$tag]) { videos { id } } }`, map[string]any{"id": ids["Gamma"], "tag": tag})
	l.appears("a tagged video", browser.Until(row("Gamma")+`?.querySelector('[title="Urgent"]') != null`))

	list := api.Dig(l.elsewhere(`mutation { createPlaylist(input: {name: "Onboarding", visibility: ORG}) { playlist { id } } }`, nil), "createPlaylist", "playlist", "id")
	l.appears("a new playlist", browser.Until(`document.querySelector("nav").textContent.includes("Onboarding0")`))
	l.elsewhere(`mutation ($id: ID!, $list: ID!) { addPlaylistVideos(playlistId: $list, videoIds: [$id]) { playlist { id } } }`, map[string]any{"id": ids["Gamma"], "list": list})
	l.appears("a longer playlist", browser.Until(`document.querySelector("nav").textContent.includes("Onboarding1")`))
	l.elsewhere(`mutation ($tag: ID!) { deleteTag(id: $tag) { deletedId } }`, map[string]any{"tag": tag})
	l.appears("a deleted tag", browser.Until(`!document.querySelector("nav").textContent.includes("Urgent") && !document.querySelector('[title="Urgent"]')`))

	var stayed bool

	l.Do(chromedp.Evaluate(`globalThis.here === true`, &stayed))
	require.True(t, stayed, "the page was not loaded anew")
	l.quiet()
}

// listens waits until the page receives the changes of others.
func (l *lab) listens() chromedp.Action {
	return chromedp.ActionFunc(func(context.Context) error {
		require.Eventually(l.t, func() bool { return l.streams.Load() > 0 }, 10*time.Second, 10*time.Millisecond)

		return nil
	})
}

// TestFirstQuestions: what the first screen shows is asked for while the script is still loaded, and once.
func TestFirstQuestions(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{Role: auth.RoleOwner}, func(l *lab) { l.videos("Alpha") })
	l.cut.Store(true) // a stream that begins reads everything again
	l.waits.Store(true)
	l.Do(l.visit("/"), shows("Alpha"), browser.Until(`document.querySelector('nav[aria-label="Library"]') !== null`))

	l.asked.Range(func(question, times any) bool {
		require.EqualValues(t, 1, times.(*atomic.Int32).Load(), question)

		return true
	})
}

// TestLostConnection: what was changed while the page had no connection appears when it is back.
func TestLostConnection(t *testing.T) {
	t.Parallel()

	l := open(t, testkit.MemberOpts{Role: auth.RoleOwner}, func(l *lab) { l.videos("Alpha", "Beta", "Gamma") })
	l.Do(l.visit("/"), shows("Alpha"), l.listens())

	ids := l.ids()

	l.cut.Store(true)
	l.lines.each(func(line net.Conn) { _ = line.Close() })
	require.Eventually(t, func() bool { return l.refused.Load() > 0 }, 10*time.Second, 10*time.Millisecond, "the page tries again")

	l.elsewhere(`mutation ($id: ID!) { updateVideo(id: $id, input: {name: "Alpha 2"}) { video { id } } }`, map[string]any{"id": ids["Alpha"]})
	l.elsewhere(`mutation ($id: ID!) { trashVideos(ids: [$id]) { deletedIds } }`, map[string]any{"id": ids["Beta"]})
	made := l.duplicate(ids["Gamma"])

	l.cut.Store(false)
	l.Do(shows("Alpha 2"), lacks("Beta"), shows(made))
}
