package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/certificate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// Certificates keeps what the ACME client stores, encrypted, so that all nodes share it. An entry that none of the server's
// secrets can decrypt counts as missing, and the client obtains it again.
type Certificates struct {
	Store *Store
	Box   keyring.Box
}

var _ autocert.Cache = Certificates{}

// Get implements autocert.Cache.
func (c Certificates) Get(ctx context.Context, name string) ([]byte, error) {
	row, err := c.Store.Client(ctx).Certificate.Query().Where(certificate.Name(name)).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, autocert.ErrCacheMiss
	}

	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}

	content, err := c.Box.Open(row.Sealed, []byte(name))
	if errors.Is(err, keyring.ErrOpen) {
		return nil, autocert.ErrCacheMiss
	}

	return content, err
}

// Put implements autocert.Cache.
func (c Certificates) Put(ctx context.Context, name string, content []byte) error {
	sealed := c.Box.Seal(content, []byte(name))

	return c.Store.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		err := c.Store.Client(ctx).Certificate.Create().SetName(name).SetSealed(sealed).
			OnConflictColumns(certificate.FieldName).
			Update(func(u *ent.CertificateUpsert) { u.UpdateSealed().UpdateUpdatedAt() }).Exec(ctx)
		if err != nil {
			return fmt.Errorf("store certificate: %w", err)
		}

		return nil
	})
}

// Delete implements autocert.Cache.
func (c Certificates) Delete(ctx context.Context, name string) error {
	return c.Store.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		if _, err := c.Store.Client(ctx).Certificate.Delete().Where(certificate.Name(name)).Exec(ctx); err != nil {
			return fmt.Errorf("delete certificate: %w", err)
		}

		return nil
	})
}

// turnPause is the time between two attempts to get a turn.
const turnPause = 500 * time.Millisecond

// InTurn calls do while no other process is in do under the same name. It holds a connection meanwhile, but no transaction,
// so do may use the network.
func (s *Store) InTurn(ctx context.Context, name string, do func(ctx context.Context) error) (err error) {
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return fmt.Errorf("wait for a turn: %w", err)
	}
	defer conn.Close() //nolint:errcheck // returned to the pool

	for held := false; !held; {
		if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(hashtextextended($1, 0))`, name).Scan(&held); err != nil {
			return fmt.Errorf("wait for a turn: %w", err)
		}

		if held {
			break
		}

		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(turnPause):
		}
	}

	defer func() {
		// Also after ctx has ended: the connection goes back to the pool and would keep the lock.
		_, failed := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, name)
		err = errors.Join(err, failed)
	}()

	return do(ctx)
}
