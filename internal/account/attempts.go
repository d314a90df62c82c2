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

// How many wrong passwords are heard in a quarter of an hour.
const (
	PerAccount = 10
	PerAddress = 50

	// PerPage is how many wrong passwords of a page are heard, whoever gives them, before each address has
	// no more than PerStranger.
	PerPage     = 100
	PerStranger = 2

	// PerReset is how many password resets are asked for by one address in that time.
	PerReset = 20

	// PerVisitor is how many comments are taken of one address in that time.
	PerVisitor = 10

	networkBits = 64 // of an IPv6 address: what one client is given
)

// Attempts counts wrong passwords, exactly, on all nodes, by the database's clock.
type Attempts struct {
	// DB is not the transaction of the request: what failed is counted though the request leaves nothing.
	DB *sql.DB
}

// A Guess is a password that somebody tries, or something else of which there may be only so many.
type Guess struct {
	subjects []string // of the account, and of the address
	most     []int64
	crowd    string // of all who guess the same; when they are many, the first limit is narrow. Empty is none
}

// GuessOf names who tries, and whose account. The account need not exist.
func GuessOf(email string, client netip.Addr) Guess {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))

	return Guess{subjects: []string{"account:" + hex.EncodeToString(sum[:]), addressOf(client)}, most: []int64{PerAccount, PerAddress}}
}

// GuessAt names who tries the password of a page. Somebody else's guesses keep nobody out: they leave everybody
// fewer.
func GuessAt(id string, client netip.Addr) Guess {
	address, crowd := addressOf(client), "page:"+id

	return Guess{
		subjects: []string{crowd + ":" + address, address, crowd},
		most:     []int64{PerAccount, PerAddress, math.MaxInt32}, crowd: crowd,
	}
}

// CommentOf is a comment of somebody who has not signed in.
func CommentOf(client netip.Addr) Guess {
	return Guess{subjects: []string{"comment:" + addressOf(client)}, most: []int64{PerVisitor}}
}

// ResetOf is a password reset that somebody asks for.
func ResetOf(client netip.Addr) Guess {
	return Guess{subjects: []string{"reset:" + addressOf(client)}, most: []int64{PerReset}}
}

func addressOf(client netip.Addr) string {
	if client.Is6() {
		client = netip.PrefixFrom(client, networkBits).Masked().Addr()
	}

	return "address:" + client.String()
}

// Rows are taken in one order, so that two guesses never wait for each other.
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

// Count counts a guess before it is looked at, as if it were wrong. It answers fault.RateLimited when
// there have been too many.
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

// most is how many guesses each subject has now.
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

// Right takes back what was counted for a guess that was right, and forgets the wrong ones before it.
func (a Attempts) Right(ctx context.Context, g Guess) error {
	if err := a.uncount(ctx, g.subjects[1:]); err != nil {
		return err
	}

	if _, err := a.DB.ExecContext(ctx, `DELETE FROM sign_in_windows WHERE subject = $1`, g.subjects[0]); err != nil {
		return fmt.Errorf("delete failed attempts: %w", err)
	}

	return nil
}

// TakeBack takes back what was counted for something that came to nothing.
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

// Sweep throws away the windows and the sessions that are over. A periodic job calls it; nothing
// depends on when.
func Sweep(ctx context.Context, db *sql.DB) error {
	for _, statement := range []string{
		`DELETE FROM sign_in_windows WHERE started < now() - interval '1 hour'`,
		`DELETE FROM sessions WHERE expires_at <= now()`,
		`DELETE FROM link_mails WHERE sent_at < now() - interval '1 hour'`,
		`DELETE FROM password_resets WHERE expires_at <= now()`,
		`DELETE FROM invitations WHERE expires_at < now() - interval '90 days'`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("delete expired sign-in data: %w", err)
		}
	}

	return nil
}
