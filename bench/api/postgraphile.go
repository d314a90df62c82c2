package main

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
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
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}

	files, err := fs.Sub(postgraphileFiles, "postgraphile")
	if err != nil {
		return "", fmt.Errorf("read what is needed of npm: %w", err)
	}

	lock, err := fs.ReadFile(files, "package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read what is needed of npm: %w", err)
	}

	sum := sha256.Sum256(lock)
	dir := filepath.Join(cache, "reelgraph-bench", "postgraphile-"+hex.EncodeToString(sum[:8]))
	installed := filepath.Join(dir, "installed")

	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // everybody may read it
		return "", fmt.Errorf("make the cache folder: %w", err)
	}

	for _, name := range []string{"package.json", "package-lock.json", "server.mjs"} {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return "", fmt.Errorf("read what is needed of npm: %w", err)
		}

		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil { //nolint:gosec // as above
			return "", fmt.Errorf("fill the cache folder: %w", err)
		}
	}

	if _, err := os.Stat(installed); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("look into the cache folder: %w", err)
	}

	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--omit=dev")
	cmd.Dir = dir

	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install PostGraphile: npm ci: %w: %s", err, out[max(0, len(out)-4<<10):])
	}

	if err := os.WriteFile(installed, nil, 0o644); err != nil { //nolint:gosec // as above
		return "", fmt.Errorf("fill the cache folder: %w", err)
	}

	return dir, nil
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
