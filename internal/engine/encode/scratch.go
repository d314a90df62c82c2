package encode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// scratch is the folder of one render. A lock file in it distinguishes a live render from the remains of a crash.
type scratch struct {
	dir  string
	lock *os.File
}

const scratchPattern = "render-*"

func newScratch(parent string) (*scratch, error) {
	if err := os.MkdirAll(parent, 0o750); err != nil {
		return nil, fmt.Errorf("create a temporary folder for rendering: %w", diskError(err))
	}

	for {
		dir, err := os.MkdirTemp(parent, scratchPattern)
		if err != nil {
			return nil, fmt.Errorf("create a temporary folder for rendering: %w", diskError(err))
		}

		lock, err := lockFile(filepath.Join(dir, "lock"))

		switch {
		case err == nil:
			return &scratch{dir: dir, lock: lock}, nil
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, fs.ErrNotExist):
			// Another process swept the folder away before it was locked.
		default:
			return nil, errors.Join(fmt.Errorf("create a temporary folder for rendering: %w", diskError(err)), os.RemoveAll(dir))
		}
	}
}

// Scratch creates a folder for temporary files. The caller removes it with discard; after a crash Sweep removes it.
func (e *Engine) Scratch() (dir string, discard func() error, err error) {
	s, err := newScratch(e.Dir)
	if err != nil {
		return "", nil, err
	}

	return s.dir, s.discard, nil
}

func (s *scratch) path(name string) string { return filepath.Join(s.dir, name) }

// discard removes the folder and everything in it. It may be called again.
func (s *scratch) discard() error {
	if s.lock == nil {
		return nil
	}

	err := errors.Join(os.RemoveAll(s.dir), s.lock.Close())
	s.lock = nil

	return err
}

// lockFile opens a file and locks it while it is open. It fails if another process holds the lock.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}

	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}

	return f, nil
}

// Sweep removes what crashed renders left in the engine's folder, but not the folders of live processes. Call it when
// the server starts.
func (e *Engine) Sweep() error {
	left, err := filepath.Glob(filepath.Join(e.Dir, scratchPattern))
	if err != nil {
		return fmt.Errorf("remove old folders from %s: %w", e.Dir, err)
	}

	var faults []error

	for _, dir := range left {
		lock, err := lockFile(filepath.Join(dir, "lock"))

		switch {
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		case err != nil:
			faults = append(faults, err)
		default:
			faults = append(faults, os.RemoveAll(dir), lock.Close())
		}
	}

	return errors.Join(faults...)
}
