package idempotency_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// bundle is one process: its store, its keys and a member that sends the requests.
type bundle struct {
	*idempotency.Keys

	store  *store.Store
	dsn    string
	member testkit.Member
	runs   atomic.Int64
}

func setup(t *testing.T) *bundle {
	t.Helper()

	b := &bundle{dsn: testkit.Database(t)}
	b.store = testkit.OpenAt(t, b.dsn)
	b.member = testkit.NewMember(t, b.store, testkit.MemberOpts{})
	b.Keys = newKeys(t, b.dsn, b.store)

	return b
}

func newKeys(t *testing.T, dsn string, s *store.Store) *idempotency.Keys {
	t.Helper()

	locks, err := sql.Open("postgres", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, locks.Close()) })

	box, err := keyring.NewBox("answers", []byte(strings.Repeat("s", 32)))
	require.NoError(t, err)

	return idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return s.Begin(ctx) },
		Store: s, Locks: locks, Box: box,
	})
}

func request(key, body string) *idempotency.Request {
	return &idempotency.Request{
		Key: key, Method: http.MethodPost, Path: "/v1/tags", RawQuery: "a=1", ContentType: "application/json", Body: []byte(body),
	}
}

// tag is a request that writes one row.
func (b *bundle) tag(name string, a idempotency.Answer) func(context.Context) (idempotency.Answer, error) {
	return func(ctx context.Context) (idempotency.Answer, error) {
		b.runs.Add(1)

		return a, b.store.InTx(ctx, func(ctx context.Context) error {
			return b.store.Client(ctx).Tag.Create().SetName(name).SetNameKey(ids.New(ids.Tag)).
				SetColor("#000000FF").SetUserID(b.member.UserID).Exec(ctx)
		})
	}
}

func (b *bundle) tags(t *testing.T) int {
	t.Helper()

	n := 0

	b.member.Do(t, b.store, func(ctx context.Context, c *ent.Client) { n = c.Tag.Query().CountX(ctx) })

	return n
}

func okay(body string) idempotency.Answer {
	return idempotency.Answer{Status: http.StatusOK, Header: map[string]string{"ETag": `"1-x"`}, Body: []byte(body)}
}

func TestRepeatIsReplayed(t *testing.T) {
	t.Parallel()

	b := setup(t)
	ctx := b.member.Context()

	for _, secret := range []bool{false, true} {
		body := fmt.Sprintf(`{"secret": %v,"bytes":"\u00e4  <>"}`, secret)
		answer := okay(body)
		answer.Secret = secret
		req := request(fmt.Sprint("key-", secret), "{}")

		first, err := b.Run(ctx, req, b.tag("one", answer))
		require.NoError(t, err)
		require.Empty(t, first.Header[idempotency.ReplayedHeader])

		again, err := newKeys(t, b.dsn, b.store).Run(ctx, req, b.tag("two", okay("other")))
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, again.Status)
		require.Equal(t, body, string(again.Body))
		require.Equal(t, map[string]string{"ETag": `"1-x"`, idempotency.ReplayedHeader: "true"}, again.Header)

		var stored []byte
		require.NoError(t, b.store.DB.QueryRow(`SELECT body FROM idempotency_keys WHERE encrypted = $1`, secret).Scan(&stored))
		require.Equal(t, secret, string(stored) != body)
		require.NotContains(t, string(stored), map[bool]string{true: "secret", false: "\x00"}[secret])
	}

	require.Equal(t, 2, b.tags(t))
}

func TestScopeAndFingerprint(t *testing.T) {
	t.Parallel()

	b := setup(t)
	other := testkit.NewMember(t, b.store, testkit.MemberOpts{WorkspaceID: b.member.WorkspaceID})

	_, err := b.Run(b.member.Context(), request("k", "{}"), b.tag("x", okay("{}")))
	require.NoError(t, err)

	for name, change := range map[string]func(*idempotency.Request){
		"body":  func(r *idempotency.Request) { r.Body = []byte("{ }") },
		"query": func(r *idempotency.Request) { r.RawQuery = "a=2" },
		"type":  func(r *idempotency.Request) { r.ContentType = "application/json; charset=utf-8" },
	} {
		r := request("k", "{}")
		change(r)

		_, err := b.Run(b.member.Context(), r, b.tag("x", okay("{}")))
		require.True(t, fault.Is(err, fault.BadRequestCode), name)
	}

	require.EqualValues(t, 1, b.runs.Load())

	for name, change := range map[string]func(*idempotency.Request){
		"key":    func(r *idempotency.Request) { r.Key = "K" },
		"path":   func(r *idempotency.Request) { r.Path = "/v1/tag" },
		"method": func(r *idempotency.Request) { r.Method = http.MethodPut },
	} {
		r := request("k", "{}")
		change(r)

		_, err := b.Run(b.member.Context(), r, b.tag("x", okay("{}")))
		require.NoError(t, err, name)
	}

	_, err = b.Run(other.Context(), request("k", "{}"), b.tag("x", okay("{}")))
	require.NoError(t, err)
	require.EqualValues(t, 5, b.runs.Load())
}

func TestOnlySuccessIsStored(t *testing.T) {
	t.Parallel()

	b := setup(t)
	ctx := b.member.Context()
	broken := errors.New("broken")

	_, err := b.Run(ctx, request("k", ""), func(ctx context.Context) (idempotency.Answer, error) {
		_, err := b.tag("x", okay(""))(ctx)

		return idempotency.Answer{}, errors.Join(err, broken)
	})
	require.ErrorIs(t, err, broken)

	undone := okay(`{"errors":[]}`)
	undone.Undone = true

	for _, a := range []idempotency.Answer{{Status: http.StatusConflict}, undone} {
		got, err := b.Run(ctx, request("k", ""), b.tag("x", a))
		require.NoError(t, err)
		require.Equal(t, a, got)
	}

	require.Panics(t, func() {
		_, _ = b.Run(ctx, request("k", ""), func(ctx context.Context) (idempotency.Answer, error) {
			_, _ = b.tag("x", okay(""))(ctx)

			panic("broken")
		})
	})

	require.Equal(t, 0, b.tags(t), "a response that is not stored has no effect")

	_, err = b.Run(ctx, request("k", ""), b.tag("x", okay("")))
	require.NoError(t, err)
	require.Equal(t, 1, b.tags(t))
}

func TestRunWithoutKeyOnlyCommits(t *testing.T) {
	t.Parallel()

	b := setup(t)

	for range 2 {
		a, err := b.Run(b.member.Context(), nil, b.tag("x", okay("{}")))
		require.NoError(t, err)
		require.NotContains(t, a.Header, idempotency.ReplayedHeader)
	}

	require.Equal(t, 2, b.tags(t))

	_, err := b.Run(context.Background(), request("k", ""), b.tag("x", okay("")))
	require.True(t, fault.Is(err, fault.UnauthorizedCode), "a key belongs to a user")
}

func TestRepeatWhileTheFirstRuns(t *testing.T) {
	t.Parallel()

	b := setup(t)
	second := newKeys(t, b.dsn, testkit.OpenAt(t, b.dsn))
	ctx := b.member.Context()
	entered, leave := make(chan struct{}), make(chan struct{})

	var first sync.WaitGroup

	first.Go(func() {
		_, err := b.Run(ctx, request("k", ""), func(ctx context.Context) (idempotency.Answer, error) {
			close(entered)
			<-leave

			return b.tag("x", okay("first"))(ctx)
		})
		require.NoError(t, err)
	})

	<-entered

	for _, keys := range []*idempotency.Keys{b.Keys, second} {
		_, err := keys.Run(ctx, request("k", ""), b.tag("x", okay("")))
		f, _ := fault.As(err)
		require.Equal(t, fault.ConflictCode, f.Code)
		require.Equal(t, time.Second, f.RetryAfter)
	}

	_, err := second.Run(ctx, request("another", ""), b.tag("x", okay("")))
	require.NoError(t, err, "another key does not wait")

	close(leave)
	first.Wait()

	a, err := second.Run(ctx, request("k", ""), b.tag("x", okay("")))
	require.NoError(t, err)
	require.Equal(t, "first", string(a.Body))
}

func TestConcurrentRepeatsHaveOneEffect(t *testing.T) {
	t.Parallel()

	const repeats = 200

	b := setup(t)
	nodes := []*idempotency.Keys{b.Keys, newKeys(t, b.dsn, b.store), newKeys(t, b.dsn, b.store)}
	ctx := b.member.Context()

	_, err := b.Run(ctx, request("finished", ""), b.tag("x", okay("{}")))
	require.NoError(t, err)

	var (
		all               sync.WaitGroup
		answered, running atomic.Int64
	)

	for i := range repeats {
		all.Go(func() {
			_, err := nodes[i%3].Run(ctx, request("k", ""), b.tag("x", okay("{}")))

			switch {
			case err == nil:
				answered.Add(1)
			case fault.Is(err, fault.ConflictCode):
				running.Add(1)
			}

			// Repeats of a finished request never wait for each other.
			_, err = nodes[i%3].Run(ctx, request("finished", ""), b.tag("x", okay("{}")))
			assert.NoError(t, err) // assert, because require must not be called from a goroutine
		})
	}

	all.Wait()
	require.EqualValues(t, repeats, answered.Load()+running.Load())
	require.Positive(t, answered.Load())
	require.Equal(t, 2, b.tags(t))
}

// TestLostLock closes the lock's session while the request runs: the unique index still allows only one effect.
func TestLostLock(t *testing.T) {
	t.Parallel()

	b := setup(t)
	ctx := b.member.Context()

	a, err := b.Run(ctx, request("k", ""), func(inner context.Context) (idempotency.Answer, error) {
		_, err := b.store.DB.Exec(`SELECT pg_terminate_backend(pid) FROM pg_locks
			WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
		require.NoError(t, err)

		for gone := false; !gone; { // the signal takes a moment
			require.NoError(t, b.store.DB.QueryRow(`SELECT NOT EXISTS (SELECT FROM pg_locks
				WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&gone))
		}

		_, err = newKeys(t, b.dsn, b.store).Run(ctx, request("k", ""), b.tag("x", okay("the second was faster")))
		require.NoError(t, err)

		return b.tag("x", okay("the first finished second"))(inner)
	})
	require.Error(t, err, "its own session is gone, so it cannot read what the second stored")
	require.Empty(t, a.Body)
	require.Equal(t, 1, b.tags(t))

	a, err = b.Run(ctx, request("k", ""), b.tag("x", okay("")))
	require.NoError(t, err)
	require.Equal(t, "the second was faster", string(a.Body))
}

func TestExpiry(t *testing.T) {
	t.Parallel()

	b := setup(t)
	ctx := b.member.Context()

	_, err := b.Run(ctx, request("k", "old"), b.tag("x", okay("old")))
	require.NoError(t, err)

	var left float64
	require.NoError(t, b.store.DB.QueryRow(`SELECT extract(epoch FROM expires_at - now()) FROM idempotency_keys`).Scan(&left))
	require.InDelta(t, (24 * time.Hour).Seconds(), left, 60)

	_, err = b.store.DB.Exec(`UPDATE idempotency_keys SET expires_at = now()`)
	require.NoError(t, err)

	a, err := b.Run(ctx, request("k", "new"), b.tag("x", okay("new")))
	require.NoError(t, err)
	require.Equal(t, "new", string(a.Body), "an expired key is free, for any request")
}

// TestKilledProcess kills another process in the middle of a request, after its effect is written and before it is
// committed: the key is free immediately, and the effect is rolled back.
func TestKilledProcess(t *testing.T) {
	t.Parallel()

	b := setup(t)

	cmd := exec.Command(os.Args[0], "-test.run=^TestDiesMidway$")

	cmd.Env = append(os.Environ(), "IDEMPOTENCY_DSN="+b.dsn,
		"IDEMPOTENCY_USER="+b.member.UserID, "IDEMPOTENCY_WORKSPACE="+b.member.WorkspaceID)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())

	ready := make([]byte, 1)
	_, err = out.Read(ready)
	require.NoError(t, err)

	_, err = b.Run(b.member.Context(), request("k", ""), b.tag("x", okay("")))
	require.True(t, fault.Is(err, fault.ConflictCode))

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()

	killed := time.Now()

	for {
		a, err := b.Run(b.member.Context(), request("k", ""), b.tag("x", okay("again")))
		if err == nil {
			require.Equal(t, "again", string(a.Body))

			break
		}

		require.True(t, fault.Is(err, fault.ConflictCode), "%v", err)
		require.Less(t, time.Since(killed), time.Second)
	}

	require.Equal(t, 1, b.tags(t))
}

// TestDiesMidway runs in the process that TestKilledProcess kills; called by itself it does nothing.
func TestDiesMidway(t *testing.T) { //nolint:paralleltest // it never returns
	dsn := os.Getenv("IDEMPOTENCY_DSN")
	if dsn == "" {
		return
	}

	b := &bundle{dsn: dsn, store: testkit.OpenAt(t, dsn)}
	b.member.Viewer = auth.Viewer{UserID: os.Getenv("IDEMPOTENCY_USER"), WorkspaceID: os.Getenv("IDEMPOTENCY_WORKSPACE"), Role: auth.RoleOwner}

	_, _ = newKeys(t, dsn, b.store).Run(b.member.Context(), request("k", ""), func(ctx context.Context) (idempotency.Answer, error) {
		_, err := b.tag("x", okay("never"))(ctx)
		require.NoError(t, err)

		_, _ = os.Stdout.WriteString("!")

		select {}
	})
}

func TestFromHTTP(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("k", 255)

	for _, c := range []struct {
		lines []string
		key   string // empty means refused
	}{
		{[]string{"abc"}, "abc"},
		{[]string{`"abc"`}, "abc"},
		{[]string{` a b `}, "a b"},
		{[]string{`"a\"b\\c"`}, `a"b\c`},
		{[]string{long}, long},
		{[]string{`"` + long + `"`}, long},
		{[]string{long + "k"}, ""},
		{[]string{""}, ""},
		{[]string{`""`}, ""},
		{[]string{`"abc`}, ""},
		{[]string{`"abc";x=1`}, ""},
		{[]string{`"a\n"`}, ""},
		{[]string{"\u00e4"}, ""},
		{[]string{"a\tb"}, ""},
		{[]string{"a", "a"}, ""},
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/x?q=1", nil)
		r.Header[idempotency.Header] = c.lines

		got, err := idempotency.FromHTTP(r, []byte("body"))
		if c.key == "" {
			require.True(t, fault.Is(err, fault.BadRequestCode), "%q", c.lines)

			continue
		}

		require.NoError(t, err)
		require.Equal(t, &idempotency.Request{Key: c.key, Method: "POST", Path: "/v1/x", RawQuery: "q=1", Body: []byte("body")}, got)
	}

	got, err := idempotency.FromHTTP(httptest.NewRequest(http.MethodPost, "/", nil), nil)
	require.NoError(t, err)
	require.Nil(t, got)
}
