package main

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/oschwald/maxminddb-golang/v2"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/compress"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/pages"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/rest/shape"
	accountpages "github.com/reelgraph/reelgraph/web/account"
	"github.com/reelgraph/reelgraph/web/graphiql"
	"github.com/reelgraph/reelgraph/web/reference"
	"github.com/reelgraph/reelgraph/web/studio"
)

const (
	gateConns = 8  // connections of the limiter's own pool
	lockConns = 24 // connections of the pool for requests with an Idempotency-Key
	lockEach  = 6  // the most of them that one user holds

	// probeWait is how long a request that needs a source waits for its probe.
	probeWait = 10 * time.Second

	// extractWait is how long a request for a picture waits until it is made.
	extractWait = 25 * time.Second
)

// handler returns the handler of everything that the server serves. streams ends the subscriptions, which have no end of
// their own.
func (n *node) handler(ctx context.Context, h *health) (handler http.Handler, streams func(), err error) {
	refusals := router.Errors{BaseURL: n.addresses.BaseURL, Classify: graph.Classify, Log: n.log}

	resolver, err := n.resolver()
	if err != nil {
		return nil, nil, err
	}

	keys, err := n.keys()
	if err != nil {
		return nil, nil, err
	}

	gate, err := n.gate()
	if err != nil {
		return nil, nil, err
	}

	reports, err := n.playback(refusals)
	if err != nil {
		return nil, nil, err
	}

	people, err := n.pages(resolver, refusals)
	if err != nil {
		return nil, nil, err
	}

	door := account.Door{Cookies: n.cookies(), Gate: gate, Peers: n.peers()}
	draining, streams := context.WithCancel(context.WithoutCancel(ctx))

	jobs, err := n.jobsPage(draining, refusals.Write, people.Sorry)
	if err != nil {
		streams()

		return nil, nil, err
	}

	executor := graph.NewServer(graph.Config{Resolvers: resolver, Interpret: n.config.Interpret, Options: server.Options{
		BaseURL: n.addresses.BaseURL, Gate: server.Gate{
			Refusal: limit.Refusal, Spend: limit.Spend, Admit: door.Admit, Subscribe: limit.Subscribe,
		},
		Draining: draining, Log: n.log, Mutations: keys, Opens: n.readable, Peers: n.peers(),
	}})
	api, refuse := rest.New(resolver, keys, refusals), forBrowsers(people.Sorry, refusals.Write)
	transfers := n.transfer(resolver, refuse)
	files := transfers.Handler()
	nowhere := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAPI := r.URL.Path == "/v1" || strings.HasPrefix(r.URL.Path, "/v1/"); !isAPI && isBrowser(r) {
			refuse(w, r, fault.NotFound("page"))

			return
		}

		gate.Handler(api).ServeHTTP(w, r)
	})

	// Routes by the first segment of the path; everything else is a page or belongs to the API, including its 404.
	routes := map[string]http.Handler{
		"catalog": files, "downloads": files, "media": files, "stills": files, "uploads": n.uploads(transfers, door),
		"playback": reports, "watch": files,
		"graphiql": graphiql.Handler(nowhere),
		"graphql":  graphRoutes(door.Handler(executor.Price, executor), gate.Handler(api)),
		"healthz":  h.alive(), "readyz": h.ready(),
		"river": jobs,
		"":      reference.Handler(n.addresses.BaseURL, nowhere),
	}
	n.mountPages(routes, people, nowhere)
	n.mountStudio(routes, resolver, refuse)

	route := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")

		handler, known := routes[first]
		if !known {
			handler = routes[""]
		}

		handler.ServeHTTP(w, r)
	})

	return n.links(refusals, route), streams, nil
}

// mountPages adds the pages that people open. Other paths below them go to otherwise.
func (n *node) mountPages(routes map[string]http.Handler, people *pages.Server, otherwise http.Handler) {
	mount(routes, people.Handler(), pages.Roots())
	mount(routes, accountpages.Handler(accountpages.Options{SendsMail: n.mail != nil}, otherwise), accountpages.Roots())
}

// mountStudio adds the studio before what routes has at the same addresses, which programs still get.
func (n *node) mountStudio(routes map[string]http.Handler, resolver *graph.Resolver, refuse middleware.RefuseFunc) {
	mount(routes, studio.Handler(studio.Options{
		IsBrowser: isBrowser, Refuse: refuse,
		SignedIn: func(r *http.Request) (bool, error) {
			_, name, err := resolver.Services.Accounts.Sessions().SignedIn(r.Context(), n.cookies().Reading(r))

			return name != "", err
		},
	}, routes[""]), studio.Roots())
}

// mount adds a handler under the first segments of its paths.
func mount(routes map[string]http.Handler, handler http.Handler, roots []string) {
	for _, root := range roots {
		routes[root] = handler
	}
}

// links wraps a route in the middleware of every request.
func (n *node) links(refusals router.Errors, route http.Handler) http.Handler {
	for _, link := range []func(http.Handler) http.Handler{
		compress.Handler,
		middleware.CORSWhere(n.readable),
		middleware.Headers(n.config.BaseURL.Scheme == "https"),
		middleware.Guard(n.log, refusals.Write),
		n.telemetry.Handler(n.peers().Behind),
		middleware.Identify,
		n.figures.Count,
	} {
		route = link(route)
	}

	return route
}

// forBrowsers sends errors to browsers as a page and to programs in the API's form.
func forBrowsers(page, otherwise middleware.RefuseFunc) middleware.RefuseFunc {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		w.Header().Add("Vary", "Accept")

		if isBrowser(r) {
			page(w, r, err)

			return
		}

		otherwise(w, r, err)
	}
}

var zeroWeight = regexp.MustCompile(`^\s*q\s*=\s*0(\.0*)?\s*$`)

// isBrowser reports whether a request wants a page: browsers accept HTML explicitly, programs do not.
func isBrowser(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}

	for _, line := range r.Header.Values("Accept") {
		for element := range strings.SplitSeq(line, ",") {
			kind, parameters, _ := strings.Cut(element, ";")

			none := zeroWeight.MatchString(parameters)
			if kind = strings.ToLower(strings.TrimSpace(kind)); (kind == "text/html" || kind == "application/xhtml+xml") && !none {
				return true
			}
		}
	}

	return false
}

// readable reports whether pages of an origin may read responses, for which they have a key or a signed address: our own pages
// at another address of this server, which upload to REELGRAPH_BASE_URL, and pages that the operator allows.
func (n *node) readable(origin string, r *http.Request) bool {
	return middleware.Listed(n.config.Origins, origin) || n.cookies().Ours(origin, r)
}

// graphRoutes serves the graph and, without authentication, its schema.
func graphRoutes(executor, otherwise http.Handler) http.Handler {
	schema := graph.SDLHandler()

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/graphql":
			executor.ServeHTTP(w, r)
		case "/graphql/schema.graphqls":
			schema.ServeHTTP(w, r)
		default:
			otherwise.ServeHTTP(w, r)
		}
	})
}

func (n *node) resolver() (*graph.Resolver, error) {
	cursors, err := keyring.NewBox("cursors", n.secrets...)
	if err != nil {
		return nil, err
	}

	return graph.New(graph.Dependencies{
		Store: n.store, Topics: n.topics, Jobs: n.jobs, Addresses: n.addresses,
		Blobs: n.blobs, Fillers: words.FillersFrom(n.config.Fillers), Media: n.desk(), Targets: n.targets,
		Cursors: cursors, Vault: n.vault, ProbeWait: probeWait,
		Attempts: account.Attempts{DB: n.store.DB}, Plan: n.config.Plan, Workspaces: n.config.Workspaces, Mail: n.mail != nil,
		Uploads: upload.Limits{Upload: n.config.UploadMax, Workspace: n.config.WorkspaceBytes}, Node: n.described(),
	}), nil
}

// desk returns the extracts.Desk, the service that creates extracts of media on request.
func (n *node) desk() *extracts.Desk {
	return &extracts.Desk{
		Addresses: n.addresses, Blobs: n.blobs, Clock: time.Now, Fonts: n.fonts, Jobs: n.jobs, Store: n.store, Topics: n.topics,
		Wait: extractWait,
	}
}

func (n *node) keys() (*idempotency.Keys, error) {
	box, err := keyring.NewBox("stored answers", n.secrets...)
	if err != nil {
		return nil, err
	}

	locks, err := n.pool(lockConns)
	if err != nil {
		return nil, err
	}

	return idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return n.store.Begin(ctx) },
		Box:   box, Each: lockEach, Locks: locks, Store: n.store,
	}), nil
}

func (n *node) gate() (*limit.Gate, error) {
	pool, err := n.pool(gateConns)
	if err != nil {
		return nil, err
	}

	return limit.New(limit.Options{
		DB: pool, Log: n.log, Peers: n.peers(),
		Quota: n.config.RateLimit, SessionQuota: n.config.SessionLimit, EventQuota: n.config.EventLimit,
	}), nil
}

func (n *node) cookies() account.Cookies {
	return account.Cookies{Base: n.config.BaseURL, Also: n.config.OwnOrigins}
}

func (n *node) peers() middleware.Peers { return middleware.Peers{Trusted: n.config.TrustedProxies} }

// pool opens a connection pool of its own, which other parts cannot exhaust.
func (n *node) pool(conns int, dialer ...pq.Dialer) (*sql.DB, error) {
	connector, err := store.Connector(n.postgres.DSN, dialer...)
	if err != nil {
		return nil, err
	}

	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	n.closing(db.Close)

	return db, nil
}

// uploads serves the addresses of uploads, and the one where tus clients create them.
func (*node) uploads(files *upload.Server, door account.Door) http.Handler {
	at, creation := files.Handler(), files.Creation(func(next http.Handler) http.Handler {
		return door.Handler(func(r *http.Request) (*http.Request, int) { return r, 0 }, next)
	})

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Trim(r.URL.Path, "/") == "uploads" {
			creation.ServeHTTP(w, r)
		} else {
			at.ServeHTTP(w, r)
		}
	})
}

func (n *node) transfer(resolver *graph.Resolver, refuse middleware.RefuseFunc) *upload.Server {
	return &upload.Server{
		Addresses: n.addresses, Avatar: n.desk().Avatar, Blobs: n.blobs, Clock: time.Now,
		Describe: func(ctx context.Context, id string) ([]byte, error) {
			source, err := resolver.Query().Source(ctx, id)
			if err != nil {
				return nil, err
			}

			return shape.DescribeSource(ctx, resolver, source)
		},
		Intake: resolver.Services.Upload.Intake(), Log: n.log, Refuse: refuse, Sources: resolver.Services.Upload, Still: n.desk().Made,
		Store: n.store,
		Thumbnail: func(ctx context.Context, videoID, name string) (values.ExtractFile, error) {
			shown, err := resolver.Services.Exports.ThumbnailByID(ctx, videoID, name)
			if err != nil {
				return values.ExtractFile{}, err
			}

			return n.desk().Thumbnail(ctx, shown, name)
		},
		UploadMax: n.config.UploadMax,
	}
}

// pages returns the server of the public pages.
func (n *node) pages(resolver *graph.Resolver, refusals router.Errors) (*pages.Server, error) {
	tokens, err := n.tokens()
	if err != nil {
		return nil, err
	}

	box, err := keyring.NewBox("passwords of pages", n.secrets...)
	if err != nil {
		return nil, err
	}

	return &pages.Server{
		Addresses: n.addresses, Accounts: resolver.Services.Accounts, Box: box, Clock: time.Now, Cookies: n.cookies(),
		Graph: resolver, Sharing: resolver.Services.Sharing, Log: n.log, Peers: n.peers(), Refuse: refusals.Write, Tokens: tokens,
	}, nil
}

// tokens returns the view tokens of pages, which players send with their reports.
func (n *node) tokens() (analytics.Tokens, error) {
	box, err := keyring.NewBox("view tokens", n.secrets...)

	return analytics.Tokens{Box: box, Host: n.config.BaseURL.Host}, err
}

// playback returns the handler of player reports.
func (n *node) playback(refusals router.Errors) (http.Handler, error) {
	tokens, err := n.tokens()
	if err != nil {
		return nil, err
	}

	countries := analytics.Countries{Peers: n.peers(), Header: n.config.CountryHeader}

	if n.config.MMDB != "" {
		if countries.DB, err = maxminddb.Open(n.config.MMDB); err != nil {
			return nil, fmt.Errorf("open REELGRAPH_MMDB: %w", err)
		}

		n.closing(countries.DB.Close)
	}

	return (&analytics.Server{
		Clock: time.Now, Countries: countries, Jobs: n.jobs, Read: input.ReadBody, Refuse: refusals.Write, Store: n.store,
		Tokens: tokens,
	}).Handler(), nil
}

// serving returns a part that serves a socket, with TLS if a configuration is given, and finishes open requests when stopped.
// It calls drain first, which may be nil.
func serving(socket net.Listener, secure *tls.Config, handler http.Handler, drain func()) func(context.Context) error {
	return func(ctx context.Context) error {
		life, cut := context.WithCancel(context.WithoutCancel(ctx))
		defer cut()

		var closing atomic.Bool

		s := &http.Server{
			BaseContext:       func(net.Listener) context.Context { return life },
			ConnContext:       middleware.ConnContext,
			ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // errors of clients
			Handler:           lastOf(handler, &closing),
			IdleTimeout:       idleTimeout,
			ReadHeaderTimeout: headerTimeout,
			TLSConfig:         secure,
		}
		ended := make(chan error, 1)

		go func() {
			if secure != nil {
				ended <- s.ServeTLS(socket, "", "")
			} else {
				ended <- s.Serve(middleware.Listener(socket))
			}
		}()

		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		}

		if drain != nil {
			closing.Store(true)
			drain()
		}

		late, cancel := context.WithTimeout(life, drainTimeout)
		defer cancel()

		err := s.Shutdown(late)
		if errors.Is(err, context.DeadlineExceeded) {
			cut()

			err = s.Close()
		}

		return err
	}
}

// lastOf asks clients to close their connections while the server is closing. Otherwise the server could close a
// connection just when a client sends a request, and this request would be lost.
func lastOf(next http.Handler, closing *atomic.Bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closing.Load() {
			w.Header().Set("Connection", "close")
		}

		next.ServeHTTP(w, r)
	})
}

// random spreads retries.
func random() float64 { return rand.Float64() } //nolint:gosec // not used for security
