package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// How many wrong passwords are accepted in a quarter of an hour.
const (
	PerAccount = 10
	PerAddress = 50

	// PerPage is how many wrong passwords a page accepts from all visitors together. Beyond that, each address gets no
	// more than PerStranger.
	PerPage     = 100
	PerStranger = 2

	// PerReset is how many password resets one address may request in that time.
	PerReset = 20

	// PerVisitor is how many comments one address may write in that time.
	PerVisitor = 10

	networkBits = 64 // of an IPv6 address: the prefix that one client gets
)

// Attempts counts wrong passwords in windows of 15 minutes. The counts are stored in the database, so they are exact
// even if several nodes count at the same time. The windows follow the database's clock.
type Attempts struct {
	// DB is used outside the request's transaction: a failed attempt counts even if the transaction is rolled back.
	DB *sql.DB
}

// A Guess is one attempt to enter a password, or to perform another action that is limited in the same way.
type Guess struct {
	subjects []string // the keys of the account and of the address
	most     []int64
	crowd    string // the key of all attempts at the same page; when there are many, the lower limit applies; empty means none
}

// GuessOf returns the Guess for an attempt to enter the password of an account. client is the network address that
// sent the attempt. The account need not exist.
func GuessOf(email string, client netip.Addr) Guess {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))

	return Guess{subjects: []string{"account:" + hex.EncodeToString(sum[:]), addressOf(client)}, most: []int64{PerAccount, PerAddress}}
}

// GuessAt returns the Guess for an attempt to enter the password of a page. client is the network address that sent
// the attempt. Attempts from other addresses never block this address completely. They can only lower its limit.
func GuessAt(id string, client netip.Addr) Guess {
	address, crowd := addressOf(client), "page:"+id

	return Guess{
		subjects: []string{crowd + ":" + address, address, crowd},
		most:     []int64{PerAccount, PerAddress, math.MaxInt32}, crowd: crowd,
	}
}

// CommentOf returns the Guess for a comment by a visitor who is not signed in. client is the visitor's network
// address.
func CommentOf(client netip.Addr) Guess {
	return Guess{subjects: []string{"comment:" + addressOf(client)}, most: []int64{PerVisitor}}
}

// ResetOf returns the Guess for a request to reset a password. client is the network address that sent the request.
func ResetOf(client netip.Addr) Guess {
	return Guess{subjects: []string{"reset:" + addressOf(client)}, most: []int64{PerReset}}
}

func addressOf(client netip.Addr) string {
	if client.Is6() {
		client = netip.PrefixFrom(client, networkBits).Masked().Addr()
	}

	return "address:" + client.String()
}

// Rows are locked in a fixed order, so that two attempts cannot deadlock.
const countSQL = `
WITH wanted AS (
  SELECT subject, most FROM unnest($1::text[], $2::int[]) AS w (subject, most)
), counted AS (
  INSERT INTO sign_in_windows AS s (subject, started, guesses)
  SELECT subject, date_bin('15 minutes', now(), 'epoch'), 1 FROM wanted ORDER BY subject
  ON CONFLICT (subject, started) DO UPDATE SET guesses = s.guesses + 1
    WHERE s.guesses < (SELECT most FROM wanted w WHERE w.subject = s.subject)
  RETURNING subject
)
SELECT coalesce((SELECT array_agg(subject) FROM counted), '{}'),
  extract(epoch FROM date_bin('15 minutes', now(), 'epoch') + interval '15 minutes' - now())::float8`

const uncountSQL = `
UPDATE sign_in_windows SET guesses = guesses - 1
WHERE subject = ANY ($1::text[]) AND started = date_bin('15 minutes', now(), 'epoch') AND guesses > 0`

// Count counts an attempt as wrong. Call it before checking the password. It returns fault.RateLimited if there were
// too many wrong attempts.
func (a Attempts) Count(ctx context.Context, g Guess) error {
	var (
		counted []string
		left    float64
	)

	most, err := a.most(ctx, g)
	if err != nil {
		return err
	}

	row := a.DB.QueryRowContext(ctx, countSQL, pq.Array(g.subjects), pq.Array(most))
	if err := row.Scan(pq.Array(&counted), &left); err != nil {
		return fault.Unavailable(time.Second).Because(fmt.Errorf("count attempt: %w", err))
	}

	if len(counted) == len(g.subjects) {
		return nil
	}

	if err := a.uncount(ctx, counted); err != nil {
		return err
	}

	return fault.RateLimited(time.Duration(left * float64(time.Second))).
		Saying("Too many attempts. Try again after the time in Retry-After.")
}

const crowdSQL = `
SELECT coalesce(sum(guesses), 0) FROM sign_in_windows WHERE subject = $1 AND started = date_bin('15 minutes', now(), 'epoch')`

// most returns how many attempts are allowed for each key now.
func (a Attempts) most(ctx context.Context, g Guess) ([]int64, error) {
	most := slices.Clone(g.most)
	if g.crowd == "" {
		return most, nil
	}

	var wrong int64
	if err := a.DB.QueryRowContext(ctx, crowdSQL, g.crowd).Scan(&wrong); err != nil {
		return nil, fault.Unavailable(time.Second).Because(fmt.Errorf("count all attempts: %w", err))
	}

	if wrong >= PerPage {
		most[0] = PerStranger
	}

	return most, nil
}

// Right removes an attempt from the counts. Call it if the password was right. Right also deletes the earlier wrong
// attempts at the same account, or those of the same network address at the same page.
func (a Attempts) Right(ctx context.Context, g Guess) error {
	if err := a.uncount(ctx, g.subjects[1:]); err != nil {
		return err
	}

	if _, err := a.DB.ExecContext(ctx, `DELETE FROM sign_in_windows WHERE subject = $1`, g.subjects[0]); err != nil {
		return fmt.Errorf("delete failed attempts: %w", err)
	}

	return nil
}

// TakeBack removes an attempt from the counts. Call it if the attempt was counted but then did not take place.
func (a Attempts) TakeBack(ctx context.Context, g Guess) error {
	return a.uncount(ctx, slices.Clone(g.subjects))
}

func (a Attempts) uncount(ctx context.Context, subjects []string) error {
	if len(subjects) == 0 {
		return nil
	}

	slices.SortFunc(subjects, cmp.Compare)

	if _, err := a.DB.ExecContext(ctx, uncountSQL, pq.Array(subjects)); err != nil {
		return fmt.Errorf("subtract attempt: %w", err)
	}

	return nil
}

// Sweep deletes expired counts, sessions and links. A periodic job calls it. The job may run late, because expired
// rows are ignored anyway.
func Sweep(ctx context.Context, db *sql.DB) error {
	for _, statement := range []string{
		`DELETE FROM sign_in_windows WHERE started < now() - interval '1 hour'`,
		`DELETE FROM sessions WHERE expires_at <= now()`,
		`DELETE FROM link_mails WHERE sent_at < now() - interval '1 hour'`,
		`DELETE FROM password_resets WHERE expires_at <= now()`,
		`DELETE FROM welcome_links WHERE expires_at <= now()`,
		`DELETE FROM invitations WHERE expires_at < now() - interval '90 days'`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("delete expired sign-in data: %w", err)
		}
	}

	return nil
}
