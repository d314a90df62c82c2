package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// How many mails with links are sent in an hour: invitations, renewals and resets together.
const (
	MailsPerAddress   = 3
	MailsPerWorkspace = 30

	mailWindow = time.Hour
)

// CountMailTo counts an email to an address. It returns fault.RateLimited if too many emails were sent to the address
// in the last hour.
func CountMailTo(ctx context.Context, c *ent.Client, email string) error {
	sum := sha256.Sum256([]byte(email))

	return countMail(ctx, c, "address:"+hex.EncodeToString(sum[:]), MailsPerAddress,
		"Too many mails were sent to this address in the last hour. Try again after the time in Retry-After.")
}

// CountMailOf counts an email that is sent on behalf of a workspace. It returns fault.RateLimited if too many were
// sent on its behalf in the last hour.
func CountMailOf(ctx context.Context, c *ent.Client, workspaceID string) error {
	return countMail(ctx, c, "workspace:"+workspaceID, MailsPerWorkspace,
		"The workspace has sent too many mails in the last hour. Try again after the time in Retry-After.")
}

const countMailSQL = `
WITH recent AS (
  SELECT count(*) AS sent, min(sent_at) AS oldest FROM link_mails WHERE subject = $1 AND sent_at > clock_timestamp() - interval '1 hour'
), added AS (
  INSERT INTO link_mails (subject, sent_at) SELECT $1, clock_timestamp() FROM recent WHERE sent < $2::int RETURNING subject
)
SELECT EXISTS (SELECT FROM added), coalesce(extract(epoch FROM oldest + interval '1 hour' - clock_timestamp()), 0)::float8 FROM recent`

func countMail(ctx context.Context, c *ent.Client, subject string, most int, refusal string) error {
	// Counts for the same key run one after another, so that they are exact.
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "link mails "+subject); err != nil {
		return fmt.Errorf("lock mails: %w", err)
	}

	rows, err := c.QueryContext(ctx, countMailSQL, subject, most)
	if err != nil {
		return fmt.Errorf("count mail: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	var (
		counted bool
		left    float64
	)

	for rows.Next() {
		if err := rows.Scan(&counted, &left); err != nil {
			return fmt.Errorf("count mail: %w", err)
		}
	}

	if err := rows.Err(); err != nil {
		return fmt.Errorf("count mail: %w", err)
	}

	if !counted {
		return fault.RateLimited(min(mailWindow, time.Duration(left*float64(time.Second)))).Saying(refusal)
	}

	return nil
}
