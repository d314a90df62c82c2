package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/oschwald/maxminddb-golang/v2"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/chain"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/extract"
	"github.com/reelgraph/reelgraph/internal/idempotency"
	"github.com/reelgraph/reelgraph/internal/intake"
	"github.com/reelgraph/reelgraph/internal/limit"
	"github.com/reelgraph/reelgraph/internal/playback"
	"github.com/reelgraph/reelgraph/internal/seal"
	"github.com/reelgraph/reelgraph/internal/signin"
	"github.com/reelgraph/reelgraph/internal/spoken"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/transfer"
	"github.com/reelgraph/reelgraph/pages"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/web/docs"
	"github.com/reelgraph/reelgraph/web/graphiql"
)

const (
	gateConns = 8  // of the pool that only the limiter uses
	lockConns = 24 // of the pool that only requests with an Idempotency-Key use
	lockEach  = 6  // of which one user holds no more

	// probeWait is how long whoever needs a source waits for its probe.
	probeWait = 10 * time.Second

	// extractWait is how long whoever asks for a picture waits for it to be made.
	extractWait = 25 * time.Second
)

// handler is everything the server serves. streams ends the subscriptions, which would never end by
// themselves.
func (n *node) handler(ctx context.Context, h *health) (handler http.Handler, streams func(), err error) {
	refusals := rest.Errors{BaseURL: n.addresses.BaseURL, Classify: graph.Classify, Log: n.log}

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

	door := signin.Door{Cookies: n.cookies(), Gate: gate, Peers: n.peers()}
	draining, streams := context.WithCancel(context.WithoutCancel(ctx))

	jobs, err := n.jobsPage(draining, refusals.Write, people.Sorry)
	if err != nil {
		streams()

		return nil, nil, err
	}

	watching := people.Handler()
	executor := graph.NewServer(graph.Config{Resolvers: resolver, Interpret: n.config.Interpret, Options: server.Options{
		BaseURL: n.addresses.BaseURL, Gate: server.Gate{Refusal: limit.Refusal, Spend: limit.Spend, Admit: door.Admit},
		Log: n.log, Mutations: keys, Peers: n.peers(),
	}})
	api := rest.New(resolver, keys, refusals)
	transfers := n.transfer(resolver, refusals)
	files := transfers.Handler()

	// By the first segment of the path; everything else is a page, or the API's, or its 404.
	routes := map[string]http.Handler{
		"catalog": files, "downloads": files, "media": files, "stills": files, "uploads": n.uploads(transfers, door),
		"playback": reports, "watch": files,
		"video": watching, "playlist": watching, "sign-in": watching, "sign-out": watching, "oembed": watching, "player": watching,
		"graphiql": graphiql.Handler(),
		"graphql":  graphRoutes(door.Handler(executor.Price, until(draining, executor)), gate.Handler(api)),
		"healthz":  h.alive(), "readyz": h.ready(),
		"river": jobs,
		"":      docs.Handler(n.addresses.BaseURL, gate.Handler(api)),
	}
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

// links are what every request passes before it reaches a route.
func (n *node) links(refusals rest.Errors, route http.Handler) http.Handler {
	for _, link := range []func(http.Handler) http.Handler{
		chain.CORS(n.config.Origins),
		chain.Headers(n.config.BaseURL.Scheme == "https"),
		chain.Guard(n.log, refusals.Write),
		n.telemetry.Handler(n.peers().Behind),
		chain.Identify,
		n.figures.count,
	} {
		route = link(route)
	}

	return route
}

// graphRoutes are the graph and, for everybody, its schema.
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
	cursors, err := seal.NewBox("cursors", n.secrets...)
	if err != nil {
		return nil, err
	}

	return &graph.Resolver{
		Store: n.store, Topics: n.topics, Jobs: n.jobs, Addresses: n.addresses,
		Blobs: n.blobs, Fillers: spoken.FillersFrom(n.config.Fillers), Media: n.desk(), Targets: n.targets,
		Cursors: cursors, Vault: n.vault, Clock: time.Now, ProbeWait: probeWait,
		Attempts: signin.Attempts{DB: n.store.DB}, Plan: n.config.Plan, Mail: n.mail != nil,
		Uploads: intake.Limits{Upload: n.config.UploadMax, Workspace: n.config.WorkspaceBytes},
	}, nil
}

// desk is where what is made of media is asked for.
func (n *node) desk() *extract.Desk {
	return &extract.Desk{
		Addresses: n.addresses, Blobs: n.blobs, Clock: time.Now, Fonts: n.fonts, Jobs: n.jobs, Store: n.store, Topics: n.topics,
		Wait: extractWait,
	}
}

func (n *node) keys() (*idempotency.Keys, error) {
	box, err := seal.NewBox("stored answers", n.secrets...)
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

	return limit.New(limit.Options{DB: pool, Log: n.log, Peers: n.peers(), Quota: n.config.RateLimit}), nil
}

func (n *node) cookies() signin.Cookies { return signin.Cookies{Base: n.config.BaseURL} }

func (n *node) peers() chain.Peers { return chain.Peers{Trusted: n.config.TrustedProxies} }

// pool opens connections that nobody else can use up.
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

// uploads are the addresses of uploads, and where clients of tus make them.
func (*node) uploads(files *transfer.Server, door signin.Door) http.Handler {
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

func (n *node) transfer(resolver *graph.Resolver, refusals rest.Errors) *transfer.Server {
	return &transfer.Server{
		Addresses: n.addresses, Blobs: n.blobs, Clock: time.Now,
		Describe: func(ctx context.Context, id string) ([]byte, error) {
			source, err := resolver.Query().Source(ctx, id)
			if err != nil {
				return nil, err
			}

			return rest.DescribeSource(ctx, resolver, source)
		},
		Intake: resolver.Intake(), Log: n.log, Refuse: refusals.Write, Sources: resolver, Still: n.desk().Made, Store: n.store,
		Thumbnail: func(ctx context.Context, videoID, name string) (domain.ExtractFile, error) {
			video, err := resolver.VideoPlayed(ctx, videoID)
			if err != nil {
				return domain.ExtractFile{}, err
			}

			return n.desk().Thumbnail(ctx, video, name)
		},
		UploadMax: n.config.UploadMax,
	}
}

// pages are what people open.
func (n *node) pages(resolver *graph.Resolver, refusals rest.Errors) (*pages.Server, error) {
	tokens, err := n.tokens()
	if err != nil {
		return nil, err
	}

	box, err := seal.NewBox("passwords of pages", n.secrets...)
	if err != nil {
		return nil, err
	}

	return &pages.Server{
		Addresses: n.addresses, Attempts: resolver.Attempts, Box: box, Clock: time.Now, Cookies: n.cookies(),
		Graph: resolver, Log: n.log, Peers: n.peers(), Refuse: refusals.Write, Tokens: tokens,
	}, nil
}

// tokens are the view tokens of pages, which come back with what their players report.
func (n *node) tokens() (playback.Tokens, error) {
	box, err := seal.NewBox("view tokens", n.secrets...)

	return playback.Tokens{Box: box, Host: n.config.BaseURL.Host}, err
}

// playback receives what players report.
func (n *node) playback(refusals rest.Errors) (http.Handler, error) {
	tokens, err := n.tokens()
	if err != nil {
		return nil, err
	}

	countries := playback.Countries{Peers: n.peers(), Header: n.config.CountryHeader}

	if n.config.MMDB != "" {
		if countries.DB, err = maxminddb.Open(n.config.MMDB); err != nil {
			return nil, fmt.Errorf("open REELGRAPH_MMDB: %w", err)
		}

		n.closing(countries.DB.Close)
	}

	return (&playback.Server{
		Clock: time.Now, Countries: countries, Jobs: n.jobs, Read: rest.ReadBody, Refuse: refusals.Write, Store: n.store,
		Tokens: tokens,
	}).Handler(), nil
}

// until ends requests that stream when the context does.
func until(ends context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" && !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			next.ServeHTTP(w, r)

			return
		}

		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(ends, cancel)()

		next.ServeHTTP(w, r.WithContext(ctx)) //nolint:contextcheck // the request's own, which ends with the other too
	})
}

// serving is a part that serves a socket and, when it is stopped, answers what has begun. drain, which
// may be nil, is called first.
func serving(socket net.Listener, handler http.Handler, drain func()) func(context.Context) error {
	return func(ctx context.Context) error {
		life, cut := context.WithCancel(context.WithoutCancel(ctx))
		defer cut()

		var closing atomic.Bool

		s := &http.Server{
			BaseContext:       func(net.Listener) context.Context { return life },
			ConnContext:       chain.ConnContext,
			ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // what clients do wrong
			Handler:           lastOf(handler, &closing),
			IdleTimeout:       idleTimeout,
			ReadHeaderTimeout: headerTimeout,
		}
		ended := make(chan error, 1)

		go func() { ended <- s.Serve(chain.Listener(socket)) }()

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

// lastOf has clients send no further requests over their connections while the server is closing: a
// connection that were closed in the moment of a request would lose it.
func lastOf(next http.Handler, closing *atomic.Bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if closing.Load() {
			w.Header().Set("Connection", "close")
		}

		next.ServeHTTP(w, r)
	})
}

// random spreads retries.
func random() float64 { return rand.Float64() } //nolint:gosec // nothing depends on nobody guessing it
