package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// growingName is the folder of growing blobs. It is not a valid key, like tempName.
const growingName = ".growing"

// appendChunk is how much of a piece is held in memory and written at once.
const appendChunk = 256 << 10

// growing is the open file of a growing blob. Several goroutines or processes may append to it. Each write
// locks the file only for itself, so a client that reconnects does not wait for its broken connection.
type growing struct {
	*os.File

	dir  *Dir
	key  string
	path string
}

// growingPath returns the path of a growing blob, whether or not it exists; empty for an invalid key.
func (d *Dir) growingPath(key string) string {
	if CheckKey(key) != nil {
		return ""
	}

	return filepath.Join(d.root, growingName, filepath.FromSlash(key))
}

// openGrowing opens what has arrived. The first append creates the file.
func (d *Dir) openGrowing(key string, flag int) (growing, error) {
	path := d.growingPath(key)
	if flag&os.O_CREATE != 0 {
		if err := makeDirs(filepath.Dir(path)); err != nil {
			return growing{}, err
		}
	}

	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return growing{}, absent(err)
	}

	return growing{File: f, dir: d, key: key, path: path}, nil
}

// locked runs fn while the file is locked. It returns ErrOffset when the file no longer belongs to a growing
// blob.
func (g growing) locked(fn func() error) error {
	fd := int(g.Fd())
	if err := flock(fd, syscall.LOCK_EX); err != nil {
		return &fs.PathError{Op: "lock", Path: g.path, Err: err}
	}
	defer func() { _ = flock(fd, syscall.LOCK_UN) }()

	ours, err := g.Stat()
	if err != nil {
		return err
	}

	named, err := os.Stat(g.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(ours, named) {
		return cmp.Or(g.dir.there(), fmt.Errorf("%w: the blob is already complete or was deleted", ErrOffset))
	}

	if err != nil {
		return err
	}

	return fn()
}

// flock waits for the lock and retries after signals.
func flock(fd, how int) error {
	for {
		if err := syscall.Flock(fd, how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// write appends b at offset at, which must be the end, and returns the new end.
func (g growing) write(at int64, b []byte) (int64, error) {
	err := g.locked(func() error {
		st, err := g.Stat()
		if err != nil {
			return err
		}

		if st.Size() != at {
			return fmt.Errorf("%w: it is %d bytes long", ErrOffset, st.Size())
		}

		n, err := g.WriteAt(b, at)
		at += int64(n)

		return err
	})

	return at, err
}

// begin checks that the blob is as long as the offset of its next piece. A complete blob cannot grow.
func (g growing) begin(at int64) error {
	if _, err := g.write(at, nil); err != nil || at > 0 {
		return err
	}

	target, _ := g.dir.Path(g.key)
	switch _, err := stat(target); {
	case err == nil:
		return errors.Join(ErrOffset, g.locked(func() error { return os.Remove(g.path) }))
	case !errors.Is(err, ErrNotFound):
		return err
	}

	return syncDir(filepath.Dir(g.path))
}

// Append implements Store.
func (d *Dir) Append(ctx context.Context, key string, offset int64, r io.Reader) (int64, error) {
	if err := d.begin(ctx, key); err != nil {
		return 0, err
	}

	flag := os.O_RDWR
	if offset == 0 {
		flag |= os.O_CREATE
	}

	g, err := d.openGrowing(key, flag)
	if errors.Is(err, ErrNotFound) {
		err = ErrOffset
	}

	if err != nil {
		return 0, fmt.Errorf("append to %s: %w", short(key), said(err))
	}

	defer func() { _ = g.Close() }()

	at := offset
	if err = g.begin(offset); err == nil {
		at, err = g.take(ctx, offset, r)
	}

	if err := errors.Join(err, g.Sync()); err != nil {
		return at, fmt.Errorf("append to %s: %w", short(key), said(err))
	}

	return at, nil
}

// take appends all that r holds, as it arrives.
func (g growing) take(ctx context.Context, at int64, r io.Reader) (int64, error) {
	in, buf := contextReader{ctx, r}, make([]byte, appendChunk)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			failed := g.dir.Room(int64(n))
			if failed == nil {
				at, failed = g.write(at, buf[:n])
			}

			if failed != nil {
				return at, failed
			}
		}

		if errors.Is(err, io.EOF) {
			return at, context.Cause(ctx)
		}

		if err != nil {
			return at, err
		}
	}
}

// Grown implements Store.
func (d *Dir) Grown(ctx context.Context, key string) (int64, error) {
	if err := d.begin(ctx, key); err != nil {
		return 0, err
	}

	g, err := d.openGrowing(key, os.O_RDONLY)
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}

	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", short(key), said(err))
	}

	defer func() { _ = g.Close() }()

	st, err := g.Stat() // before the sync, which makes at least this much durable
	if err == nil {
		err = g.Sync()
	}

	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", short(key), said(err))
	}

	return st.Size(), nil
}

// OpenGrowing implements Store.
func (d *Dir) OpenGrowing(ctx context.Context, key string) (Object, error) {
	if err := d.begin(ctx, key); err != nil {
		return Object{}, err
	}

	g, err := d.openGrowing(key, os.O_RDONLY)
	if err != nil {
		return Object{}, fmt.Errorf("open %s: %w", short(key), said(err))
	}

	st, err := g.Stat()
	if err != nil {
		_ = g.Close()

		return Object{}, fmt.Errorf("open %s: %w", short(key), said(err))
	}

	return Object{Stat: Stat{Size: st.Size(), ModTime: st.ModTime()}, Content: g.File}, nil
}

// Settle implements Store.
func (d *Dir) Settle(ctx context.Context, key string) (Stat, error) {
	if err := d.begin(ctx, key); err != nil {
		return Stat{}, err
	}

	target, _ := d.Path(key)

	g, err := d.openGrowing(key, os.O_RDWR)
	if err == nil {
		err = g.locked(func() error { return move(g.File, g.path, target) })
		_ = g.Close()
	}

	if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrOffset) {
		return Stat{}, fmt.Errorf("settle %s: %w", short(key), said(err))
	}

	return stat(target)
}

// Regrow implements Store. Both blobs are one file with two names, so it takes no space.
func (d *Dir) Regrow(ctx context.Context, from, key string) error {
	if err := errors.Join(d.begin(ctx, from), CheckKey(key)); err != nil {
		return err
	}

	path := d.growingPath(key)
	old, _ := d.Path(from)

	_, err := stat(path)
	if errors.Is(err, ErrNotFound) {
		if err = makeDirs(filepath.Dir(path)); err == nil {
			err = d.secondName(ctx, old, path)
		}
	}

	if err != nil {
		return fmt.Errorf("reopen the growing blob %s: %w", short(key), absent(err))
	}

	return nil
}

// secondName links a file under another name, or copies it where links are not possible.
func (d *Dir) secondName(ctx context.Context, old, path string) error {
	err := os.Link(old, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		if err = d.copyTo(ctx, old, path); err != nil {
			return err
		}
	}

	return syncDir(filepath.Dir(path))
}

// copyTo copies a file. The copy gets its name when it is complete.
func (d *Dir) copyTo(ctx context.Context, old, path string) error {
	f, err := os.Open(old)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()

	temp, err := d.receive(ctx, f)
	if err != nil {
		return err
	}

	return os.Rename(temp, path)
}

// Join implements Store. It appends each part to the first and then removes the part, so at most one part is
// on disk twice at any time.
func (d *Dir) Join(ctx context.Context, key string, parts []Part) (Stat, error) {
	if err := d.begin(ctx, key); err != nil {
		return Stat{}, err
	}

	target, _ := d.Path(key)

	_, err := stat(target)
	if errors.Is(err, ErrNotFound) {
		if err = d.joinInto(ctx, key, parts); err == nil {
			return d.Settle(ctx, key)
		}
	}

	for _, part := range parts { // a leftover of an earlier join that could not remove it
		err = errors.Join(err, d.forgetUnless(err, part.Key))
	}

	if err != nil {
		return Stat{}, fmt.Errorf("join %s: %w", short(key), said(err))
	}

	return stat(target)
}

// forgetUnless removes a blob unless something failed before.
func (d *Dir) forgetUnless(failed error, key string) error {
	if failed == nil {
		return d.forget(key)
	}

	return nil
}

// joinInto joins parts into a growing blob.
func (d *Dir) joinInto(ctx context.Context, key string, parts []Part) error {
	path := d.growingPath(key)
	if _, err := stat(path); errors.Is(err, ErrNotFound) && len(parts) > 0 {
		first := d.growingPath(parts[0].Key)

		if err := makeDirs(filepath.Dir(path)); err != nil {
			return err
		}

		if err := os.Rename(first, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}

		if err := syncDir(filepath.Dir(path)); err != nil {
			return err
		}
	}

	g, err := d.openGrowing(key, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}

	defer func() { _ = g.Close() }()

	return g.locked(func() error {
		at := int64(0)

		for i, part := range parts {
			if i > 0 {
				if err := g.add(ctx, at, part); err != nil {
					return err
				}
			}

			at += part.Size
		}

		st, err := g.Stat()
		if err == nil && st.Size() != at {
			err = fmt.Errorf("%w: only %d of %d bytes have arrived", ErrNotFound, st.Size(), at)
		}

		return err
	})
}

// add appends a part, which starts at offset at, and removes it. An earlier attempt may have stopped anywhere
// within it, so the part is written again. A part that is gone was added before.
func (g growing) add(ctx context.Context, at int64, part Part) error {
	p, err := g.dir.openGrowing(part.Key, os.O_RDONLY)
	if errors.Is(err, ErrNotFound) {
		return nil
	}

	if err != nil {
		return err
	}

	defer func() { _ = p.Close() }()

	if err := g.Truncate(at); err != nil {
		return err
	}

	if _, err := g.Seek(at, io.SeekStart); err != nil {
		return err
	}

	if _, err := io.Copy(g.File, roomReader{g.dir, contextReader{ctx, p}}); err != nil {
		return err
	}

	if err := g.Sync(); err != nil {
		return err
	}

	return g.dir.forget(part.Key)
}

// forget removes a growing blob if it exists.
func (d *Dir) forget(key string) error {
	g, err := d.openGrowing(key, os.O_RDWR)
	if errors.Is(err, ErrNotFound) {
		return nil
	}

	if err != nil {
		return err
	}

	defer func() { _ = g.Close() }()

	err = g.locked(func() error { return errors.Join(os.Remove(g.path), syncDir(filepath.Dir(g.path))) })
	if errors.Is(err, ErrOffset) {
		return nil
	}

	return err
}
