// Package api serves the product's API over HTTP in tests, with the whole middleware chain and a separate database
// for each test. Only tests import it. Start with New.
package api

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// BaseURL is the beginning of every address that a response contains.
const BaseURL = "https://reel.example"

// ample is a budget that no test uses up by accident.
const ample = 1_000_000

// Options configure a Server. The zero value gives a server with its own database and with a request budget that no
// test uses up.
type Options struct {
	DSN   string // from testkit.Database; servers that share one act as nodes
	Quota int    // requests per minute
	// SessionQuota and EventQuota are the quotas of sessions and of subscription events.
	SessionQuota, EventQuota int
	Clock                    func() time.Time // default time.Now
	// Interpret makes gqlgen execute every query.
	Interpret bool
	// Origins are additional addresses of the server.
	Origins []string
	Log     *slog.Logger // nil discards the log
	// Wait waits for the next minute of events. Nil waits in real time.
	Wait func(ctx context.Context, until time.Duration) error
	// Also are additional routes of the test, behind the same middleware as the product's.
	Also map[string]http.Handler
}

// Server is the product's API in this process.
type Server struct {
	*httptest.Server

	Store    *store.Store
	Resolver *Resolver
	Errors   router.Errors

	also map[string]http.Handler
}

// New starts a Server, which stops at the end of the test.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()

	if o.DSN == "" {
		o.DSN = testkit.Database(tb)
	}

	if o.Quota == 0 {
		o.Quota = ample
	}

	o.SessionQuota, o.EventQuota = cmp.Or(o.SessionQuota, ample), cmp.Or(o.EventQuota, ample)

	if o.Clock == nil {
		o.Clock = time.Now
	}

	log := cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	s := &Server{Store: testkit.OpenAt(tb, o.DSN), Errors: router.Errors{BaseURL: BaseURL, Classify: graph.Classify, Log: log}, also: o.Also}
	secret := bytes.Repeat([]byte("s"), 32) // the same for all nodes
	s.Resolver = resolver(tb, s.Store, o, secret)

	gate := limit.New(limit.Options{
		DB: s.Store.DB, Quota: o.Quota, SessionQuota: o.SessionQuota, EventQuota: o.EventQuota, Wait: o.Wait, Log: log,
	})

	base, err := url.Parse(BaseURL)
	require.NoError(tb, err)

	cookies := account.Cookies{Base: base, Also: o.Origins}
	door := account.Door{Cookies: cookies, Gate: gate}
	keys := idempotencyKeys(tb, s.Store, o.DSN, secret)
	api := rest.New(s.Resolver, keys, s.Errors)
	executor := graph.NewServer(graph.Config{Resolvers: s.Resolver, Interpret: o.Interpret, Options: server.Options{
		Mutations: keys, BaseURL: BaseURL, Log: log, Opens: cookies.Ours,
		Gate: server.Gate{Refusal: limit.Refusal, Spend: limit.Spend, Admit: door.Admit, Subscribe: limit.Subscribe},
	}})

	routes := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch also := o.Also[r.URL.Path]; {
		case also != nil:
			gate.Handler(also).ServeHTTP(w, r)
		case r.URL.Path == "/graphql":
			door.Handler(executor.Price, executor).ServeHTTP(w, r)
		default:
			gate.Handler(api).ServeHTTP(w, r)
		}
	})

	s.Server = httptest.NewUnstartedServer(middleware.Identify(middleware.Guard(log, s.Errors.Write)(routes)))
	s.Listener, s.Config.ConnContext = middleware.Listener(s.Listener), middleware.ConnContext // like the product's server
	s.Start()
	tb.Cleanup(s.Close)

	return s
}

// Resolver is a GraphQL resolver together with its dependencies.
type Resolver struct {
	*graph.Resolver
	graph.Dependencies
}

// Remake creates the services again after a test has changed the dependencies.
func (g *Resolver) Remake() { *g.Resolver = *graph.New(g.Dependencies) }

func resolver(tb testing.TB, s *store.Store, o Options, secret []byte) *Resolver {
	tb.Helper()

	topics, err := store.Listen(o.DSN)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, topics.Close()) })

	s.Clock = o.Clock

	client, err := queue.NewInserter(s.DB, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)

	cursors, err := keyring.NewBox("cursor", secret)
	require.NoError(tb, err)

	vault, err := webhook.NewVault(secret)
	require.NoError(tb, err)

	signer, err := blob.NewSigner(secret, nil)
	require.NoError(tb, err)

	blobs, err := blob.OpenDir(tb.TempDir())
	require.NoError(tb, err)

	of := graph.Dependencies{
		Fillers: words.DefaultFillers(), Media: NoMedia{},
		Store: s, Topics: topics, Jobs: &jobs.Queue{Client: client, Store: s}, Blobs: blobs,
		Addresses: signedurl.Book{BaseURL: BaseURL, Signer: signer},
		Targets:   outbound.NewTargets(), Cursors: cursors, Vault: vault,
		Attempts: account.Attempts{DB: s.DB}, Plan: auth.PlanPremium, ProbeWait: 50 * time.Millisecond,
	}

	return &Resolver{Resolver: graph.New(of), Dependencies: of}
}

func idempotencyKeys(tb testing.TB, s *store.Store, dsn string, secret []byte) *idempotency.Keys {
	tb.Helper()

	locks, err := sql.Open("postgres", dsn)
	require.NoError(tb, err)
	locks.SetMaxOpenConns(4)
	tb.Cleanup(func() { require.NoError(tb, locks.Close()) })

	box, err := keyring.NewBox("answers", secret)
	require.NoError(tb, err)

	return idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return s.Begin(ctx) },
		Store: s, Locks: locks, Box: box,
	})
}

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Call sends a request with the API key, or without a key if key is empty. header alternates names and values of
// headers. The body is JSON unless a header says otherwise. Redirects are not followed. Requests to /v1 and their
// responses are checked against the API description.
func (s *Server) Call(tb testing.TB, key, method, path, body string, header ...string) Answer {
	tb.Helper()

	r, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, strings.NewReader(body))
	require.NoError(tb, err)

	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}

	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}

	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}

	resp, err := s.Client().Transport.RoundTrip(r)
	require.NoError(tb, err)

	defer resp.Body.Close() //nolint:errcheck // the body has been read

	text, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)

	a := Answer{resp.StatusCode, resp.Header, string(text)}
	if s.also[r.URL.Path] == nil {
		Measure(tb, r, body, a)
	}

	return a
}

// Graph is the response to a GraphQL request.
type Graph struct {
	Answer `json:"-"`

	Data   map[string]any `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Path       []any          `json:"path"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
	Extensions map[string]any `json:"extensions"`
}

// Code returns the code of the first error, or an empty string if there is no error.
func (g Graph) Code() string {
	if len(g.Errors) == 0 {
		return ""
	}

	code, _ := g.Errors[0].Extensions["code"].(string)

	return code
}

// Ask sends a GraphQL document with its variables.
func (s *Server) Ask(tb testing.TB, key, document string, variables map[string]any, header ...string) Graph {
	tb.Helper()

	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	require.NoError(tb, err)

	g := Graph{Answer: s.Call(tb, key, http.MethodPost, "/graphql", string(body), header...)}
	require.NoError(tb, json.Unmarshal([]byte(g.Body), &g), g.Body)

	return g
}

// Dig returns the value at the given path of object keys in a decoded JSON value.
func Dig(value any, path ...string) any {
	for _, name := range path {
		value = value.(map[string]any)[name] //nolint:forcetypeassert // a panic is a failed test
	}

	return value
}

// Replace replaces text in the document: wherever a key of the map values occurs, it puts the value of that key.
func Replace(document string, values map[string]string) string {
	for name, value := range values {
		document = strings.ReplaceAll(document, name, value)
	}

	return document
}
