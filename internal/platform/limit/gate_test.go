package limit_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// node is one of several processes: it has its own store and gate over a shared database.
type node struct {
	*store.Store
	*limit.Gate
}

func newNode(t *testing.T, dsn string, quota int) node {
	t.Helper()

	s := testkit.OpenAt(t, dsn)
	g := limit.New(limit.Options{DB: s.DB, Quota: quota, Log: slog.New(slog.DiscardHandler)})

	return node{s, g}
}

// serve returns a handler that refuses as a router does, and calls next otherwise.
func (n node) serve(next http.HandlerFunc) http.Handler { return n.priced(0, next) }

// priced is serve with an extra cost that is known before admission.
func (n node) priced(extra int, next http.HandlerFunc) http.Handler {
	price := func(r *http.Request) (*http.Request, int) { return r, extra }

	return middleware.Guard(slog.New(slog.DiscardHandler), refuse)(n.HandlerOf(limit.Bearer, price, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := limit.Refusal(r.Context()); err != nil {
			refuse(w, r, err)

			return
		}

		next(w, r)
	})))
}

func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	f, ok := fault.As(err)
	if !ok {
		f = fault.ServerError(err)
	}

	status := map[fault.Code]int{
		fault.BadRequestCode: http.StatusBadRequest, fault.UnauthorizedCode: http.StatusUnauthorized, fault.RateLimitedCode: http.StatusTooManyRequests,
		fault.UnavailableCode: http.StatusServiceUnavailable, fault.ServerErrorCode: http.StatusInternalServerError,
	}[f.Code]

	w.Header().Set("X-Retry", f.RetryAfter.String())
	http.Error(w, f.Message, status)
}

func whoami(w http.ResponseWriter, r *http.Request) {
	v, _ := auth.From(r.Context())
	_, _ = fmt.Fprint(w, v.UserID, " ", v.WorkspaceID, " ", v.KeyID, " ", v.Role, " ", v.Plan)
}

func ask(h http.Handler, authorization, from string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/v1/videos", nil)
	r.RemoteAddr = from

	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}

	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)

	return w
}

func remaining(t *testing.T, w *httptest.ResponseRecorder) int {
	t.Helper()

	n, err := strconv.Atoi(exact(w, "X-RateLimit-Remaining"))
	require.NoError(t, err)

	return n
}

func reset(w *httptest.ResponseRecorder) string { return exact(w, "X-RateLimit-Reset") }

// exact returns a header by its exact letter case.
func exact(w *httptest.ResponseRecorder, name string) string {
	return strings.Join(w.Header()[name], " and ")
}

const here = "192.0.2.1:1234"

// withinOneMinute repeats a trial during which the minute changed.
func withinOneMinute(t *testing.T, trial func() (answers []*httptest.ResponseRecorder), check func([]*httptest.ResponseRecorder)) {
	t.Helper()

	for {
		answers := trial()
		same := true

		for _, a := range answers {
			same = same && reset(a) == reset(answers[0])
		}

		if same {
			check(answers)

			return
		}
	}
}

func TestExactlyTheQuotaIsAdmittedAcrossNodes(t *testing.T) {
	t.Parallel()

	const quota = 100

	dsn := testkit.Database(t)
	nodes := []node{newNode(t, dsn, quota), newNode(t, dsn, quota), newNode(t, dsn, quota)}

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m := testkit.NewMember(t, nodes[0].Store, testkit.MemberOpts{})
		answers := make([]*httptest.ResponseRecorder, 10*quota)

		var all sync.WaitGroup

		for i := range answers {
			h := nodes[i%len(nodes)].serve(whoami)

			all.Go(func() { answers[i] = ask(h, "Bearer "+m.Key, here) })
		}

		all.Wait()

		return answers
	}, func(answers []*httptest.ResponseRecorder) {
		seen := map[int]bool{}
		refused := 0

		for _, a := range answers {
			if a.Code == http.StatusOK {
				require.False(t, seen[remaining(t, a)], "two admitted requests got the same remainder")
				seen[remaining(t, a)] = true

				continue
			}

			require.Equal(t, http.StatusTooManyRequests, a.Code)
			require.Zero(t, remaining(t, a))

			refused++
		}

		require.Len(t, seen, quota)
		require.Equal(t, 9*quota, refused)
	})
}

func TestKeysOfOneMemberShareABudget(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	n := newNode(t, dsn, 2)
	h := n.serve(whoami)

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})
		second := auth.NewKey()

		m.Do(t, n.Store, func(ctx context.Context, c *ent.Client) {
			c.APIKey.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetName("two").
				SetHash(second.Hash).SetLast4(second.Last4).ExecX(ctx)
		})

		other := testkit.NewMember(t, n.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})

		return []*httptest.ResponseRecorder{
			ask(h, "Bearer "+m.Key, here), ask(h, "bearer "+second.Plain, here), ask(h, "Bearer "+m.Key, here), ask(h, "Bearer "+other.Key, here),
		}
	}, func(a []*httptest.ResponseRecorder) {
		require.Equal(t, []int{200, 200, 429, 200}, []int{a[0].Code, a[1].Code, a[2].Code, a[3].Code})
	})
}

func TestViewerIsTheOwnerOfTheKey(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 100)
	m := testkit.NewMember(t, n.Store, testkit.MemberOpts{Role: auth.RoleAdmin, Plan: auth.PlanFree})

	require.NotEmpty(t, m.KeyID)
	require.Equal(t, m.UserID+" "+m.WorkspaceID+" "+m.KeyID+" admin free",
		ask(n.serve(whoami), "Bearer "+m.Key, here).Body.String())
}

// Again sees the current role of the user and costs nothing.
func TestAgain(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 100)
	m := testkit.NewMember(t, n.Store, testkit.MemberOpts{Role: auth.RoleAdmin})
	ctx := n.Admit(context.Background(), limit.Credential{Key: m.Key}, netip.MustParseAddr("192.0.2.1"), 0)

	for _, role := range []auth.Role{auth.RoleAdmin, auth.RoleViewer} {
		_, err := n.DB.Exec(`UPDATE memberships SET role = $1`, role)
		require.NoError(t, err)
		require.NoError(t, limit.Again(ctx))

		m.Role = role
		who, known := auth.From(ctx)
		require.True(t, known)
		require.Equal(t, m.Viewer, who)
	}

	var used int

	require.NoError(t, n.DB.QueryRow(`SELECT sum(used) FROM rate_windows`).Scan(&used))
	require.Equal(t, 1, used)

	away := n.Admit(context.Background(), limit.Credential{Key: m.Key}, netip.MustParseAddr("192.0.2.1"), 0)

	_, err := n.DB.Exec(`UPDATE api_keys SET revoked_at = now()`)
	require.NoError(t, err)
	require.True(t, fault.Is(limit.Again(ctx), fault.UnauthorizedCode))
	require.True(t, fault.Is(limit.Refusal(ctx), fault.UnauthorizedCode))

	_, known := auth.From(ctx)
	require.False(t, known)

	_, err = n.DB.Exec(`ALTER TABLE api_keys RENAME TO lost`)
	require.NoError(t, err)
	require.True(t, fault.Is(limit.Again(away), fault.UnavailableCode))
	require.True(t, fault.Is(limit.Again(context.Background()), fault.UnauthorizedCode), "no request was admitted")
}

func TestRefusedKeysAreAllAlike(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	nodes := []node{newNode(t, dsn, 1000), newNode(t, dsn, 1000), newNode(t, dsn, 1000)}
	gone := func(change string) string {
		m := testkit.NewMember(t, nodes[0].Store, testkit.MemberOpts{})

		for _, n := range nodes {
			require.Equal(t, http.StatusOK, ask(n.serve(whoami), "Bearer "+m.Key, here).Code)
		}

		_, err := nodes[0].DB.Exec(change, m.KeyID)
		require.NoError(t, err)

		return "Bearer " + m.Key
	}

	live := testkit.NewMember(t, nodes[0].Store, testkit.MemberOpts{}).Key
	wordings := map[string]bool{}

	for name, authorization := range map[string]string{
		"missing": "", "other scheme": "Basic " + live, "bare": live, "no key": "Bearer ", "malformed": "Bearer reel_pk_x",
		"unknown": "Bearer " + auth.NewKey().Plain, "trailing": "Bearer " + live + " x", "nul": "Bearer \x00\xff",
		"revoked":         gone(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`),
		"expired":         gone(`UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`),
		"no member":       gone(`DELETE FROM memberships m USING api_keys k WHERE k.id = $1 AND m.user_id = k.user_id`),
		"revoked in time": gone(`UPDATE api_keys SET revoked_at = now(), expires_at = now() + interval '1 day' WHERE id = $1`),
	} {
		for _, n := range nodes {
			w := ask(n.serve(whoami), authorization, here)
			require.Equal(t, http.StatusUnauthorized, w.Code, name)
			wordings[w.Body.String()] = true
		}
	}

	require.Len(t, wordings, 1)

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header["Authorization"] = []string{"Bearer " + live, "Bearer " + live}

	w := httptest.NewRecorder()
	nodes[0].serve(whoami).ServeHTTP(w, r)
	require.Equal(t, http.StatusUnauthorized, w.Code, "two headers give no key")
}

func TestStrangersHaveABudgetByAddress(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 3)
	h := n.serve(whoami)

	net := 0

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		net++

		six := func(host string) string { return "[2001:db8:" + strconv.Itoa(net) + ":1" + host + "]:1" }
		four := "192.0.2." + strconv.Itoa(net) + ":1"

		return []*httptest.ResponseRecorder{
			ask(h, "", six("::1")), ask(h, "Bearer x", six("::2")), ask(h, "", six(":0:ffff::")), ask(h, "", six("::4")),
			ask(h, "", four), ask(h, "", "[::ffff:"+strings.TrimSuffix(four, ":1")+"]:1"),
		}
	}, func(a []*httptest.ResponseRecorder) {
		require.Equal(t, http.StatusUnauthorized, a[2].Code)
		require.Equal(t, 0, remaining(t, a[2]))
		require.Equal(t, http.StatusTooManyRequests, a[3].Code, "one /64 is one client")
		require.Equal(t, 2, remaining(t, a[4]))
		require.Equal(t, 1, remaining(t, a[5]), "a mapped address is the IPv4 address")
	})
}

func TestHeadersAreExact(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 0)
	m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})

	for name, next := range map[string]http.HandlerFunc{
		"200": whoami,
		"302": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"304": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"404": http.NotFound,
		"500": func(http.ResponseWriter, *http.Request) { panic("broken") },
	} {
		before := time.Now()
		w := ask(n.serve(next), "Bearer "+m.Key, here)

		require.Equal(t, name, strconv.Itoa(w.Code))
		require.Equal(t, `"public-api";q=100;w=60`, exact(w, "RateLimit-Policy"))
		require.Equal(t, "100", exact(w, "X-RateLimit-Limit"))
		require.Regexp(t, `^"public-api";r=`+exact(w, "X-RateLimit-Remaining")+`;t=\d+$`, exact(w, "RateLimit"))

		_, seconds, _ := strings.Cut(exact(w, "RateLimit"), ";t=")
		left, err := strconv.Atoi(seconds)
		require.NoError(t, err)

		at, err := strconv.ParseInt(reset(w), 10, 64)
		require.NoError(t, err)
		require.Zero(t, at%60_000, "the window is the calendar minute")
		require.InDelta(t, time.UnixMilli(at).Sub(before).Seconds(), left, 1)
	}
}

func TestRefusalHasRetryAfter(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 1)
	h := n.serve(whoami)

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})

		return []*httptest.ResponseRecorder{ask(h, "Bearer "+m.Key, here), ask(h, "Bearer "+m.Key, here)}
	}, func(a []*httptest.ResponseRecorder) {
		require.Equal(t, http.StatusTooManyRequests, a[1].Code)

		after, err := time.ParseDuration(a[1].Header().Get("X-Retry"))
		require.NoError(t, err)
		require.GreaterOrEqual(t, after, time.Second)

		at, err := strconv.ParseInt(reset(a[1]), 10, 64)
		require.NoError(t, err)
		require.InDelta(t, time.Until(time.UnixMilli(at)).Seconds(), after.Seconds(), 1)
	})
}

func TestUnreachableCounter(t *testing.T) {
	t.Parallel()

	db, err := sql.Open("postgres", "host=/nowhere/at/all sslmode=disable")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	n := node{nil, limit.New(limit.Options{DB: db, Log: slog.New(slog.DiscardHandler)})}
	w := ask(n.serve(whoami), "Bearer "+auth.NewKey().Plain, here)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Zero(t, remaining(t, w))

	at, err := strconv.ParseInt(reset(w), 10, 64)
	require.NoError(t, err)
	require.Zero(t, at%60_000)
	require.Positive(t, time.Until(time.UnixMilli(at)))

	after, err := time.ParseDuration(w.Header().Get("X-Retry"))
	require.NoError(t, err)
	require.InDelta(t, time.Until(time.UnixMilli(at)).Seconds(), after.Seconds(), 1)
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 1000)
	h := n.serve(whoami)
	m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})

	read := func() (used sql.NullTime, xmin string) {
		require.NoError(t, n.DB.QueryRow(`SELECT last_used_at, xmin::text FROM api_keys WHERE id = $1`, m.KeyID).Scan(&used, &xmin))

		return used, xmin
	}

	require.Equal(t, 200, ask(h, "Bearer "+m.Key, here).Code)

	first, version := read()
	require.True(t, first.Valid)

	require.Equal(t, 200, ask(h, "Bearer "+m.Key, here).Code)

	_, same := read()
	require.Equal(t, version, same, "the row was written again within a minute")

	_, err := n.DB.Exec(`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1`, m.KeyID)
	require.NoError(t, err)

	tx, err := n.DB.Begin()
	require.NoError(t, err)
	_, err = tx.Exec(`UPDATE api_keys SET name = 'renamed' WHERE id = $1`, m.KeyID)
	require.NoError(t, err)
	require.Equal(t, 200, ask(h, "Bearer "+m.Key, here).Code, "an open transaction on the key must not block its requests")
	require.NoError(t, tx.Rollback())

	require.Equal(t, 200, ask(h, "Bearer "+m.Key, here).Code)

	last, _ := read()
	require.True(t, last.Time.After(first.Time.Add(-time.Second)))
}

func TestSweep(t *testing.T) {
	t.Parallel()

	n := newNode(t, testkit.Database(t), 10)
	n.Admit(context.Background(), limit.Credential{}, netip.MustParseAddr("192.0.2.9"), 0)

	_, err := n.DB.Exec(`INSERT INTO rate_windows VALUES ('old', now() - interval '6 minutes', 1)`)
	require.NoError(t, err)
	require.NoError(t, limit.Sweep(context.Background(), n.DB))

	var subjects string
	require.NoError(t, n.DB.QueryRow(`SELECT string_agg(subject, ',') FROM rate_windows`).Scan(&subjects))
	require.Equal(t, "ip:192.0.2.9", subjects)
}

func BenchmarkAdmit(b *testing.B) {
	s := testkit.Open(b)
	g := limit.New(limit.Options{DB: s.DB, Quota: 1 << 30, Log: slog.New(slog.DiscardHandler)})

	m := testkit.NewMember(b, s, testkit.MemberOpts{})
	ctx := context.Background()

	for b.Loop() {
		if err := limit.Refusal(g.Admit(ctx, limit.Credential{Key: m.Key}, netip.Addr{}, 0)); err != nil {
			b.Fatal(err)
		}
	}
}
