package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/lib/pq"
)

// Connector returns a driver.Connector for the database at dsn. If the machine of a process disappears, Postgres
// notices it within half a minute and frees what the process held; by default this would take two hours. Connections
// keep their statements prepared. The dialer is optional.
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

// watchSQL has no effect over a Unix socket, where both ends notice at once.
const watchSQL = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 25000`

// errNotOurs cannot happen with the pinned driver.
var errNotOurs = errors.New("the database driver lacks a required interface")

// Connect implements driver.Connector.
func (w watched) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // callers recognise the driver's own error
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
