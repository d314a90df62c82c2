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

// Cache keeps finished pieces of work under keys that name their content. It may be shared by any
// number of renders and processes, and lose any file at any time.
type Cache interface {
	// Get gives a finished file a name of the caller's, who has it from then on, to read. False is that there is none, or
	// that the context is done.
	Get(ctx context.Context, key, name string) bool
	// Put keeps a finished MP4 file, which stays where it is and which nobody changes any more. What was put survives a
	// crash of the machine, or is not there at all.
	Put(ctx context.Context, key, name string) error
}

// DirCache is a Cache in one folder, which is made when the first file is put into it, or before. Its files have other names
// elsewhere as long as somebody works with them, and are not removed then; on file systems without such links, and between
// two, they are copied. A file is sealed when it is put, and one that was damaged since then is not given: what is made instead takes
// its place.
type DirCache struct {
	Dir string
	// Logger hears of files that are there and cannot be used; nil: nobody does.
	Logger *slog.Logger
}

// Make makes the folder, which tells early where there can be none.
func (c DirCache) Make() error {
	if err := os.MkdirAll(c.Dir, 0o750); err != nil {
		return fmt.Errorf("create the cache folder: %w", err)
	}

	return nil
}

func (c DirCache) path(key string) string { return filepath.Join(c.Dir, key) }

// Has reports whether there is a finished file.
func (c DirCache) Has(key string) bool {
	info, err := os.Stat(c.path(key))

	return err == nil && info.Mode().IsRegular()
}

// Get implements Cache. A file that cannot be had, for whatever reason, is not there. It is read as a whole.
func (c DirCache) Get(ctx context.Context, key, name string) bool {
	if !c.Has(key) || link(c.path(key), name) != nil {
		return false
	}

	err := checkSealed(ctx, name, key)
	if err == nil {
		return true
	}

	_ = os.Remove(name) // what is made under this name must not be written into a file that others may have

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

// Trim removes the oldest files until the rest has at most maxBytes, or none is left but those that somebody works with.
func (c DirCache) Trim(maxBytes int64) error {
	files, total, err := c.files()
	if err != nil {
		return err
	}

	return c.remove(files, total-maxBytes)
}

// Free removes the oldest files until so many bytes went, or none is left but those of the plan and those that somebody
// works with.
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

// Size is how many bytes the files have.
func (c DirCache) Size() (int64, error) {
	_, total, err := c.files()

	return total, err
}

// beingCopied is how old a file that is being copied may be; one that is older was left behind by a crash.
const beingCopied = time.Hour

// files are those of the cache, the oldest first.
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

// remove removes files, the first ones first, until so many bytes went. To remove one that has another name would free nothing.
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

// link gives a file another name, or makes a copy of that name where it cannot have two. What had the name is gone, unless
// somebody else gives it at the same time, who then means the same.
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

// copySynced copies a file so that, whatever happens, the new name holds all of it or does not exist.
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

// diskError makes a full disk recognisable as ErrDiskFull, whoever met it.
func diskError(err error) error {
	if err == nil || errors.Is(err, ffmpeg.ErrDiskFull) {
		return err
	}

	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("%w: %w", ffmpeg.ErrDiskFull, err)
	}

	return err
}
