package graph_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const (
	password   = "correct horse"
	whoIsThere = `{ viewer { role workspace { id } user { email } } }`
	signIn     = `mutation ($in: SignInInput!) { signIn(input: $in) { session { id workspaceId current userAgent expiresAt } } }`
)

// person is a member with a password.
func person(t *testing.T, s *api.Server, o testkit.MemberOpts) testkit.Member {
	t.Helper()

	m := testkit.NewMember(t, s.Store, o)
	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.User.UpdateOneID(m.UserID).SetPasswordHash(auth.HashPassword(password)).ExecX(ctx)
	})

	return m
}

func enter(t *testing.T, s *api.Server, email, password string, header ...string) api.Graph {
	t.Helper()

	return s.Ask(t, "", signIn, map[string]any{"in": map[string]any{"email": email, "password": password}}, header...)
}

// An Idempotency-Key belongs to a user. Sign-in has no user yet, whatever credential is sent along.
func TestSignInIgnoresIdempotencyKey(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})

	s.Ask(t, m.Key, signIn, map[string]any{"in": map[string]any{"email": m.Email, "password": "another one"}}) // the document is known by now

	for _, key := range []string{"fine", strings.Repeat("x", 300)} {
		require.NotEmpty(t, cookieOf(t, enter(t, s, m.Email, password, "Idempotency-Key", key)))
		require.NotEmpty(t, cookieOf(t, enter(t, s, m.Email, password, "Idempotency-Key", key, "Authorization", "Bearer made-up")))
	}
}

// cookieOf returns the cookie that an answer sets, as a browser would send it.
func cookieOf(t *testing.T, a api.Graph) string {
	t.Helper()

	require.Empty(t, a.Errors, a.Body)

	pair, rest, _ := strings.Cut(a.Header.Get("Set-Cookie"), "; ")
	require.Equal(t, "Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax", rest)
	require.Regexp(t, `^__Host-reelgraph_session=reel_st_[\w-]{43}$`, pair)

	return pair
}

// as sends a request like the server's own page does.
func as(t *testing.T, s *api.Server, cookie, document string, variables map[string]any) api.Graph {
	t.Helper()

	return s.Ask(t, "", document, variables, "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
}

func TestSessionLifecycle(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	s, other := api.New(t, api.Options{DSN: dsn}), api.New(t, api.Options{DSN: dsn})
	m := person(t, s, testkit.MemberOpts{Email: "ann@example.test"})

	in := enter(t, s, "Ann@Example.test", password, "User-Agent", "Browser/1")
	cookie := cookieOf(t, in)
	session := api.Dig(in.Data, "signIn", "session").(map[string]any)
	require.Equal(t, []any{m.WorkspaceID, true, "Browser/1"}, []any{session["workspaceId"], session["current"], session["userAgent"]})
	require.NotContains(t, in.Body, "reel_st_")

	until, err := time.Parse(time.RFC3339, session["expiresAt"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(account.Lasts), until, time.Minute)

	for _, node := range []*api.Server{s, other} {
		require.Equal(t, "ann@example.test", api.Dig(as(t, node, cookie, whoIsThere, nil).Data, "viewer", "user", "email"))
	}

	var stored string
	require.NoError(t, s.Store.DB.QueryRow(`SELECT encode(token_hash, 'escape') FROM sessions`).Scan(&stored))
	require.NotContains(t, stored, "reel_st_")

	require.Equal(t, http.StatusUnauthorized, s.Call(t, "", http.MethodGet, "/v1/videos", "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin").Status, "REST takes keys only")
	token := strings.SplitN(cookie, "=", 2)[1]
	require.Equal(t, http.StatusUnauthorized, s.Call(t, token, http.MethodGet, "/v1/videos", "").Status)
	require.Equal(t, http.StatusUnauthorized, s.Ask(t, token, whoIsThere, nil).Status)

	second := cookieOf(t, enter(t, s, m.Email, password))
	list := as(t, s, second, `{ viewer { sessions { totalCount nodes { id current } } } }`, nil)
	require.EqualValues(t, 2, api.Dig(list.Data, "viewer", "sessions", "totalCount"))
	require.Contains(t, list.Body, `{"id":"`+session["id"].(string)+`","current":false}`)

	out := as(t, s, second, `mutation { signOut { deletedId } }`, nil)
	require.Empty(t, out.Errors, out.Body)
	require.Equal(t, "__Host-reelgraph_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax", out.Header.Get("Set-Cookie"))
	require.Equal(t, http.StatusUnauthorized, as(t, s, second, whoIsThere, nil).Status)

	third := cookieOf(t, enter(t, s, m.Email, password))
	require.Empty(t, as(t, s, third, `mutation ($id: ID!) { endSession(id: $id) { deletedId } }`, map[string]any{"id": session["id"]}).Errors)
	require.Equal(t, http.StatusUnauthorized, as(t, other, cookie, whoIsThere, nil).Status)

	_, err = s.Store.DB.Exec(`UPDATE sessions SET expires_at = now()`)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, as(t, s, third, whoIsThere, nil).Status)
}

// A cookie is accepted only with requests from our own pages.
func TestWhoseRequestsACookieCountsFor(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{Origins: []string{"https://also.example"}})
	m := person(t, s, testkit.MemberOpts{})
	cookie := cookieOf(t, enter(t, s, m.Email, password))
	here := s.URL

	for _, c := range []struct {
		header []string
		status int
	}{
		{nil, 401},
		{[]string{"X-Reelgraph-Client", "script"}, 200},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 401},
		{[]string{"Sec-Fetch-Site", "same-site"}, 401},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 401},
		{[]string{"Sec-Fetch-Site", "cross-site", "X-Reelgraph-Client", "script"}, 401},
		{[]string{"Origin", api.BaseURL}, 200},
		{[]string{"Origin", here}, 200},
		{[]string{"Origin", strings.Replace(here, "127.0.0.1", "localhost", 1)}, 200}, // loopback names are equivalent
		{[]string{"Origin", strings.Replace(here, "127.0.0.1", "[::1]", 1)}, 200},
		{[]string{"Origin", "http://localhost:1"}, 401},
		{[]string{"Origin", "http://127.0.0.1"}, 401},
		{[]string{"Origin", "http://reel.example"}, 401},
		{[]string{"Origin", "https://reel.example:8443"}, 401},
		{[]string{"Origin", "https://reel.example.evil.example"}, 401},
		{[]string{"Origin", "HTTPS://Reel.Example:443"}, 200},
		{[]string{"Origin", "https://also.example"}, 200},                         // in REELGRAPH_ORIGINS
		{[]string{"Origin", "https://also.example", "Host", "evil.example"}, 200}, // as behind a proxy
		// An attacker can point a domain at this server and so choose the Host. That does not make it one of our pages.
		{[]string{"Origin", "http://evil.example", "Host", "evil.example"}, 401},
		{[]string{"Origin", "http://evil.example", "Host", "evil.example", "Sec-Fetch-Site", "same-origin"}, 401},
		{[]string{"Host", "evil.example", "Sec-Fetch-Site", "same-origin"}, 401},
		{[]string{"Host", "evil.example", "X-Reelgraph-Client", "script"}, 401},
		{[]string{"Origin", here, "Host", "evil.example"}, 401},
		{[]string{"Host", "reel.example", "Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Origin", "https://evil.example"}, 401},
		{[]string{"Origin", "null"}, 401},
		{[]string{"Origin", "https://evil.example", "X-Reelgraph-Client", "script"}, 401},
		{[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "same-origin"}, 401},
		{[]string{"Sec-Fetch-Site", "same-origin", "Content-Type", "text/plain"}, 415},
		{[]string{"Sec-Fetch-Site", "same-origin", "Authorization", "Bearer nonsense"}, 401},
	} {
		a := s.Call(t, "", http.MethodPost, "/graphql", `{"query":"{ viewer { role } }"}`, append(c.header, "Cookie", cookie)...)
		require.Equal(t, c.status, a.Status, "%v\n%s", c.header, a.Body)

		if a.Status == http.StatusUnauthorized {
			keyed := slices.Contains(c.header, "Authorization")
			require.Equal(t, !keyed, strings.Contains(a.Body, "Session cookies are accepted only from this server's own pages."), "%v\n%s", c.header, a.Body)
			require.Equal(t, !keyed, strings.Contains(a.Body, "REELGRAPH_ORIGINS"), "%v\n%s", c.header, a.Body)
		}
	}

	require.Equal(t, http.StatusUnauthorized, s.Call(t, "", http.MethodGet, "/graphql?query=%7Bviewer%7Brole%7D%7D", "", "Cookie", cookie, "Sec-Fetch-Site", "cross-site").Status)
	require.Equal(t, http.StatusUnauthorized, s.Ask(t, "", whoIsThere, nil, "Cookie", "reelgraph_session="+strings.SplitN(cookie, "=", 2)[1], "Sec-Fetch-Site", "same-origin").Status)
}

// Only a sign-in, alone in its document, works without a credential.
func TestOnlySignInWithoutCredential(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})
	in := `signIn(input: {email: "` + m.Email + `", password: "` + password + `"}) { session { id } }`

	for _, document := range []string{
		`mutation { ` + in + ` createWorkspace(input: {name: "x"}) { workspace { id } } }`, `mutation { again: signOut { deletedId } }`,
		`mutation { ...f } fragment f on Mutation { ` + in + ` }`, `mutation { ... { ` + in + ` } }`, `{ __typename }`, `{ __schema { types { name } } }`, `{`, ``,
	} {
		g := s.Ask(t, "", document, nil)
		require.Equal(t, http.StatusUnauthorized, g.Status, "%s\n%s", document, g.Body)
		require.Empty(t, g.Header.Get("Set-Cookie"))
	}

	stream := s.Call(t, "", http.MethodPost, "/graphql", `{"query":"mutation { `+strings.ReplaceAll(in, `"`, `\"`)+` }"}`, "Accept", "text/event-stream")
	require.Empty(t, stream.Header.Get("Set-Cookie"))
	require.Contains(t, stream.Body, "bad_request")
	require.Empty(t, s.Ask(t, "", `mutation { `+in+` }`, nil).Errors)
}

// A wrong password, an unknown address and an account without a password get the same answer and are all counted.
func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	nodes := []*api.Server{api.New(t, api.Options{DSN: dsn}), api.New(t, api.Options{DSN: dsn})}
	s := nodes[0]
	m := person(t, s, testkit.MemberOpts{})
	bare := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for { // repeat if a new quarter of an hour begins meanwhile
		window := func() (at time.Time) {
			require.NoError(t, s.Store.DB.QueryRow(`SELECT date_bin('15 minutes', now(), 'epoch')`).Scan(&at))

			return at
		}
		begun := window()

		_, err := s.Store.DB.Exec(`DELETE FROM sign_in_windows`)
		require.NoError(t, err)

		answers := make(chan api.Graph, 3*account.PerAccount)

		for _, email := range []string{m.Email, bare.Email, "nobody@example.test"} {
			for i := range account.PerAccount {
				go func() { answers <- enter(t, nodes[i%2], email, "wrong horse") }()
			}
		}

		for range cap(answers) {
			g := <-answers
			require.Equal(t, "unauthorized", g.Code(), g.Body)
			require.Equal(t, "The e-mail address or the password is wrong.", g.Errors[0].Message)
			require.Empty(t, g.Header.Get("Set-Cookie"))
			require.NotContains(t, g.Body, "wrong horse")
		}

		var refused []api.Graph
		for _, email := range []string{m.Email, bare.Email, "Nobody@example.test"} {
			refused = append(refused, enter(t, nodes[1], email, password))
		}

		if !window().Equal(begun) {
			continue
		}

		for _, g := range refused {
			require.Equal(t, "rate_limited", g.Code(), g.Body)
			require.Equal(t, http.StatusTooManyRequests, g.Status)

			after, err := strconv.Atoi(g.Header.Get("Retry-After"))
			require.NoError(t, err)
			require.True(t, after >= 1 && after <= 900, after)
		}

		// The address has made thirty guesses. Refused guesses are not counted.
		for i := range account.PerAddress - 3*account.PerAccount {
			require.Equal(t, "unauthorized", enter(t, s, strconv.Itoa(i)+"@example.test", password).Code())
		}

		one := enter(t, s, "one@example.test", password)
		if window().Equal(begun) {
			require.Equal(t, "rate_limited", one.Code())

			return
		}
	}
}

// A correct password resets the count of wrong ones.
func TestARightPasswordForgetsWrongOnes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})

	for range 3 {
		for range account.PerAccount - 1 {
			require.Equal(t, "unauthorized", enter(t, s, m.Email, "wrong horse").Code())
		}

		cookieOf(t, enter(t, s, m.Email, password))
	}
}

func TestSwitchingWorkspaces(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	first := cookieOf(t, enter(t, s, m.Email, password))
	made := as(t, s, first, `mutation { createWorkspace(input: {name: "Second"}) { workspace { id } } }`, nil)
	second := api.Dig(made.Data, "createWorkspace", "workspace", "id").(string)
	change := `mutation ($id: ID!) { switchWorkspace(id: $id) { session { workspaceId current } } }`

	require.Equal(t, "not_found", as(t, s, first, change, map[string]any{"id": stranger.WorkspaceID}).Code())
	require.Equal(t, "bad_request", s.Ask(t, m.Key, change, map[string]any{"id": second}).Code(), "a key belongs to one workspace")
	require.Equal(t, "bad_request", s.Ask(t, m.Key, `mutation { signOut { deletedId } }`, nil).Code())

	moved := as(t, s, first, change, map[string]any{"id": second})
	next := cookieOf(t, moved)
	require.Equal(t, map[string]any{"workspaceId": second, "current": true}, api.Dig(moved.Data, "switchWorkspace", "session"))
	require.Equal(t, http.StatusUnauthorized, as(t, s, first, whoIsThere, nil).Status)
	require.Equal(t, second, api.Dig(as(t, s, next, whoIsThere, nil).Data, "viewer", "workspace", "id"))

	again := enter(t, s, m.Email, password)
	require.Equal(t, second, api.Dig(again.Data, "signIn", "session", "workspaceId"), "the workspace used last")

	require.Empty(t, as(t, s, cookieOf(t, again), `mutation { signOut { deletedId } }`, nil).Errors)
	require.Empty(t, as(t, s, next, `mutation { signOut { deletedId } }`, nil).Errors)

	again = enter(t, s, m.Email, password)
	require.Equal(t, second, api.Dig(again.Data, "signIn", "session", "workspaceId"), "even after all its sessions ended")

	for workspace, code := range map[string]string{m.WorkspaceID: "", stranger.WorkspaceID: "not_found", "nonsense": "not_found"} {
		g := s.Ask(t, "", signIn, map[string]any{"in": map[string]any{"email": m.Email, "password": password, "workspaceId": workspace}})
		require.Equal(t, code, g.Code(), g.Body)
	}
}

func TestSetPassword(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})
	bare := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	mine, elsewhere := cookieOf(t, enter(t, s, m.Email, password)), cookieOf(t, enter(t, s, m.Email, password))
	set := `mutation ($in: SetPasswordInput!) { setPassword(input: $in) { user { id } } }`
	in := func(current, next string) map[string]any {
		return map[string]any{"in": map[string]any{"currentPassword": current, "newPassword": next}}
	}

	wrong := as(t, s, mine, set, in("wrong horse", "battery staple"))
	require.Equal(t, "unauthorized", wrong.Code())
	require.Contains(t, wrong.Body, "currentPassword is wrong.")

	none := s.Ask(t, bare.Key, set, in("anything", "battery staple"))
	require.Equal(t, "conflict", none.Code(), "an API key cannot set a first password")
	require.Contains(t, none.Body, "reelgraph users password --user "+bare.Email)

	require.Equal(t, "bad_request", as(t, s, mine, set, in(password, "1234567")).Code())
	require.Equal(t, "bad_request", as(t, s, mine, set, in(password, strings.Repeat("x", 256))).Code())

	changed := as(t, s, mine, set, in(password, "battery staple"))
	require.Empty(t, changed.Errors, changed.Body)
	require.Equal(t, http.StatusOK, as(t, s, mine, whoIsThere, nil).Status)
	require.Equal(t, http.StatusUnauthorized, as(t, s, elsewhere, whoIsThere, nil).Status)
	require.Equal(t, "unauthorized", enter(t, s, m.Email, password).Code())
	cookieOf(t, enter(t, s, m.Email, "battery staple"))
}

// A person's sessions share one request budget for each workspace, separate from that of keys.
func TestSessionsHaveTheirOwnBudget(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{Quota: 50, SessionQuota: 70})

	for {
		m := person(t, s, testkit.MemberOpts{})
		cookie := cookieOf(t, enter(t, s, m.Email, password))
		a, b := s.Call(t, m.Key, http.MethodGet, "/v1/videos", ""), as(t, s, cookie, whoIsThere, nil)

		if a.Header.Get("X-Ratelimit-Reset") == b.Header.Get("X-Ratelimit-Reset") {
			require.Equal(t, `"public-api";q=50;w=60`, a.Header.Get("Ratelimit-Policy"))
			require.Equal(t, "49", a.Header.Get("X-Ratelimit-Remaining"))
			require.Equal(t, `"session";q=70;w=60`, b.Header.Get("Ratelimit-Policy"))
			require.Equal(t, "69", b.Header.Get("X-Ratelimit-Remaining"))

			return
		}
	}
}

func TestASessionOpensAWebsocket(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := person(t, s, testkit.MemberOpts{})
	cookie := cookieOf(t, enter(t, s, m.Email, password))
	dial := func(origin string) *websocket.Conn {
		conn, _, err := websocket.Dial(t.Context(), s.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the library closes it
			Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Cookie": {cookie}, "Origin": {origin}},
		})
		if err != nil {
			return nil
		}

		t.Cleanup(func() { _ = conn.CloseNow() })

		return conn
	}
	say := func(conn *websocket.Conn, text string) string {
		require.NoError(t, conn.Write(t.Context(), websocket.MessageText, []byte(text)))

		_, answer, err := conn.Read(t.Context())
		if err != nil {
			return err.Error()
		}

		return string(answer)
	}
	ask := func(query string) string {
		text, err := json.Marshal(map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": query}})
		require.NoError(t, err)

		return string(text)
	}

	require.Nil(t, dial("https://evil.example"))
	require.NotNil(t, dial(s.URL))

	conn := dial(api.BaseURL)
	require.Contains(t, say(conn, `{"type":"connection_init"}`), "connection_ack")
	require.Contains(t, say(conn, ask(whoIsThere)), m.Email)

	_, done, err := conn.Read(t.Context())
	require.NoError(t, err)
	require.Contains(t, string(done), "complete")
	require.Contains(t, say(conn, ask(`mutation { signOut { deletedId } }`)), "bad_request", "a websocket cannot set cookies")

	_, done, err = conn.Read(t.Context())
	require.NoError(t, err)
	require.Contains(t, string(done), "complete")

	_, err = s.Store.DB.Exec(`DELETE FROM sessions`)
	require.NoError(t, err)
	require.Contains(t, say(conn, ask(whoIsThere)), "unauthorized", "each operation checks the credential again")
}
