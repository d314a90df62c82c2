package media

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/reelgraph/reelgraph/internal/render"
)

// Cache keeps finished pieces of work under keys that name their content. It may be shared by any
// number of renders and processes.
type Cache interface {
	// Get returns the path of a finished file. It is read only, and stays until the cache is trimmed.
	Get(key string) (path string, ok bool)
	// Put takes over a finished file and returns where it is from now on. The file at tmp is gone
	// then. What was put survives a crash of the machine, or is not there at all.
	Put(key, tmp string) (path string, err error)
}

// DirCache is a Cache in one folder, which is made when the first file is put into it.
type DirCache struct{ Dir string }

func (c DirCache) path(key string) string { return filepath.Join(c.Dir, key) }

// Get returns the path of a finished file.
func (c DirCache) Get(key string) (string, bool) {
	info, err := os.Stat(c.path(key))

	return c.path(key), err == nil && info.Mode().IsRegular()
}

// Put takes over a finished file. One that is on another file system is copied.
func (c DirCache) Put(key, tmp string) (string, error) {
	if err := os.MkdirAll(c.Dir, 0o750); err != nil {
		return "", fmt.Errorf("cache %s: %w", key, diskError(err))
	}

	err := moveSynced(tmp, c.path(key))
	if err != nil {
		return "", fmt.Errorf("cache %s: %w", key, diskError(err))
	}

	return c.path(key), nil
}

// Trim removes the oldest files until the rest has at most maxBytes. Whoever still needs one of them fails: see Hold.
func (c DirCache) Trim(maxBytes int64) error {
	files, total, err := c.files()
	if err != nil {
		return err
	}

	return c.remove(files, total-maxBytes)
}

// Free removes the oldest files until so many bytes went, or none is left but those of the plan. Whoever still needs one of
// the others fails: see Hold.
func (c DirCache) Free(bytes int64, but render.Plan) error {
	files, _, err := c.files()
	if err != nil {
		return err
	}

	needed := map[string]bool{}

	for _, o := range but.Outputs {
		needed[o.Mix.Key] = true

		for _, chunk := range o.Chunks {
			needed[chunk.Key] = true
		}
	}

	return c.remove(slices.DeleteFunc(files, func(f fs.FileInfo) bool {
		key, _, _ := strings.Cut(f.Name(), ".")

		return needed[key]
	}), bytes)
}

// Size is how many bytes the files have.
func (c DirCache) Size() (int64, error) {
	_, total, err := c.files()

	return total, err
}

// files are those of the cache, the oldest first.
func (c DirCache) files() (files []fs.FileInfo, total int64, err error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}

	if err != nil {
		return nil, 0, fmt.Errorf("look into the cache: %w", err)
	}

	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}

	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })

	return files, total, nil
}

// remove removes files, the first ones first, until so many bytes went.
func (c DirCache) remove(files []fs.FileInfo, bytes int64) error {
	for _, f := range files {
		if bytes <= 0 {
			break
		}

		if err := os.Remove(c.path(f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("trim the cache: %w", err)
		}

		bytes -= f.Size()
	}

	return nil
}

// moveSynced moves a file so that, whatever happens, its new name holds all of it or does not exist.
func moveSynced(from, to string) error {
	if err := syncFile(from); err != nil {
		return err
	}

	err := os.Rename(from, to)
	if errors.Is(err, syscall.EXDEV) {
		err = copySynced(from, to)
	}

	if err != nil {
		return err
	}

	return syncFile(filepath.Dir(to))
}

func copySynced(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()

	out, err := os.CreateTemp(filepath.Dir(to), ".copy-*")
	if err != nil {
		return err
	}

	defer func() {
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()

	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}

	if err := os.Rename(out.Name(), to); err != nil {
		return err
	}

	return os.Remove(from)
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}

// diskError makes a full disk recognisable as ErrDiskFull, whoever met it.
func diskError(err error) error {
	if err == nil || errors.Is(err, ErrDiskFull) {
		return err
	}

	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("%w: %w", ErrDiskFull, err)
	}

	return err
}
