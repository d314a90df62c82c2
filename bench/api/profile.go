package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// profile loads the product again in each of its cells and saves a CPU profile, if the plan names a folder.
func (s *stage) profile(ctx context.Context, names []string, all map[string]cell) error {
	if s.plan.profiles == "" {
		return nil
	}

	for _, name := range names {
		if !strings.Contains(name, "product") {
			continue
		}

		group, ctx := errgroup.WithContext(ctx)

		group.Go(func() error {
			_, err := all[name].load(ctx, s.plan.each)

			return err
		})
		group.Go(func() error { return s.fetchProfile(ctx, name) })

		if err := group.Wait(); err != nil {
			return fmt.Errorf("profile of %s: %w", name, err)
		}
	}

	return nil
}

func (s *stage) fetchProfile(ctx context.Context, name string) (err error) {
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.metrics, max(1, int(s.plan.each.Seconds())))

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}

	defer func() { err = errors.Join(err, resp.Body.Close()) }()

	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}

	file := strings.NewReplacer(" ", "-", ",", "").Replace(name) + ".pprof"

	return os.WriteFile(filepath.Join(s.plan.profiles, file), content, 0o600)
}
