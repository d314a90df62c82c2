package stub

import (
	"bytes"
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
		"libatomic", "libc", "libdl", "libgcc_s", "libgomp", "libm", "libmvec", "libpthread", "libresolv", "librt", "libstdc++",
		"libbz2", "liblzma", "libz", "libgme",
	}
}

// Malloc is the part of an environment that has glibc serve FFmpeg well; other systems know none of these names. Few arenas
// keep the address space of many threads within a limit. Pictures are megabytes that would be given back to the system after
// each one, and come anew, cleared and a page at a time: kept, and on huge pages, they cost a render a twentieth less, and a short
// run a quarter, where a virtual machine makes page faults dear.
func Malloc() []string {
	return []string{
		"MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
		"MALLOC_MMAP_THRESHOLD_=33554432", "MALLOC_TRIM_THRESHOLD_=1073741824", "MALLOC_TOP_PAD_=33554432",
	}
}

// Write makes stubs for programs in a folder of its own below parent, and returns it; nil when they load nothing that could
// be left out. keep names the libraries that stay, without what follows from ".so" on. Programs are full paths.
//
// The same stubs have the same folder, so that many processes can share a parent. Others there are removed once they are a
// day old: a program that does not find its stubs loads what the system has.
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

// keptFor is how long the stubs of other processes are kept, which may be in the midst of loading them.
const keptFor = 24 * time.Hour

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

	if err := sweep(parent, folder); err != nil {
		return "", err
	}

	if whole(folder, library, names) {
		now := time.Now()

		return folder, os.Chtimes(folder, now, now)
	}

	draft, err := os.MkdirTemp(parent, ".draft-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(draft) }()

	if err := os.WriteFile(filepath.Join(draft, soname), library, 0o600); err != nil {
		return "", err
	}

	for _, name := range names {
		if err := os.Symlink(soname, filepath.Join(draft, name)); err != nil {
			return "", err
		}
	}

	err = os.Rename(draft, folder)

	switch {
	case !errors.Is(err, fs.ErrExist):
		return folder, err
	case whole(folder, library, names): // somebody was quicker
		return folder, nil
	}

	// What is there and not whole has survived a crash, or was tampered with.
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}

	return folder, os.Rename(draft, folder)
}

// whole reports whether a folder holds the library, its names and nothing else.
func whole(folder string, library []byte, names []string) bool {
	have, err := os.ReadFile(filepath.Join(folder, soname))
	if err != nil || !bytes.Equal(have, library) {
		return false
	}

	for _, name := range names {
		if to, err := os.Readlink(filepath.Join(folder, name)); err != nil || to != soname {
			return false
		}
	}

	entries, err := os.ReadDir(folder)

	return err == nil && len(entries) == len(names)+1
}

// sweep removes what is older than a day, but for one folder. What is gone meanwhile another process has removed.
func sweep(parent, but string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}

	for _, e := range entries {
		path := filepath.Join(parent, e.Name())

		info, err := e.Info()
		if err != nil || path == but || time.Since(info.ModTime()) < keptFor {
			continue
		}

		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}

	return nil
}
