package graph

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// fullDisk is the Retry-After when the storage is full.
const fullDisk = time.Minute

// Classify returns the public error for an error. It is the only place that assigns error codes. An unknown error
// becomes server_error, and its cause appears only in the log.
func Classify(err error) *fault.Error {
	if public, ok := fault.As(err); ok {
		return public
	}

	switch {
	case ent.IsNotFound(err), errors.Is(err, schema.ErrForeign):
		return fault.NotFound("resource").Because(err)
	case errors.Is(err, blob.ErrNoSpace):
		return noSpace(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, blob.ErrUnavailable), unreachable(err):
		return fault.Unavailable(time.Second).Because(err)
	default:
		return fault.ServerError(err)
	}
}

// noSpace returns the error for a full disk, with the amount that the database keeps in reserve.
func noSpace(err error) *fault.Error {
	public := fault.Unavailable(fullDisk).Because(err)

	if full, ok := errors.AsType[*blob.FullError](err); ok {
		public = public.Saying(fmt.Sprintf("There is no space left for media: %s for the database (REELGRAPH_DISK_RESERVE). "+
			"Uploaded bytes are kept. Continue when there is more space.", full))
	}

	return public
}

// unreachable reports whether the database could not be reached, so that nothing was executed.
func unreachable(err error) bool {
	var (
		network  *net.OpError
		postgres *pq.Error
	)

	if errors.As(err, &postgres) {
		// SQLSTATE classes: 08 connection, 53 resources (also a full disk), 57 shutdown and cancellation, 40
		// serialization and deadlock, 58 system error, 25006 read-only, 55P03 lock timeout. In all of them the
		// transaction was rolled back.
		code := string(postgres.Code)

		return slices.ContainsFunc([]string{"08", "53", "57", "40", "58", "25006", "55P03"}, func(prefix string) bool {
			return strings.HasPrefix(code, prefix)
		})
	}

	for _, gone := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, syscall.EPIPE, syscall.ECONNRESET} {
		if errors.Is(err, gone) {
			return true
		}
	}

	return errors.As(err, &network)
}
