package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Dir keeps blobs as files of a folder. Several processes may share the folder.
type Dir struct {
	root string
	temp string // holds unfinished files; on the same file system, so that a rename can move them

	limit Limit
}

// tempName is not a valid key, because of its dot, so no blob can be there.
const tempName = ".incoming"

// OpenDir returns a store that keeps its blobs in the folder root. It creates the folder if needed.
func OpenDir(root string) (*Dir, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("blob storage: %w", err)
	}

	d := &Dir{root: root, temp: filepath.Join(root, tempName)}
	if err := makeDirs(d.temp); err != nil {
		return nil, fmt.Errorf("blob storage: %w", err)
	}

	return d, nil
}

// Sweep implements Store. It keeps recently modified files, which may still be written to.
func (d *Dir) Sweep(ctx context.Context, before time.Time) error {
	entries, err := os.ReadDir(d.temp)
	if err != nil {
		return fmt.Errorf("sweep: %w", said(err))
	}

	for _, e := range entries {
		if err := context.Cause(ctx); err != nil {
			return err
		}

		st, err := e.Info()
		if err != nil || !st.ModTime().Before(before) {
			continue
		}

		if err := os.Remove(filepath.Join(d.temp, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sweep: %w", said(err))
		}
	}

	return nil
}

// Path returns the path of the file for the key. It always returns true.
func (d *Dir) Path(key string) (string, bool) {
	if CheckKey(key) != nil {
		return "", false
	}

	return filepath.Join(d.root, filepath.FromSlash(key)), true
}

// Put implements Store.
func (d *Dir) Put(ctx context.Context, key string, r io.Reader) (Stat, error) {
	if err := d.begin(ctx, key); err != nil {
		return Stat{}, err
	}

	temp, err := d.receive(ctx, r)
	if err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	return d.settle(key, temp)
}

// PutFile implements Store. It copies a file that is on another file system.
func (d *Dir) PutFile(ctx context.Context, key, path string) (Stat, error) {
	if err := d.begin(ctx, key); err != nil {
		return Stat{}, err
	}

	f, err := os.Open(path)
	if err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), err)
	}

	defer func() { _ = f.Close() }()

	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return Stat{}, errors.Join(fmt.Errorf("put %s: not a regular file", short(key)), said(err))
	}

	target, _ := d.Path(key)
	if err := move(f, path, target); err == nil {
		return stat(target)
	} else if !errors.Is(err, syscall.EXDEV) {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	temp, err := d.receive(ctx, f)
	if err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	st, err := d.settle(key, temp)
	if err != nil {
		return Stat{}, err
	}

	if err := os.Remove(path); err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	return st, nil
}

// move syncs a file and renames it into place. The blob's time is the time of the move.
func move(f *os.File, from, to string) error {
	if err := f.Sync(); err != nil {
		return err
	}

	if err := makeDirs(filepath.Dir(to)); err != nil {
		return err
	}

	now := time.Now()
	if err := errors.Join(os.Chtimes(from, now, now), os.Chmod(from, 0o600)); err != nil {
		return err
	}

	if err := os.Rename(from, to); err != nil {
		return err
	}

	return syncDir(filepath.Dir(to))
}

// receive writes a complete, synced temporary file, or leaves none behind.
func (d *Dir) receive(ctx context.Context, r io.Reader) (string, error) {
	f, err := os.CreateTemp(d.temp, "*")
	if err != nil {
		return "", err
	}

	_, err = io.Copy(f, roomReader{d, contextReader{ctx, r}})
	if err == nil {
		err = context.Cause(ctx)
	}

	if err == nil {
		err = f.Sync()
	}

	if err := errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())

		return "", err
	}

	return f.Name(), nil
}

// settle renames a temporary file into place, or removes it.
func (d *Dir) settle(key, temp string) (Stat, error) {
	target, _ := d.Path(key)

	err := makeDirs(filepath.Dir(target))
	if err == nil {
		err = os.Rename(temp, target)
	}

	if err != nil {
		_ = os.Remove(temp)

		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	if err := syncDir(filepath.Dir(target)); err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	return stat(target)
}

// Open implements Store.
func (d *Dir) Open(ctx context.Context, key string) (Object, error) {
	if err := d.begin(ctx, key); err != nil {
		return Object{}, err
	}

	path, _ := d.Path(key)

	f, err := os.Open(path)
	if err != nil {
		return Object{}, fmt.Errorf("open %s: %w", short(key), absent(err))
	}

	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = ErrNotFound
	}

	if err != nil {
		_ = f.Close()

		return Object{}, fmt.Errorf("open %s: %w", short(key), said(err))
	}

	return Object{Stat: Stat{Size: st.Size(), ModTime: st.ModTime()}, Content: f}, nil
}

// Stat implements Store.
func (d *Dir) Stat(ctx context.Context, key string) (Stat, error) {
	if err := d.begin(ctx, key); err != nil {
		return Stat{}, err
	}

	path, _ := d.Path(key)

	return stat(path)
}

// Delete implements Store.
func (d *Dir) Delete(ctx context.Context, key string) error {
	if err := d.begin(ctx, key); err != nil {
		return err
	}

	if err := d.forget(key); err != nil {
		return fmt.Errorf("delete %s: %w", short(key), said(err))
	}

	path, _ := d.Path(key)
	if _, err := stat(path); errors.Is(err, ErrNotFound) {
		return nil
	}

	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err == nil {
		err = syncDir(filepath.Dir(path))
	}

	if err != nil {
		return fmt.Errorf("delete %s: %w", short(key), said(err))
	}

	return nil
}

// begin checks the key and the context. Every method calls it first.
func begin(ctx context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}

	return context.Cause(ctx)
}

// begin checks the key, the context and the folder. Every method of a folder calls it first. A folder without
// its temporary folder is probably the mount point of a volume that is not mounted. Reading there would
// report blobs as lost, and what is written there would be lost.
func (d *Dir) begin(ctx context.Context, key string) error {
	if err := begin(ctx, key); err != nil {
		return err
	}

	return d.there()
}

// there returns ErrUnavailable unless the folder is the store's own.
func (d *Dir) there() error {
	if _, err := os.Stat(d.temp); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}

	return nil
}

func stat(path string) (Stat, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Stat{}, absent(err)
	}

	if !st.Mode().IsRegular() {
		return Stat{}, ErrNotFound
	}

	return Stat{Size: st.Size(), ModTime: st.ModTime()}, nil
}

// absent turns the system's "not found" errors into ErrNotFound. ENOTDIR means that a part of the path is a
// blob.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	}

	return said(err)
}

// said turns file errors of the system into errors of this package. Errors of the reader, such as a reset
// connection, stay as they are.
func said(err error) error {
	var (
		file *fs.PathError
		link *os.LinkError
	)

	if spoken(err) {
		return err
	}

	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return fmt.Errorf("%w: %w", ErrNoSpace, err)
		}
	}

	if errors.As(err, &file) || errors.As(err, &link) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}

	return err
}

// makeDirs is os.MkdirAll whose new folders survive a power failure: it syncs each into its parent.
func makeDirs(path string) error {
	if st, err := os.Stat(path); err == nil {
		if !st.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
		}

		return nil
	}

	parent := filepath.Dir(path)
	if err := makeDirs(parent); err != nil {
		return err
	}

	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}

	return syncDir(parent)
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}

	return errors.Join(d.Sync(), d.Close())
}
