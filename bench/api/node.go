package main

import (
	"context"
	"embed"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/reelgraph/reelgraph/bench/measure"
)

//go:embed postgraphile graphqljit
var nodeFiles embed.FS

// installPostGraphile installs PostGraphile and the Node it needs into the user's cache folder, unless they are there,
// and returns the folder.
func installPostGraphile(ctx context.Context) (string, error) {
	return measure.InstallNPM(ctx, "postgraphile", nodeFiles)
}

// installJIT does the same for graphql-jit.
func installJIT(ctx context.Context) (string, error) {
	return measure.InstallNPM(ctx, "graphqljit", nodeFiles)
}

// startPostGraphile serves the database's tables in production mode, behind the product's gate if its statement and
// arguments are given.
func (s *stage) startPostGraphile(ctx context.Context, gate ...string) (*measure.Process, error) {
	return s.startNode(ctx, "PostGraphile", s.postgraphile, `{"query":"{ __typename }"}`, gate...)
}

// startJIT serves the documents with graphql-jit, behind the product's gate.
func (s *stage) startJIT(ctx context.Context) (*measure.Process, error) {
	return s.startNode(ctx, "graphql-jit", s.jit, document(oneRow, s.probe().Video), s.gate()...)
}

// startNode starts the server.mjs of an installation and waits until it is ready.
func (s *stage) startNode(ctx context.Context, name, folder, ready string, gate ...string) (*measure.Process, error) {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("read the address: %w", err)
	}

	node := filepath.Join(folder, "node_modules", ".bin", "node")
	cmd := exec.Command(node, append([]string{"server.mjs", s.dsn, port, strconv.Itoa(pool)}, gate...)...) //nolint:noctx // Stop ends it
	cmd.Dir = folder
	cmd.Env = append(cmd.Environ(), "NODE_ENV=production", "GRAPHILE_ENV=production")

	asks, err := measure.Ask(ctx, addr, "/graphql", s.world.keyOf(0), ready)
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, name, addr, cmd, asks)
}
