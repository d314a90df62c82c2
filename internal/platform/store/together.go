package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	entsql "entgo.io/ent/dialect/sql"
)

// Together runs reads that do not need each other. What they ask Postgres at once goes to it as one statement: to send
// one and to wait for it costs both sides as much as reading a few rows does. Only what they ask through Client outside
// a transaction is joined. They run by turns, never at the same time: what they ask with their context they ask in the
// goroutine they are called in, and hold nothing meanwhile that another waits for. It returns the first error.
func (s *Store) Together(ctx context.Context, reads ...func(context.Context) error) error {
	if len(reads) == 1 {
		return reads[0](ctx)
	}

	var failed error

	waiting := make([]*turn, 0, len(reads))

	for _, read := range reads {
		next, stop := iter.Pull(func(yield func(*question) bool) {
			defer tellWhere()

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
			if t.question, _ = t.next(); t.question != nil {
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
	next func() (*question, bool)

	*question // nil when it has ended
}

type turnKey struct{}

// tellWhere says where a read has panicked: whoever recovers that sees the stack of Together alone.
func tellWhere() {
	if cause := recover(); cause != nil {
		panic(fmt.Sprintf("%v, in a read:\n%s", cause, debug.Stack()))
	}
}

// question is a statement, and whether it was answered.
type question struct {
	query string
	args  []any
	rows  *entsql.Rows
	err   error
}

// errStopped is given to reads that nobody waits for any more.
var errStopped = errors.New("store: another read of those that run together has failed")

// ask has a statement of a read of Together answered with those of the others; alone is true elsewhere, and nothing done.
func ask(ctx context.Context, query string, args, rows any) (alone bool, err error) {
	yield, together := ctx.Value(turnKey{}).(func(*question) bool)
	argv, known := args.([]any)
	into, wanted := rows.(*entsql.Rows)

	if !together || !known || !wanted {
		return true, nil
	}

	one := &question{query: query, args: argv, rows: into}
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
			t.err = s.readJoined(ctx, t.query, t.args, []*turn{t})
		}

		return
	}

	err := s.readJoined(ctx, text, args, waiting)
	if err != nil && len(waiting) > 1 {
		err = fmt.Errorf("in one statement with others: %w", err)
	}

	for _, t := range waiting {
		t.err = err
	}
}
