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
	// databaseName is the name of the only database and of its superuser.
	databaseName = "reelgraph"
	// pollEvery is the interval at which a starting or stopping Postgres is checked.
	pollEvery = 50 * time.Millisecond
)

// A state is the result of trying to connect to Postgres.
type state int

const (
	answering state = iota // it accepts connections
	changing               // it is starting or stopping
	absent                 // nothing listens
	refusing               // something listens but refuses us
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

// ping tries one connection.
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
		return refusing, fmt.Errorf("%w: the server belongs to another user: %w", ErrForeign, err)
	case ctx.Err() != nil:
		return changing, err
	}

	return changing, err // the connection broke while the server went away
}
