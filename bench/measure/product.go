package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Product is the product as shipped, with its private Postgres, its own data, and an API key of its first user.
type Product struct {
	*Process

	Key string
	DSN string // of its private Postgres
}

// Serve builds the product and starts it with its data in folder. The given settings are added to the settings that
// every benchmark needs.
func Serve(ctx context.Context, folder string, settings ...string) (*Product, error) {
	return ServeTo(ctx, nil, folder, settings...)
}

// ServeTo is like Serve, but also writes the product's standard error to the writer said. A nil said is ignored.
func ServeTo(ctx context.Context, said io.Writer, folder string, settings ...string) (*Product, error) {
	binary := filepath.Join(folder, "reelgraph")

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("build the product: %w: %s", err, out)
	}

	addr, err := FreeAddr(ctx)
	if err != nil {
		return nil, err
	}

	settings = append([]string{
		"REELGRAPH_ADDR=" + addr, "REELGRAPH_BASE_URL=http://" + addr, "REELGRAPH_DATA=" + filepath.Join(folder, "data"),
		"REELGRAPH_RATE_LIMIT=100000",
	}, settings...)

	cmd := exec.Command(binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), settings...)
	cmd.Stderr = said

	ready, err := Ask(ctx, addr, "/readyz", "", "")
	if err != nil {
		return nil, err
	}

	process, err := Start(ctx, "the product", addr, cmd, ready)
	if err != nil {
		return nil, err
	}

	keys := exec.CommandContext(ctx, binary, "keys", "create", "--user", "bench@example.com")
	keys.Env = append(keys.Environ(), settings...)

	if out, err = keys.Output(); err != nil {
		return nil, errors.Join(fmt.Errorf("make a key: %w", err), process.Stop())
	}

	return &Product{
		Process: process, Key: strings.TrimSpace(string(out)),
		DSN: "user=reelgraph dbname=reelgraph sslmode=disable host=" + filepath.Join(folder, "data", "postgres", "run"),
	}, nil
}
