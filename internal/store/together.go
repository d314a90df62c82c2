package store

import (
	"context"
	"errors"
	"iter"

	entsql "entgo.io/ent/dialect/sql"
)

// Together runs reads that do not need each other. What they ask Postgres at once goes to it as one statement: to send
// one and to wait for it costs both sides as much as reading a few rows does. Only what they ask through Client outside
// a transaction is joined; they run by turns, never at the same time. It returns the first error.
func (s *Store) Together(ctx context.Context, reads ...func(context.Context) error) error {
	if len(reads) == 1 {
		return reads[0](ctx)
	}

	var failed error

	waiting := make([]*turn, 0, len(reads))

	for _, read := range reads {
		next, stop := iter.Pull(func(yield func(*asked) bool) {
			if err := read(context.WithValue(ctx, turnKey{}, yield)); err != nil && failed == nil {
				failed = err
			}
		})
		defer stop()

		waiting = append(waiting, &turn{next: next})
	}

	for len(waiting) > 0 {
		asking := waiting[:0]

		for _, t := range waiting {
			if t.asked, _ = t.next(); t.asked != nil {
				asking = append(asking, t)
			}

			if failed != nil {
				return failed
			}
		}

		if waiting = asking; len(waiting) > 0 {
			s.answer(ctx, waiting)
		}
	}

	return nil
}

// turn is a read, which runs until it asks something.
type turn struct {
	next func() (*asked, bool)

	*asked // nil when it has ended
}

type turnKey struct{}

// asked is a statement, and what was answered.
type asked struct {
	query string
	args  []any
	rows  *entsql.Rows
	err   error
}

// errStopped is given to reads that nobody waits for any more.
var errStopped = errors.New("store: another read of those that run together has failed")

// ask has a statement of a read of Together answered with those of the others; alone is true elsewhere, and nothing done.
func ask(ctx context.Context, query string, args, rows any) (alone bool, err error) {
	yield, together := ctx.Value(turnKey{}).(func(*asked) bool)
	argv, known := args.([]any)
	into, wanted := rows.(*entsql.Rows)

	if !together || !known || !wanted {
		return true, nil
	}

	one := &asked{query: query, args: argv, rows: into}
	if !yield(one) {
		return false, errStopped
	}

	return false, one.err
}

// answer asks what is waited for.
func (s *Store) answer(ctx context.Context, waiting []*turn) {
	text, args := joined(waiting)

	if len(text) > longestKept {
		for _, t := range waiting {
			t.err = s.share(ctx, t.query, t.args, []*turn{t})
		}

		return
	}

	err := s.share(ctx, text, args, waiting)
	for _, t := range waiting {
		t.err = err
	}
}
