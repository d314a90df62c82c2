// Package lean gives tests the media programs as a server runs them.
package lean

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// Tools returns them.
//
//nolint:gochecknoglobals // made once a process; processes share it
var Tools = sync.OnceValues(func() (ffmpeg.Tools, error) {
	found, err := ffmpeg.Find(exec.LookPath)
	if err != nil {
		return ffmpeg.Tools{}, fmt.Errorf("find the media programs: %w", err)
	}

	if runtime.GOOS != "linux" {
		return found, nil // as a server there
	}

	folder, err := os.UserCacheDir()
	if err != nil {
		return ffmpeg.Tools{}, fmt.Errorf("find a place for stubs: %w", err)
	}

	return found.Lean(context.Background(), filepath.Join(folder, "reelgraph", "stubs"))
})
