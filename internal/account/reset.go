package account

import (
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// AskReset stores a request for an email that resets the password of an address. It does so even if the address has
// no account, because the caller must not learn whether there is one. It returns the id of the request, which the
// worker uses.
func AskReset(ctx context.Context, c *ent.Client, email string) (id string, err error) {
	id = ids.New(ids.PasswordReset)

	return id, addReset(ctx, c, id, email, nil)
}

// MakeReset creates a password reset link for an address. An operator passes the link on to the person.
func MakeReset(ctx context.Context, c *ent.Client, email string) (token Token, expires time.Time, err error) {
	token = newToken(resetPrefix)
	if err := addReset(ctx, c, ids.New(ids.PasswordReset), email, token.Hash); err != nil {
		return token, expires, err
	}

	return token, now().Add(ResetLasts), nil
}

func addReset(ctx context.Context, c *ent.Client, id, email string, hash []byte) error {
	_, err := c.ExecContext(ctx, `INSERT INTO password_resets (id, email, token_hash, expires_at) VALUES ($1, $2, $3, $4)`,
		id, email, hash, now().Add(ResetLasts))
	if err != nil {
		return fmt.Errorf("add password reset: %w", err)
	}

	return nil
}

// A Reset is a request for an email that resets a password.
type Reset struct {
	ID    string
	Email string
	Tried bool // a mail was written before but was not delivered
}

// ResetToMail returns a request that AskReset stored, and locks the request until the transaction ends. known is
// false if the request was used or has expired.
func ResetToMail(ctx context.Context, c *ent.Client, id string) (reset Reset, known bool, err error) {
	rows, err := c.QueryContext(ctx, `
SELECT email, token_hash IS NOT NULL FROM password_resets WHERE id = $1 AND expires_at > now() FOR UPDATE`, id)
	if err != nil {
		return reset, false, fmt.Errorf("read password reset: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	reset.ID = id

	for rows.Next() {
		known = true

		if err := rows.Scan(&reset.Email, &reset.Tried); err != nil {
			return reset, false, fmt.Errorf("read password reset: %w", err)
		}
	}

	return reset, known, rows.Err() //nolint:wrapcheck // the caller says what was attempted
}

// Link creates a new link for a password reset request. Links in earlier emails stop working.
func (r Reset) Link(ctx context.Context, c *ent.Client) (Token, error) {
	token := newToken(resetPrefix)
	if _, err := c.ExecContext(ctx, `UPDATE password_resets SET token_hash = $2 WHERE id = $1`, r.ID, token.Hash); err != nil {
		return token, fmt.Errorf("set password reset token: %w", err)
	}

	return token, nil
}

// Drop deletes a password reset request.
func (r Reset) Drop(ctx context.Context, c *ent.Client) error {
	if _, err := c.ExecContext(ctx, `DELETE FROM password_resets WHERE id = $1`, r.ID); err != nil {
		return fmt.Errorf("delete password reset: %w", err)
	}

	return nil
}

// TakeReset marks a reset link as used and returns the email address that it is for. known is false if the link does
// not exist or is no longer valid.
func TakeReset(ctx context.Context, c *ent.Client, hash []byte) (email string, known bool, err error) {
	rows, err := c.QueryContext(ctx, `DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING email`, hash)
	if err != nil {
		return "", false, fmt.Errorf("use password reset: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	for rows.Next() {
		known = true

		if err := rows.Scan(&email); err != nil {
			return "", false, fmt.Errorf("use password reset: %w", err)
		}
	}

	return email, known, rows.Err() //nolint:wrapcheck // the caller says what was attempted
}

// forgetResets deletes the password reset links of an address.
func forgetResets(ctx context.Context, c *ent.Client, email string) error {
	if _, err := c.ExecContext(ctx, `DELETE FROM password_resets WHERE email = $1`, email); err != nil {
		return fmt.Errorf("delete password resets: %w", err)
	}

	return nil
}
