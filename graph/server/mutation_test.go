package server_test

import (
	"context"
	"database/sql"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// glass is a Box that encrypts nothing and remembers that it was called.
type glass struct{}

func (glass) Seal(plain, _ []byte) []byte           { return append([]byte("sealed "), plain...) }
func (glass) Open(sealed, _ []byte) ([]byte, error) { return sealed[len("sealed "):], nil }

// acting runs mutations as a member, as behind a gate.
type acting struct {
	idempotency *idempotency.Keys
	member      testkit.Member
}

func (a acting) Run(ctx context.Context, req *idempotency.Request, produce func(context.Context) (idempotency.Answer, error)) (idempotency.Answer, error) {
	return a.idempotency.Run(auth.With(ctx, a.member.Viewer), req, produce)
}

func startWithStore(t *testing.T) (*trial, *store.Store, testkit.Member) {
	t.Helper()

	dsn := testkit.Database(t)
	s := testkit.OpenAt(t, dsn)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})

	locks, err := sql.Open("postgres", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = locks.Close() })

	keys := idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return s.Begin(ctx) },
		Store: s, Locks: locks, Box: glass{},
	})

	return start(t, func(o *server.Options, at *trial) {
		o.Mutations = acting{keys, m}
		at.resolvers.deleted = func(ctx context.Context, id string) error {
			return s.InTx(ctx, func(ctx context.Context) error {
				return s.Client(ctx).Tag.Create().SetWorkspaceID(m.WorkspaceID).SetUserID(m.UserID).
					SetName(id).SetNameKey(id).SetColor("#000000FF").Exec(ctx)
			})
		}
	}), s, m
}

func tags(t *testing.T, s *store.Store, m testkit.Member) []string {
	t.Helper()

	var names []string

	m.Do(t, s, func(ctx context.Context, c *ent.Client) { names = c.Tag.Query().Select("name").StringsX(ctx) })

	return names
}

func TestDocumentIsOneTransaction(t *testing.T) {
	t.Parallel()

	s, db, m := startWithStore(t)

	body := s.told(t, query(`mutation { a: deleteVideo(id: "1") { deletedId } b: deleteVideo(id: "missing") { deletedId } }`))
	require.Contains(t, body, `"data":null`)
	require.Empty(t, tags(t, db, m))

	body = s.told(t, query(`mutation { a: deleteVideo(id: "1") { deletedId } b: deleteVideo(id: "panic") { deletedId } }`))
	require.Contains(t, body, `"code":"server_error"`)
	require.Empty(t, tags(t, db, m))

	body = s.told(t, query(`mutation { a: deleteVideo(id: "1") { deletedId } b: deleteVideo(id: "2") { deletedId } }`))
	require.Contains(t, body, `{"data":{"a":{"deletedId":"1"},"b":{"deletedId":"2"}}`)
	require.ElementsMatch(t, []string{"1", "2"}, tags(t, db, m))
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()

	s, db, m := startWithStore(t)
	text := query(`mutation { deleteVideo(id: "1") { deletedId } }`)

	first, want := s.ask(t, "POST", "/", response, text, "Idempotency-Key", "k")
	require.Equal(t, http.StatusOK, first.StatusCode)
	require.Empty(t, first.Header.Get(idempotency.ReplayedHeader))

	again, got := s.ask(t, "POST", "/", response, text, "Idempotency-Key", "k")
	require.Equal(t, http.StatusOK, again.StatusCode)
	require.Equal(t, "true", again.Header.Get(idempotency.ReplayedHeader))
	require.Equal(t, first.Header.Get("Content-Type"), again.Header.Get("Content-Type"))
	require.Equal(t, want, got)
	require.Equal(t, []string{"1"}, tags(t, db, m))

	other, _ := s.ask(t, "POST", "/", response, query(`mutation { deleteVideo(id: "2") { deletedId } }`), "Idempotency-Key", "k")
	require.Equal(t, http.StatusBadRequest, other.StatusCode)

	// A failed mutation leaves its key free.
	for range 2 {
		_, body := s.ask(t, "POST", "/", response, query(`mutation { deleteVideo(id: "missing") { deletedId } }`), "Idempotency-Key", "f")
		require.Contains(t, body, string(fault.NotFoundCode))
	}

	require.Equal(t, []string{"1"}, tags(t, db, m))
}

// TestIdempotencyKeyOverAWebsocket: over a websocket, the key of a mutation is in the extensions.
func TestIdempotencyKeyOverAWebsocket(t *testing.T) {
	t.Parallel()

	s, db, m := startWithStore(t)
	c := s.dial(t, http.Header{"Authorization": {"Bearer good"}})
	c.send(t, `{"type":"connection_init"}`)
	c.expect(t, `{"type":"connection_ack"}`)

	keyed := func(key string) string {
		return `{"query":"mutation { deleteVideo(id: \"1\") { deletedId } }","extensions":{"idempotencyKey":` + key + `}}`
	}

	for range 2 {
		c.send(t, `{"id":"1","type":"subscribe","payload":`+keyed(`"k"`)+`}`)
		c.expect(t, `{"id":"1","type":"next","payload":{"data":{"deleteVideo":{"deletedId":"1"}}…`)
		c.expect(t, `{"id":"1","type":"complete"}`)
		require.Equal(t, []string{"1"}, tags(t, db, m))
	}

	for _, malformed := range []string{`""`, `7`, `null`, `"é"`} {
		c.send(t, `{"id":"2","type":"subscribe","payload":`+keyed(malformed)+`}`)
		c.expect(t, `{"id":"2","type":"error","payload":[{"message":"extensions.idempotencyKey must be …`)
	}
}
