package encode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// Cache stores finished pieces. The key of a piece identifies its content. Any number of renders and processes may
// share a Cache, and any file in it may disappear at any time.
type Cache interface {
	// Get makes a finished file available for reading at a path that the caller owns. It returns false if there is no
	// such file or the context is done.
	Get(ctx context.Context, key, name string) bool
	// Put keeps a finished MP4 file. The file stays where it is and must not change any more. After a crash of the machine
	// it is either complete in the cache or not in it.
	Put(ctx context.Context, key, name string) error
}

// DirCache is a Cache in one folder, which Make or the first Put creates. A render that uses a file makes a hard link
// to it in the render's own folder, and the cache does not remove files with such a link. If hard links are not
// possible, as between two file systems, the file is copied. Put adds a checksum to each file. Get does not return a
// file that was damaged later, so the render makes that piece again and replaces the file.
type DirCache struct {
	Dir string
	// Logger logs files that exist but cannot be used; nil logs nothing.
	Logger *slog.Logger
}

// Make creates the folder. Call it at startup, so that a folder that cannot be created is reported early.
func (c DirCache) Make() error {
	if err := os.MkdirAll(c.Dir, 0o750); err != nil {
		return fmt.Errorf("create the cache folder: %w", err)
	}

	return nil
}

func (c DirCache) path(key string) string { return filepath.Join(c.Dir, key) }

// Has reports whether the cache has a finished file with this key.
func (c DirCache) Has(key string) bool {
	info, err := os.Stat(c.path(key))

	return err == nil && info.Mode().IsRegular()
}

// Get implements Cache. It reads the whole file. A file that is unusable for any reason counts as missing.
func (c DirCache) Get(ctx context.Context, key, name string) bool {
	if !c.Has(key) || link(c.path(key), name) != nil {
		return false
	}

	err := checkSealed(ctx, name, key)
	if err == nil {
		return true
	}

	_ = os.Remove(name) // the new piece must not be written into a file that others may have open

	if ctx.Err() == nil {
		cmp.Or(c.Logger, slog.New(slog.DiscardHandler)).WarnContext(ctx, "cached file is unusable, creating it again",
			slog.String("file", c.path(key)), slog.Any("error", err))
	}

	return false
}

// Put implements Cache.
func (c DirCache) Put(ctx context.Context, key, name string) error {
	if err := c.put(ctx, key, name); err != nil {
		return fmt.Errorf("cache %s: %w", key, diskError(err))
	}

	return nil
}

func (c DirCache) put(ctx context.Context, key, name string) error {
	if err := seal(ctx, name, key); err != nil {
		return err
	}

	if err := c.Make(); err != nil {
		return err
	}

	if err := link(name, c.path(key)); err != nil {
		return err
	}

	return syncFile(c.Dir)
}

// Trim removes the oldest files until the remaining files have at most maxBytes in total, or until only files in use
// remain.
func (c DirCache) Trim(maxBytes int64) error {
	files, total, err := c.files()
	if err != nil {
		return err
	}

	return c.remove(files, total-maxBytes)
}

// Free removes the oldest files until it has freed the given number of bytes. It keeps files in use and the files that
// the plan in the parameter but needs.
func (c DirCache) Free(bytes int64, but plan.Plan) error {
	files, _, err := c.files()
	if err != nil {
		return err
	}

	needed := map[string]bool{}

	for _, o := range but.Outputs {
		needed[o.Mix.Key] = true

		for _, v := range o.Mix.Voices() {
			needed[v.StudioKey()] = true
		}

		for _, chunk := range o.Chunks {
			needed[chunk.Key] = true
		}
	}

	return c.remove(slices.DeleteFunc(files, func(f fs.FileInfo) bool {
		key, _, _ := strings.Cut(f.Name(), ".")

		return needed[key]
	}), bytes)
}

// Size returns the total size of the files in bytes.
func (c DirCache) Size() (int64, error) {
	_, total, err := c.files()

	return total, err
}

// beingCopied is the greatest age of a temporary file that is still being copied; an older one was left by a crash.
const beingCopied = time.Hour

// files returns the files of the cache, oldest first, and their total size.
func (c DirCache) files() (files []fs.FileInfo, total int64, err error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}

	if err != nil {
		return nil, 0, fmt.Errorf("list the cache: %w", err)
	}

	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") && time.Since(info.ModTime()) < beingCopied {
			continue
		}

		files = append(files, info)
		total += info.Size()
	}

	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })

	return files, total, nil
}

// remove removes files in order until it has freed the given number of bytes. It skips files that have a second hard
// link, because removing those frees nothing.
func (c DirCache) remove(files []fs.FileInfo, bytes int64) error {
	for _, f := range files {
		if bytes <= 0 {
			break
		}

		if st, ok := f.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
			continue
		}

		if err := os.Remove(c.path(f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("trim the cache: %w", err)
		}

		bytes -= f.Size()
	}

	return nil
}

// link gives a file another name, or copies it where links are impossible. It replaces a file of that name, unless
// another process creates one at the same time, which then has the same content.
func link(from, to string) error {
	_ = os.Remove(to)

	err := os.Link(from, to)

	switch {
	case err == nil, errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return err
	default:
		return copySynced(from, to)
	}
}

// copySynced copies a file so that after a crash the new name holds all of it or does not exist.
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

	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}

	if err != nil {
		_ = os.Remove(out.Name())
	}

	return err
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}

// diskError makes every error of a full disk an ErrDiskFull.
func diskError(err error) error {
	if err == nil || errors.Is(err, ffmpeg.ErrDiskFull) {
		return err
	}

	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("%w: %w", ffmpeg.ErrDiskFull, err)
	}

	return err
}
