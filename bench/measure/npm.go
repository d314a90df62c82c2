package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// InstallNPM installs npm packages into a folder in the user's cache and returns that folder. It does nothing if they
// are already installed. The file system all must contain a folder called name. That folder holds package.json,
// package-lock.json and the programs that need the packages. Run these programs with node_modules/.bin/node.
func InstallNPM(ctx context.Context, name string, all fs.FS) (folder string, err error) {
	files, err := fs.Sub(all, name)
	if err != nil {
		return "", fmt.Errorf("read the npm files: %w", err)
	}

	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}

	lock, err := fs.ReadFile(files, "package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read the npm files: %w", err)
	}

	sum := sha256.Sum256(lock)
	folder = filepath.Join(cache, "reelgraph-bench", name+"-"+hex.EncodeToString(sum[:8]))
	installed := filepath.Join(folder, "installed")

	if err := fill(folder, files); err != nil {
		return "", err
	}

	if _, err := os.Stat(installed); err == nil {
		return folder, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the cache folder: %w", err)
	}

	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--omit=dev")
	cmd.Dir = folder

	if headers := nodeHeaders(); headers != "" { // avoids downloading headers for native packages
		cmd.Args = append(cmd.Args, "--nodedir="+headers)
	}

	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install %s: npm ci: %w: %s", name, err, out[max(0, len(out)-4<<10):])
	}

	if err := os.WriteFile(installed, nil, 0o644); err != nil { //nolint:gosec // the file is public
		return "", fmt.Errorf("fill the cache folder: %w", err)
	}

	return folder, nil
}

// nodeHeaders returns the folder above Node's headers, or an empty string if its package has none.
func nodeHeaders() string {
	node, err := exec.LookPath("node")
	if err != nil {
		return ""
	}

	above := filepath.Dir(filepath.Dir(node))
	if _, err := os.Stat(filepath.Join(above, "include", "node", "node.h")); err != nil {
		return ""
	}

	return above
}

// fill writes files into a folder, replacing older versions.
func fill(folder string, files fs.FS) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // the folder is public
		return fmt.Errorf("make the cache folder: %w", err)
	}

	names, err := fs.Glob(files, "*")
	if err != nil {
		return fmt.Errorf("list the npm files: %w", err)
	}

	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read the npm files: %w", err)
		}

		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil { //nolint:gosec // the file is public
			return fmt.Errorf("fill the cache folder: %w", err)
		}
	}

	return nil
}
