package blob

import (
	"fmt"
	"io"
)

// Limit keeps a part of a disk free of blobs, for others that need it: a database that finds no room to write stops.
type Limit struct {
	Reserve int64 // bytes that stay free; 0 keeps none
	// Free is how many bytes can still be written where a folder is.
	Free func(dir string) (int64, error)
}

// FullError says that the disk has no room for blobs. It is ErrNoSpace.
type FullError struct{ Free, Reserve int64 }

// Error says how much there is.
func (e *FullError) Error() string {
	return fmt.Sprintf("%d MiB of the disk are free, and %d MiB are reserved", e.Free>>20, e.Reserve>>20)
}

// Unwrap says what kind of fault it is.
func (*FullError) Unwrap() error { return ErrNoSpace }

// Keep has the store refuse what would leave less of its disk than the limit says. It is called before the store is used.
func (d *Dir) Keep(l Limit) { d.limit = l }

// Room implements Store.
func (d *Dir) Room(bytes int64) error {
	if d.limit.Reserve == 0 {
		return nil
	}
	free, err := d.limit.Free(d.root)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if free-bytes < d.limit.Reserve {
		return &FullError{Free: free, Reserve: d.limit.Reserve}
	}
	return nil
}

// roomReader fails before more is read than there is room for.
type roomReader struct {
	d *Dir
	r io.Reader
}

// Read implements io.Reader.
func (r roomReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if full := r.d.Room(int64(n)); n > 0 && full != nil {
		return 0, full
	}
	return n, err
}
