package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
	"github.com/reelgraph/reelgraph/internal/platform/memory"
)

func serveCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "serve",
		Usage:  "serve the API and run jobs in the same process",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.serve(ctx) },
	}
}

// serve runs everything in one process until the context ends.
func (a app) serve(ctx context.Context) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	var in *workshop

	if c.Workers == nil || len(c.Workers) > 0 {
		found, err := findWorkshop(c)
		if err != nil {
			return err
		}

		in = &found
	}

	memory.Tune()

	// Before anything is created or started, so that a busy port has no side effects.
	socket, err := listenOn(ctx, "REELGRAPH_ADDR", c.Addr)
	if err != nil {
		return err
	}
	defer socket.Close() //nolint:errcheck // already closed by the server

	scraped, err := listenForOperators(ctx, c)
	if err != nil {
		return err
	}

	if scraped != nil {
		defer scraped.Close() //nolint:errcheck // as above
	}

	plain, err := listenWithoutTLS(ctx, c)
	if err != nil {
		return err
	}

	if plain != nil {
		defer plain.Close() //nolint:errcheck // as above
	}

	c.BaseURL = heard(c, socket)

	log := logging.New(a.stderr, c.Log)
	settings.Warn(log, a.strays())

	n, err := openNode(ctx, c, log, startPostgres)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, n.close()) }()

	return a.serveNode(ctx, n, in, sockets{main: socket, operators: scraped, plain: plain})
}

// sockets are what a server listens on. All but the first may be nil.
type sockets struct{ main, operators, plain net.Listener }

// serveNode runs the server of a node, and its workers if in is given.
func (a app) serveNode(ctx context.Context, n *node, in *workshop, at sockets) error {
	parts := n.parts()

	health, err := n.newHealth()
	if err != nil {
		return err
	}

	if in != nil {
		q, err := n.working(*in) //nolint:contextcheck // its pool lives as long as the queue
		if err != nil {
			return err
		}

		health.needsWorkers = true
		parts = append(parts, health.watched(q))
	}

	if at.operators != nil {
		parts = append(parts, part{"the metrics", serving(at.operators, nil, n.figures.Handler(health.alive(), health.ready()), nil)})
	}

	secure, err := n.secure(at.plain)
	if err != nil {
		return err
	}

	handler, streams, err := n.handler(ctx, health)
	if err != nil {
		return err
	}

	parts = append(append(parts, secure.parts...), part{"the server", serving(at.main, secure.tls, handler, func() {
		health.draining.Store(true)
		n.linger()
		streams()
	})})

	defer n.announce(at.main.Addr().String())()

	welcome, needed, err := account.MakeWelcome(ctx, n.store)
	if err != nil {
		return err
	}

	if needed {
		a.welcome(n.addresses.Welcome(welcome.Plain))
	} else {
		fmt.Fprintf(a.stdout, "Reelgraph is running at %s\n", n.config.BaseURL)
	}

	fmt.Fprintln(a.stdout, n.config.Speech)

	return n.run(ctx, parts...)
}

// welcome prints the address where the first owner sets up the server.
func (a app) welcome(address string) {
	fmt.Fprintf(a.stdout, `Reelgraph is running. Open this address to create the owner; it works once, for 24 hours:

%s

`, address)
}

// listenOn listens on the address of a setting.
func listenOn(ctx context.Context, setting, addr string) (net.Listener, error) {
	var lc net.ListenConfig

	l, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w; allow this program to listen there (sudo setcap cap_net_bind_service=+ep %s), or choose a port above"+
			" 1023 with %s", err, os.Args[0], setting)
	}

	if err != nil {
		return nil, fmt.Errorf("%w; stop the program that uses it, or choose another address with %s", err, setting)
	}

	return l, nil
}

// listenForOperators listens on the address for operators. It returns nil if no such address is set.
func listenForOperators(ctx context.Context, c settings.Config) (net.Listener, error) {
	if c.MetricsAddr == "" {
		return nil, nil //nolint:nilnil // the address is optional
	}

	return listenOn(ctx, "REELGRAPH_METRICS_ADDR", c.MetricsAddr)
}

// listenWithoutTLS listens for requests that are sent to HTTPS. It returns nil if there is no such address.
func listenWithoutTLS(ctx context.Context, c settings.Config) (net.Listener, error) {
	if c.HTTPAddr == "" {
		return nil, nil //nolint:nilnil // the address is optional
	}

	return listenOn(ctx, "REELGRAPH_HTTP_ADDR", c.HTTPAddr)
}

// heard returns the base URL, with the port that the system chose if the setting asked for any.
func heard(c settings.Config, l net.Listener) *url.URL {
	_, port, _ := net.SplitHostPort(c.Addr)
	if port != "0" || c.BaseURL.Host != settings.Reachable(c.Addr) {
		return c.BaseURL
	}

	base := *c.BaseURL
	base.Host = settings.Reachable(l.Addr().String())

	return &base
}

// The timeouts of the server. Uploads and streams have their own.
const (
	headerTimeout = 15 * time.Second
	idleTimeout   = 2 * time.Minute
	drainTimeout  = 30 * time.Second
)

// linger waits between reporting not ready and refusing requests, so that load balancers notice first.
func (n *node) linger() {
	if n.config.StopDelay > 0 {
		<-time.After(n.config.StopDelay)
	}
}
