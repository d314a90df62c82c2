package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"syscall"
	"time"

	"github.com/lib/pq"
)

const (
	// databaseName is the one database of a private Postgres, and its superuser's name.
	databaseName = "reelgraph"
	// pollEvery is the pause between two looks at a Postgres that is starting or stopping.
	pollEvery = 50 * time.Millisecond
)

// A state is what a Postgres answered when it was spoken to.
type state int

const (
	answering state = iota // ready
	changing               // starting, or stopping
	absent                 // nobody listens
	refusing               // somebody listens, but not to us
)

func dsnOf(sockets string) string {
	u := url.URL{Scheme: "postgres", Path: "/" + databaseName, RawQuery: url.Values{
		"host":    {sockets},
		"port":    {"5432"},
		"user":    {databaseName},
		"sslmode": {"disable"},
	}.Encode()}
	return u.String()
}

// ping asks for one connection.
func ping(ctx context.Context, dsn string) (state, error) {
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return refusing, err
	}
	conn, err := c.Connect(ctx)
	if err == nil {
		return answering, conn.Close()
	}
	if pe, ok := errors.AsType[*pq.Error](err); ok {
		switch pe.Code {
		case "57P03", "57P01": // cannot_connect_now, admin_shutdown
			return changing, err
		}
		return refusing, err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return absent, nil
	case errors.Is(err, fs.ErrPermission):
		return refusing, fmt.Errorf("%w: it belongs to another user: %w", ErrForeign, err)
	case ctx.Err() != nil:
		return changing, err
	}
	return changing, err // the connection broke while the server went away
}
