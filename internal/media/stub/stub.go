package stub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Libraries is a folder of stubs. Nil is none.
type Libraries struct {
	folder string
	users  []file
}

// file is one as it was when the stubs were made for it.
type file struct {
	path     string
	size     int64
	modified time.Time
}

// FFmpeg names the libraries of FFmpeg itself, those of C and C++, what unpacks, and one that it asks about every file whose
// format nobody tells it (gme). None of its programs works without them.
func FFmpeg() []string {
	return []string{
		"libavcodec", "libavdevice", "libavfilter", "libavformat", "libavutil", "libpostproc", "libswresample", "libswscale",
		"libc", "libgcc_s", "libm", "libpthread", "libstdc++", "libbz2", "liblzma", "libz", "libgme",
	}
}

// Write makes stubs for programs in a folder of its own below parent, and returns it; nil when they load nothing that could
// be left out. keep names the libraries that stay, without what follows from ".so" on. Programs are full paths.
//
// The same stubs have the same folder, so that many processes can share a parent. Others there are removed: a program that
// does not find its stubs loads what the system has.
func Write(ctx context.Context, parent string, keep []string, programs ...string) (*Libraries, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, fmt.Errorf("find the folder of stubs: %w", err)
	}

	if strings.ContainsAny(parent, ":;$") {
		return nil, fmt.Errorf("stubs in %s: the loader cannot be told of a folder with a colon, a semicolon or a dollar in its name", parent)
	}

	linked, err := link(ctx, keep, programs)
	if err != nil {
		return nil, fmt.Errorf("read which libraries are loaded: %w", err)
	}

	if len(linked.left) == 0 {
		return nil, nil //nolint:nilnil // nil is no stubs
	}

	code, ok := returnZero(linked.machine)
	if !ok {
		return nil, fmt.Errorf("stubs for %v: %w", linked.machine, errors.ErrUnsupported)
	}

	l := &Libraries{users: linked.users}
	if l.folder, err = save(parent, library(linked.machine, code, linked.symbols), linked.left); err != nil {
		return nil, fmt.Errorf("write stubs: %w", err)
	}

	return l, nil
}

// Path is what LD_LIBRARY_PATH has to be. It is empty when a program, or a library that it keeps, is another one by now: it
// could need a name that the stubs have not, and would not start.
func (l *Libraries) Path() string {
	if l == nil {
		return ""
	}

	for _, f := range l.users {
		if now, err := look(f.path); err != nil || now != f {
			return ""
		}
	}

	return l.folder
}

func look(path string) (file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return file{}, err
	}

	return file{path, info.Size(), info.ModTime()}, nil
}

// stem is the name of a library without what follows from ".so" on.
func stem(name string) string {
	before, _, _ := strings.Cut(name, ".so")

	return before
}

// save writes a library once and all the names that it has to be found by. The loader knows a file again by its inode, so
// that it is loaded once.
func save(parent string, library []byte, names []string) (string, error) {
	sum := sha256.New()
	sum.Write(library)
	fmt.Fprint(sum, names)
	folder := filepath.Join(parent, hex.EncodeToString(sum.Sum(nil)[:12]))

	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}

	if err := removeAllBut(folder); err != nil {
		return "", err
	}

	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}

	draft, err := os.MkdirTemp(parent, ".draft-*")
	if err != nil {
		return "", err
	}

	if err := os.WriteFile(filepath.Join(draft, soname), library, 0o600); err != nil {
		return "", err
	}

	for _, name := range names {
		if err := os.Symlink(soname, filepath.Join(draft, name)); err != nil {
			return "", err
		}
	}

	// Whoever was quicker has written the same.
	if err := os.Rename(draft, folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}

	return folder, os.RemoveAll(draft)
}

// removeAllBut removes what stands beside a folder, but for drafts, which may be in the making.
func removeAllBut(folder string) error {
	entries, err := os.ReadDir(filepath.Dir(folder))
	if err != nil {
		return err
	}

	for _, e := range entries {
		path := filepath.Join(filepath.Dir(folder), e.Name())
		if path == folder || strings.HasPrefix(e.Name(), ".") {
			continue
		}

		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}

	return nil
}
