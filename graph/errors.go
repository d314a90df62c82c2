package graph

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/internal/fault"
)

// Classify is the only place where an error gets its public code. What is not foreseen here is a
// server error, whose cause goes to the log alone.
func Classify(err error) *fault.Error {
	if public, ok := fault.As(err); ok {
		return public
	}

	switch {
	case ent.IsNotFound(err), errors.Is(err, schema.ErrForeign):
		return fault.NotFound("resource").Because(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), unreachable(err):
		return fault.Unavailable(time.Second).Because(err)
	default:
		return fault.ServerError(err)
	}
}

// unreachable reports that the database could not be asked, so that nothing was executed.
func unreachable(err error) bool {
	var (
		network  *net.OpError
		postgres *pq.Error
	)

	if errors.As(err, &postgres) {
		// 08 connection, 53 resources, 57P shutdown, 40 serialisation and deadlock: all rolled back.
		class := string(postgres.Code)

		return strings.HasPrefix(class, "08") || strings.HasPrefix(class, "53") ||
			strings.HasPrefix(class, "57P") || strings.HasPrefix(class, "40")
	}

	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.ErrUnexpectedEOF)
}
