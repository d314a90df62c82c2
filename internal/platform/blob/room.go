package blob

import (
	"fmt"
	"io"
)

// Limit reserves disk space for other programs. A database, for example, stops when it cannot write.
type Limit struct {
	Reserve int64 // bytes that stay free; 0 reserves nothing
	// Free returns how many bytes can still be written in a folder.
	Free func(dir string) (int64, error)
}

// FullError means that the disk has no room for blobs. It wraps ErrNoSpace.
type FullError struct{ Free, Reserve int64 }

// Error returns how much space is free and how much is reserved.
func (e *FullError) Error() string {
	return fmt.Sprintf("only %d MiB of the disk are free; %d MiB are reserved", e.Free>>20, e.Reserve>>20)
}

// Unwrap returns ErrNoSpace.
func (*FullError) Unwrap() error { return ErrNoSpace }

// Keep makes the store refuse writes that would leave less free space than the limit requires. Call it before the
// store is used.
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

// roomReader fails when it reads more than there is room for.
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
