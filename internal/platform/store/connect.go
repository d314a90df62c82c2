package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/lib/pq"
)

// Connector makes connections to the database of a DSN. A process may vanish with its machine and say nothing:
// Postgres notices that within half a minute, and frees what the process held; by itself it would take two hours.
// The connections keep their statements prepared. The dialer is optional.
func Connector(dsn string, dialer ...pq.Dialer) (driver.Connector, error) {
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}

	for _, d := range dialer {
		c.Dialer(d)
	}

	return watched{c}, nil
}

type watched struct{ *pq.Connector }

// watchSQL means nothing over a Unix socket, whose ends always know of each other.
const watchSQL = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 25000`

// errNotOurs cannot happen with the driver that is pinned.
var errNotOurs = errors.New("the driver cannot do what ours does")

// Connect implements driver.Connector.
func (w watched) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // it is the driver's own error that callers tell by
	}

	s, is := conn.(session)
	if !is {
		return nil, errors.Join(errNotOurs, conn.Close())
	}

	if _, err := s.ExecContext(ctx, watchSQL, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}

	return newPrepared(s)
}
