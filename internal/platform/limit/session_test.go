package limit_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// browser is a node that takes the session from the X-Session header.
func browser(t *testing.T, dsn string, o limit.Options) (node, http.Handler) {
	t.Helper()

	s := testkit.OpenAt(t, dsn)
	o.DB, o.Log = s.DB, slog.New(slog.DiscardHandler)
	n := node{s, limit.New(o)}
	credential := func(r *http.Request) limit.Credential {
		return limit.Credential{Key: limit.Bearer(r).Key, Session: r.Header.Get("X-Session")}
	}

	free := func(r *http.Request) (*http.Request, int) { return r, 0 }

	return n, middleware.Guard(o.Log, refuse)(n.HandlerOf(credential, free, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := limit.Refusal(r.Context()); err != nil {
			refuse(w, r, err)

			return
		}

		whoami(w, r)
	})))
}

func withSession(h http.Handler, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
	r.RemoteAddr = here
	r.Header.Set("X-Session", token)

	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)

	return w
}

func netipHere() netip.Addr { return netip.MustParseAddr("192.0.2.1") }

func sign(t *testing.T, n node, m testkit.Member, token string) {
	t.Helper()

	m.Do(t, n.Store, func(ctx context.Context, db *ent.Client) {
		db.Session.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).SetTokenHash(auth.HashKey(token)).SetUserAgent("x").SetExpiresAt(time.Now().Add(time.Hour)).ExecX(ctx)
	})
}

// Sessions have a budget of their own, exact across nodes and apart from that of keys. An unknown session token is
// counted against the client's address.
func TestSessionsHaveABudgetOfTheirOwn(t *testing.T) {
	t.Parallel()

	const quota, sessions = 5, 40

	dsn := testkit.Database(t)
	one, first := browser(t, dsn, limit.Options{Quota: quota, SessionQuota: sessions})
	_, second := browser(t, dsn, limit.Options{Quota: quota, SessionQuota: sessions})
	handlers := []http.Handler{first, second}

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m := testkit.NewMember(t, one.Store, testkit.MemberOpts{})
		sign(t, one, m, m.UserID)

		answers := make([]*httptest.ResponseRecorder, 2*sessions)

		var all sync.WaitGroup

		for i := range answers {
			all.Go(func() { answers[i] = withSession(handlers[i%2], m.UserID) })
		}

		all.Wait()

		return slices.Concat(answers, []*httptest.ResponseRecorder{ask(first, "Bearer "+m.Key, here), withSession(second, "nobody's")})
	}, func(answers []*httptest.ResponseRecorder) {
		admitted := 0

		for _, a := range answers[:2*sessions] {
			if a.Code == http.StatusOK {
				admitted++
			}

			require.Equal(t, `"session";q=40;w=60`, exact(a, "RateLimit-Policy"))
			require.Contains(t, exact(a, "RateLimit"), `"session";r=`)
			require.Equal(t, "40", exact(a, "X-RateLimit-Limit"))
		}

		require.Equal(t, sessions, admitted)

		byKey, byNobody := answers[2*sessions], answers[2*sessions+1]
		require.Equal(t, http.StatusOK, byKey.Code)
		require.Equal(t, `"public-api";q=5;w=60`, exact(byKey, "RateLimit-Policy"))
		require.Equal(t, quota-1, remaining(t, byKey))
		require.Equal(t, http.StatusUnauthorized, byNobody.Code)
		require.Equal(t, `"public-api";q=5;w=60`, exact(byNobody, "RateLimit-Policy"))
	})
}

// All streams of a user in a workspace share one event budget across nodes. When it is spent, Event waits and reports
// that it waited; requests are not affected.
func TestEventsWaitWhereTheirBudgetIsSpent(t *testing.T) {
	t.Parallel()

	const events = 20

	dsn := testkit.Database(t)

	var (
		waiting atomic.Int64
		next    atomic.Pointer[chan struct{}]
	)

	o := limit.Options{EventQuota: events, Wait: func(ctx context.Context, _ time.Duration) error {
		minute := *next.Load()

		waiting.Add(1)

		select {
		case <-minute:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	one, first := browser(t, dsn, o)
	two, _ := browser(t, dsn, o)
	admit := func(n node, m testkit.Member) context.Context {
		ctx := n.Admit(context.Background(), limit.Credential{Key: m.Key}, netipHere(), 0)
		require.NoError(t, limit.Refusal(ctx))

		return ctx
	}

	var sent, late, waited int64

	withinOneMinute(t, func() []*httptest.ResponseRecorder {
		m, other := testkit.NewMember(t, one.Store, testkit.MemberOpts{}), testkit.NewMember(t, one.Store, testkit.MemberOpts{})
		before := ask(first, "Bearer "+m.Key, here)
		minute := make(chan struct{})
		next.Store(&minute)
		waiting.Store(0)

		var (
			passed, after atomic.Int64
			all           sync.WaitGroup
		)

		for i := range events + 4 {
			ctx := admit([]node{one, two}[i%2], m)

			all.Go(func() {
				waited, err := limit.Event(ctx)
				if err != nil {
					t.Errorf("an event: %v", err)
				}

				passed.Add(1)

				if waited {
					after.Add(1)
				}
			})
		}

		require.Eventually(t, func() bool { return waiting.Load()+passed.Load() == events+4 }, time.Minute, time.Millisecond)

		sent, waited = passed.Load(), waiting.Load()

		free, err := limit.Event(admit(one, other))
		require.NoError(t, err)
		require.False(t, free, "another user has an own budget")

		answers := []*httptest.ResponseRecorder{before, ask(first, "Bearer "+m.Key, here)}
		require.Equal(t, http.StatusOK, answers[1].Code, "requests are not affected")

		gone, leave := context.WithCancel(admit(one, m))
		leave()

		if waited > 0 {
			_, err = limit.Event(gone)
			require.ErrorIs(t, err, context.Canceled, "a canceled stream does not wait")
		}

		_, err = one.DB.Exec(`UPDATE rate_windows SET minute = minute - interval '1 minute' WHERE subject = $1`, "events:"+m.UserID+":"+m.WorkspaceID)
		require.NoError(t, err)
		close(minute)
		all.Wait()

		late = after.Load()

		return answers
	}, func([]*httptest.ResponseRecorder) {
		require.Equal(t, []int64{events, 4, 4}, []int64{sent, waited, late}, "sent immediately, waiting, and reported as waited")
	})
}

func TestSubscriptionsOfAUserAreCounted(t *testing.T) {
	t.Parallel()

	n, _ := browser(t, testkit.Database(t), limit.Options{})
	m := testkit.NewMember(t, n.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, n.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	ctx := n.Admit(context.Background(), limit.Credential{Key: m.Key}, netipHere(), 0)

	var releases []func()

	for range 100 {
		release, err := limit.Subscribe(ctx)
		require.NoError(t, err)

		releases = append(releases, release)
	}

	_, err := limit.Subscribe(ctx)
	require.True(t, fault.Is(err, fault.RateLimitedCode), "%v", err)

	release, err := limit.Subscribe(n.Admit(context.Background(), limit.Credential{Key: other.Key}, netipHere(), 0))
	require.NoError(t, err, "another user has an own limit")
	release()

	releases[0]()

	release, err = limit.Subscribe(ctx)
	require.NoError(t, err)
	release()

	_, err = limit.Subscribe(context.Background())
	require.True(t, fault.Is(err, fault.UnauthorizedCode), "no request was admitted")
}
