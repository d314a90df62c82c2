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

//go:embed postgraphile
var postgraphileFiles embed.FS

// installPostGraphile puts PostGraphile and the Node it needs into the user's cache folder, unless they
// are there, and returns the folder.
func installPostGraphile(ctx context.Context) (string, error) {
	return measure.InstallNPM(ctx, "postgraphile", postgraphileFiles)
}

// startPostGraphile serves the database's tables in production mode, behind the product's gate if its
// statement is given.
func (s *stage) startPostGraphile(ctx context.Context, gate string) (*measure.Process, error) {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("read the address: %w", err)
	}

	node := filepath.Join(s.postgraphile, "node_modules", ".bin", "node")
	cmd := exec.Command(node, "server.mjs", s.dsn, port, strconv.Itoa(pool), gate) //nolint:noctx // stop ends it
	cmd.Dir = s.postgraphile
	cmd.Env = append(cmd.Environ(), "NODE_ENV=production", "GRAPHILE_ENV=production")

	ready, err := measure.Ask(ctx, addr, "/graphql", s.world.key.Plain, `{"query":"{ __typename }"}`)
	if err != nil {
		return nil, err
	}

	return measure.Start(ctx, "PostGraphile", addr, cmd, ready)
}
