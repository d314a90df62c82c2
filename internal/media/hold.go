package media

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Hold keeps the files of a cache where they are while somebody works with them, in whatever process. DirCache.Hold makes it.
type Hold struct{ lock *os.File }

// Hold is to be released. It waits while another one is removing files.
func (c DirCache) Hold() (*Hold, error) {
	if err := os.MkdirAll(filepath.Dir(c.Dir), 0o750); err != nil {
		return nil, fmt.Errorf("hold the cache: %w", diskError(err))
	}

	lock, err := os.OpenFile(c.Dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("hold the cache: %w", diskError(err))
	}

	h := &Hold{lock}
	if err := h.take(syscall.LOCK_SH); err != nil {
		return nil, errors.Join(err, h.Release())
	}

	return h, nil
}

// Alone calls remove, which takes files away, unless somebody else holds the cache, which it does not wait for. Others wait meanwhile.
//
// The hold is lost for a moment when it is not the only one: look behind this for what is needed, not before.
func (h *Hold) Alone(remove func() error) error {
	err := h.take(syscall.LOCK_EX | syscall.LOCK_NB)

	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return h.take(syscall.LOCK_SH)
	case err != nil:
		return err
	}

	return errors.Join(remove(), h.take(syscall.LOCK_SH))
}

// Release ends the hold.
func (h *Hold) Release() error { return h.lock.Close() }

// take waits for a lock, whatever signals come meanwhile.
func (h *Hold) take(how int) error {
	for {
		err := syscall.Flock(int(h.lock.Fd()), how)
		if errors.Is(err, syscall.EINTR) {
			continue
		}

		if err != nil {
			err = fmt.Errorf("hold the cache: %w", err)
		}

		return err
	}
}
