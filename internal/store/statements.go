package store

import (
	"container/list"
	"context"
	"database/sql"
	"sync"
	"time"
)

// statements runs queries through prepared statements, the least recently used thrown away first.
// lib/pq makes two round trips for a query with arguments and one for a prepared one: measured,
// this doubles the throughput of reads. Transactions do not use it, and transaction-mode poolers
// cannot.
type statements struct {
	db   *sql.DB
	size int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *statement, newest first

	// closing are those that are being closed. That waits for every connection which knows the statement,
	// be it busy for as long as it likes, so no request does it itself.
	closing sync.WaitGroup
}

type statement struct {
	query string
	ready chan struct{}
	stmt  *sql.Stmt
	err   error

	// users is how many calls are under way, guarded by statements.mu. A statement that was thrown
	// away is closed by whoever used it last.
	users  int
	thrown bool
}

func newStatements(db *sql.DB, size int) *statements {
	return &statements{db: db, size: size, byKey: map[string]*list.Element{}, order: list.New()}
}

// QueryContext implements entsql.ExecQuerier.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := s.acquire(ctx, query)
	if err != nil {
		return nil, err
	}
	defer s.release(st)

	return st.stmt.QueryContext(ctx, args...) //nolint:sqlclosecheck // the caller's rows
}

// ExecContext implements entsql.ExecQuerier.
func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	st, err := s.acquire(ctx, query)
	if err != nil {
		return nil, err
	}
	defer s.release(st)

	return st.stmt.ExecContext(ctx, args...)
}

func (s *statements) acquire(ctx context.Context, query string) (*statement, error) {
	s.mu.Lock()

	if el, found := s.byKey[query]; found {
		s.order.MoveToFront(el)

		st := el.Value.(*statement) //nolint:forcetypeassert // the list holds nothing else
		st.users++
		s.mu.Unlock()

		<-st.ready

		if st.err != nil {
			s.release(st)

			return nil, st.err
		}

		return st, nil
	}

	st := &statement{query: query, ready: make(chan struct{}), users: 1}
	s.byKey[query] = s.order.PushFront(st)
	stale := s.evict()
	s.mu.Unlock()

	if len(stale) > 0 {
		s.closing.Go(func() { closeAll(stale) })
	}

	st.stmt, st.err = s.prepare(ctx, query)
	close(st.ready)

	if st.err != nil {
		s.forget(st)
		s.release(st)

		return nil, st.err
	}

	return st, nil
}

// prepareTimeout bounds what several requests may wait for.
const prepareTimeout = 10 * time.Second

// prepare does not end with the request that happens to come first: others wait for the statement.
func (s *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), prepareTimeout)
	defer cancel()

	return s.db.PrepareContext(ctx, query) //nolint:wrapcheck,sqlclosecheck // the caller says what was attempted, and closes it
}

// release ends one use and closes a statement that nobody needs any more.
func (s *statements) release(st *statement) {
	s.mu.Lock()
	st.users--
	last := st.thrown && st.users == 0
	s.mu.Unlock()

	if last {
		s.closing.Go(func() { closeAll([]*statement{st}) })
	}
}

// evict takes the statements over the size out of the map, and returns those to close now.
func (s *statements) evict() []*statement {
	var idle []*statement

	for s.order.Len() > s.size {
		if st := s.remove(s.order.Back()); st.users == 0 {
			idle = append(idle, st)
		}
	}

	return idle
}

func (s *statements) remove(el *list.Element) *statement {
	st := s.order.Remove(el).(*statement) //nolint:forcetypeassert // the list holds nothing else
	st.thrown = true
	delete(s.byKey, st.query)

	return st
}

// forget drops a statement that could not be prepared, so that the next call tries again.
func (s *statements) forget(st *statement) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if el, found := s.byKey[st.query]; found && el.Value == st {
		s.remove(el)
	}
}

// drop closes everything, at the end.
func (s *statements) drop() {
	s.mu.Lock()

	var idle []*statement

	for s.order.Len() > 0 {
		if st := s.remove(s.order.Back()); st.users == 0 {
			idle = append(idle, st)
		}
	}
	s.mu.Unlock()

	closeAll(idle)
}

func closeAll(all []*statement) {
	for _, st := range all {
		if st.stmt != nil {
			_ = st.stmt.Close()
		}
	}
}
