// Package blob keeps the bytes of sources, exports and stills, behind an interface that a folder and
// an object store can both serve, and signs the addresses under which they are handed out.
//
// A blob is written once under a key that says nothing about it, is complete from the moment it can
// be seen, and lasts from then on, also when the power fails. Keys stay inside the server: what a
// client sees is a signed address.
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
	// ErrNotFound says that there is no blob under the key.
	ErrNotFound = errors.New("blob not found")
	// ErrUnavailable says that the store could not be asked, or could not do it: nothing is known of the
	// blob, and a later attempt may do. How a reader or a context ends is never it.
	ErrUnavailable = errors.New("the blob storage is unavailable")
	// ErrNoSpace says that there is no room for the blob. Nothing of it was kept.
	ErrNoSpace = errors.New("no space left for the blob")
	// ErrOffset says that a growing blob is not as long as its next piece expects.
	ErrOffset = errors.New("the growing blob ends elsewhere")
	// ErrBadKey says that a key is not of the shape that NewKey makes.
	ErrBadKey = errors.New("not a blob key")
)

// Stat is what is known of a blob without reading it.
type Stat struct {
	Size    int64
	ModTime time.Time // when it was put
}

// Part is a growing blob of which all has arrived, to be joined with others.
type Part struct {
	Key  string
	Size int64
}

// Object is an open blob. Content serves http.ServeContent as it is; whoever opened it closes it.
type Object struct {
	Stat
	Content io.ReadSeekCloser
}

// Store keeps blobs. It is safe for use by many goroutines and processes. Every method refuses a
// malformed key with ErrBadKey, and a done context with its cause, and returns ErrUnavailable when the
// store fails.
type Store interface { //nolint:interfacebloat // what a folder and an object store both do, and no caller does without
	// Put stores all that r holds, in place of what was under the key before. Until it returns nil
	// nobody sees any of it; when r or the store fails, or ctx is done, nothing of it is kept and
	// what was there before stays. It returns ErrNoSpace when there is no room.
	Put(ctx context.Context, key string, r io.Reader) (Stat, error)

	// PutFile is Put for a local file, which it takes over: when it returns nil the file is gone from
	// its path, and otherwise it is still there. Where it can, it moves the file and copies nothing.
	PutFile(ctx context.Context, key, path string) (Stat, error)

	// Open returns ErrNotFound when there is no blob.
	Open(ctx context.Context, key string) (Object, error)

	// Stat returns ErrNotFound when there is no blob.
	Stat(ctx context.Context, key string) (Stat, error)

	// Path returns where the blob is as a local file, for programs that read files, and false when the
	// store has no local files: see Local. It does not say that the blob exists. The file is only to
	// be read.
	Path(key string) (string, bool)

	// Append keeps what r holds at the end of a growing blob, which must be offset bytes long: ErrOffset
	// says that it is not, or is complete. It begins with offset 0. A growing blob is no blob yet, and
	// of several that append at one offset the first goes on. Append returns how long the growing blob
	// is then, which outlasts a crash; what had arrived when r failed, or ctx ended, or there was no
	// room, is kept.
	Append(ctx context.Context, key string, offset int64, r io.Reader) (int64, error)

	// Grown returns how many bytes of a growing blob have arrived for good; 0 when there is none.
	Grown(ctx context.Context, key string) (int64, error)

	// OpenGrowing opens what has arrived of a growing blob. It returns ErrNotFound when nothing has.
	OpenGrowing(ctx context.Context, key string) (Object, error)

	// Settle makes a growing blob the blob under its key. When it is one already, that is no error; it
	// returns ErrNotFound when there is neither. Who is still appending gets ErrOffset.
	Settle(ctx context.Context, key string) (Stat, error)

	// Regrow makes a growing blob that begins with all of another blob, which stays, unless it has begun to grow
	// already. What is appended to it may be seen at the end of the other.
	Regrow(ctx context.Context, from, key string) error

	// Join makes one blob of what has arrived of growing ones, in their order, and removes those. It may be repeated,
	// and goes on where it ended.
	Join(ctx context.Context, key string, parts []Part) (Stat, error)

	// Room returns ErrNoSpace when there is no room for so many more bytes. That there is does not keep it free.
	Room(bytes int64) error

	// Delete removes the blob, growing or not. It is no error when there is none.
	Delete(ctx context.Context, key string) error

	// Sweep removes what processes that died have left of blobs which they began to put before then. It
	// removes no blob, growing or not.
	Sweep(ctx context.Context, before time.Time) error
}

// supported is what REELGRAPH_BLOB may be.
const supported = "supported: file:///folder and s3://bucket?endpoint=https://host"

// Open returns the store that a URL names, the setting REELGRAPH_BLOB: see OpenDir and OpenS3.
func Open(ctx context.Context, rawURL string) (Store, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("blob storage: the setting is not a URL") // it may hold a secret
	}
	switch {
	case u.Scheme == "s3":
		return OpenS3(ctx, u)
	case u.Scheme == "":
		return nil, errors.New("blob storage has no scheme; " + supported)
	case u.Scheme != "file":
		return nil, fmt.Errorf("blob storage: the scheme %q is not supported; %s", u.Scheme, supported)
	case u.Host != "" || u.RawQuery != "" || u.Fragment != "" || !filepath.IsAbs(u.Path):
		return nil, errors.New("blob storage must name an absolute local folder: file:///folder")
	}
	return OpenDir(u.Path)
}

// keyEncoding gives letters and digits that no file system or URL treats specially.
var keyEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewKey makes a key that nobody can guess. The area, such as "sources", keeps kinds of blobs apart;
// the extension, such as ".mp4", may be empty and helps who looks at the files. Both must be made of
// small letters and digits.
func NewKey(area, extension string) (string, error) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	name := keyEncoding.EncodeToString(random[:])
	key := area + "/" + name[:2] + "/" + name[2:] + extension
	return key, CheckKey(key)
}

// madeKey is the shape of what NewKey makes.
var madeKey = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]{2}/[a-z0-9]{24}(\.[a-z0-9]+)?$`)

var keyShape = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*(\.[a-z0-9]+)?$`)

// CheckKey returns ErrBadKey unless a key is a relative path of small letters, digits, - and _, with
// at most one extension, of at most 200 bytes: safe on every file system, and unable to leave the
// store.
func CheckKey(key string) error {
	if len(key) > 200 || !keyShape.MatchString(key) {
		return fmt.Errorf("%w: %.200q", ErrBadKey, key)
	}
	return nil
}

// Exists reports whether there is a blob under the key.
func Exists(ctx context.Context, s Store, key string) (bool, error) {
	_, err := s.Stat(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Local returns a blob as a local file, for programs that read files: the store's own when it has
// one, else a copy in dir. The file is only to be read, and only until release is called, which must
// happen once when err is nil.
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

// LocalGrowing is Local for what has arrived of a growing blob. The store's own file goes on growing
// while it is read.
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

// copied writes an open blob into a file in dir, and closes it.
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

// spoken reports that an error is in our words already.
func spoken(err error) bool {
	return slices.ContainsFunc([]error{ErrNotFound, ErrUnavailable, ErrNoSpace, ErrOffset, ErrBadKey}, func(ours error) bool {
		return errors.Is(err, ours)
	})
}

// contextReader fails once its context is done.
type contextReader struct {
	ctx context.Context //nolint:containedctx // it lives for one copy
	r   io.Reader
}

// Read reads, or returns the cause of the context's end.
func (c contextReader) Read(b []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// short keeps keys out of messages that a client might see.
func short(key string) string {
	area, _, _ := strings.Cut(key, "/")
	return area + "/…"
}
