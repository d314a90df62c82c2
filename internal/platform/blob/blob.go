// Package blob stores the bytes of sources, exports and stills. The interface Store has two implementations: a folder
// and an S3-compatible object store. A Signer signs the addresses from which clients get the bytes.
//
// A blob is written once, under a random key. Once a blob is visible, it is complete and survives a power failure.
// Keys stay inside the server; clients see signed addresses.
package blob

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	// ErrNotFound means that no blob has the key.
	ErrNotFound = errors.New("blob not found")
	// ErrUnavailable means that the store could not be reached or failed. The state of the blob is unknown,
	// and a later attempt may succeed. It is never returned for a failing reader or a canceled context.
	ErrUnavailable = errors.New("the blob storage is unavailable")
	// ErrNoSpace means that the disk has no room for the blob. No part of the blob was kept.
	ErrNoSpace = errors.New("no space left for the blob")
	// ErrOffset means that the offset of an appended piece is not the current length of the growing blob.
	ErrOffset = errors.New("the offset differs from the length of the growing blob")
	// ErrBadKey means that a key does not have the format of NewKey.
	ErrBadKey = errors.New("malformed blob key")
)

// Stat describes a blob without reading it.
type Stat struct {
	Size    int64
	ModTime time.Time // when it was put
}

// Part identifies a growing blob that has arrived completely. It will be joined with other parts to one blob.
type Part struct {
	Key  string
	Size int64
}

// Object is an open blob. Content can be passed to http.ServeContent. The caller closes the object.
type Object struct {
	Stat
	Content io.ReadSeekCloser
}

// Store keeps blobs. It is safe for use by many goroutines and processes. Every method returns ErrBadKey if the key
// is malformed, the context's cause if the context is canceled, and ErrUnavailable if the store fails.
type Store interface { //nolint:interfacebloat // a folder and an object store both do all of this, and no caller uses all of it
	// Put stores everything that it reads from r, and replaces an earlier blob with the same key. The blob becomes
	// visible when Put returns nil. When r or the store fails, or ctx is canceled, no part of the new blob is kept
	// and the earlier blob stays. Put returns ErrNoSpace when there is no room.
	Put(ctx context.Context, key string, r io.Reader) (Stat, error)

	// PutFile is like Put, for a local file. It moves the file if it can, and otherwise copies and removes it. When
	// it returns nil, the file is no longer at its path; after an error it is still there.
	PutFile(ctx context.Context, key, path string) (Stat, error)

	// Open opens a blob. It returns ErrNotFound when there is none.
	Open(ctx context.Context, key string) (Object, error)

	// Stat describes a blob. It returns ErrNotFound when there is none.
	Stat(ctx context.Context, key string) (Stat, error)

	// Path returns the blob's path as a local file, for programs that read files. It returns false when the
	// store has no local files; use Local then. It does not check that the blob exists. Do not write to the
	// file.
	Path(key string) (string, bool)

	// Append adds everything that it reads from r to the end of a growing blob, which must be offset bytes long. It
	// returns ErrOffset when the blob has another length or is complete. The first offset is 0. A growing blob is
	// not visible as a blob yet. Of several appends at one offset, only the first succeeds. Append returns the new
	// length, which survives a crash. If r fails, ctx is canceled or there is no more room, the bytes that arrived
	// before are kept.
	Append(ctx context.Context, key string, offset int64, r io.Reader) (int64, error)

	// Grown returns how many bytes of a growing blob are stored durably; 0 when there is none.
	Grown(ctx context.Context, key string) (int64, error)

	// OpenGrowing opens the bytes of a growing blob that have arrived. It returns ErrNotFound when there are none.
	OpenGrowing(ctx context.Context, key string) (Object, error)

	// Settle turns a growing blob into the blob with the same key. It returns nil when that blob exists already, and
	// ErrNotFound when neither exists. Appends that are still running return ErrOffset.
	Settle(ctx context.Context, key string) (Stat, error)

	// Regrow starts a growing blob with the content of the blob from, which stays. It does nothing when the growing
	// blob exists already. Readers of from may also read bytes that are appended later.
	Regrow(ctx context.Context, from, key string) error

	// Join concatenates several complete growing blobs, in the order of parts, to one growing blob, and removes the
	// parts. After an interruption, calling it again continues.
	Join(ctx context.Context, key string, parts []Part) (Stat, error)

	// Room returns ErrNoSpace when there is no room for that many more bytes. It does not reserve the room.
	Room(bytes int64) error

	// Delete removes the blob, growing or not. It returns nil when there is none.
	Delete(ctx context.Context, key string) error

	// Sweep removes temporary data of dead processes that began writing before the given time. It removes no
	// blob, growing or not.
	Sweep(ctx context.Context, before time.Time) error
}

// supported lists the forms of REELGRAPH_BLOB.
const supported = "supported: file:///folder and s3://bucket?endpoint=https://host"

// Open returns the store at rawURL, the value of the setting REELGRAPH_BLOB. A file URL gives a Dir, and an s3 URL
// gives an S3: see OpenDir and OpenS3.
func Open(ctx context.Context, rawURL string) (Store, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("blob storage: REELGRAPH_BLOB is not a valid URL") // the parse error may quote a secret
	}

	switch {
	case u.Scheme == "s3":
		return OpenS3(ctx, u)
	case u.Scheme == "":
		return nil, errors.New("blob storage: REELGRAPH_BLOB has no scheme; " + supported)
	case u.Scheme != "file":
		return nil, fmt.Errorf("blob storage: the scheme %q is not supported; %s", u.Scheme, supported)
	case u.Host != "" || u.RawQuery != "" || u.Fragment != "" || !filepath.IsAbs(u.Path):
		return nil, errors.New("blob storage: file:// needs an absolute local folder: file:///folder")
	}

	return OpenDir(u.Path)
}

// keyEncoding uses only letters and digits that no file system or URL treats specially.
var keyEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewKey creates a random key. The area, such as "sources", separates kinds of blobs. The extension, such as
// ".mp4", may be empty; it helps people who look at the files. Both must consist of small letters and digits.
func NewKey(area, extension string) (string, error) {
	var random [16]byte

	_, _ = rand.Read(random[:]) // never fails: crypto/rand aborts the program instead
	name := keyEncoding.EncodeToString(random[:])
	key := area + "/" + name[:2] + "/" + name[2:] + extension

	return key, CheckKey(key)
}

// madeKey matches the keys that NewKey creates.
var madeKey = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]{2}/[a-z0-9]{24}(\.[a-z0-9]+)?$`)

var keyShape = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*(\.[a-z0-9]+)?$`)

// CheckKey returns ErrBadKey unless the key is a relative path of lower-case letters, digits, - and _. A key may have
// one extension and at most 200 bytes. Such a key is safe on every file system and cannot leave the store.
func CheckKey(key string) error {
	if len(key) > 200 || !keyShape.MatchString(key) {
		return fmt.Errorf("%w: %.200q", ErrBadKey, key)
	}

	return nil
}

// Exists reports whether the store has a blob with this key.
func Exists(ctx context.Context, s Store, key string) (bool, error) {
	_, err := s.Stat(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}

	return err == nil, err
}

// Local returns a blob as a local file, for programs that read files. If the store keeps the blob in a file, path is
// this file; otherwise it is a copy in dir. Do not write to it. If err is nil, the caller must call release exactly
// once, and must not use the file after that.
func Local(ctx context.Context, s Store, key, dir string) (path string, release func(), err error) {
	if path, ok := s.Path(key); ok {
		if _, err := s.Stat(ctx, key); err != nil {
			return "", nil, err
		}

		return path, func() {}, nil
	}

	o, err := s.Open(ctx, key)
	if err != nil {
		return "", nil, err
	}

	return copied(ctx, o, key, dir)
}

// LocalGrowing is like Local, for a growing blob: the file contains the bytes that have arrived. If it is the store's
// own file, it keeps growing while the caller reads it.
func LocalGrowing(ctx context.Context, s Store, key, dir string) (path string, release func(), err error) {
	o, err := s.OpenGrowing(ctx, key)
	if err != nil {
		return "", nil, err
	}

	if d, ok := s.(interface {
		growingPath(key string) string
	}); ok {
		path := d.growingPath(key)

		return path, func() {}, o.Content.Close()
	}

	return copied(ctx, o, key, dir)
}

// copied writes an open blob to a file in dir and closes the blob.
func copied(ctx context.Context, o Object, key, dir string) (path string, release func(), err error) {
	defer func() { _ = o.Content.Close() }()

	f, err := os.CreateTemp(dir, "blob-*"+filepath.Ext(key))
	if err != nil {
		return "", nil, fmt.Errorf("copy blob %s: %w", key, said(err))
	}

	release = func() { _ = os.Remove(f.Name()) }

	_, err = io.Copy(f, contextReader{ctx, o.Content})
	if err := errors.Join(err, f.Close()); err != nil {
		release()

		return "", nil, fmt.Errorf("copy blob %s: %w", key, said(err))
	}

	return f.Name(), release, nil
}

// spoken reports whether an error is already one of this package.
func spoken(err error) bool {
	return slices.ContainsFunc([]error{ErrNotFound, ErrUnavailable, ErrNoSpace, ErrOffset, ErrBadKey}, func(ours error) bool {
		return errors.Is(err, ours)
	})
}

// contextReader fails once its context is canceled.
type contextReader struct {
	ctx context.Context //nolint:containedctx // it lives for one copy
	r   io.Reader
}

// Read reads from the underlying reader. If the context is canceled, it returns the cause.
func (c contextReader) Read(b []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}

	return c.r.Read(b)
}

// short removes keys from messages that a client might see.
func short(key string) string {
	area, _, _ := strings.Cut(key, "/")

	return area + "/…"
}
