package graph

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/graph/cursor"
)

// seal makes a cursor opaque and bound to its list: of names the list and its filters.
func (r *Resolver) seal(c cursor.Cursor, of string) string { return c.Seal(r.Cursors, of) }

// open reads a cursor of the list, or answers bad_request.
func (r *Resolver) open(text, of string) (cursor.Cursor, error) {
	return cursor.Open(r.Cursors, text, of, r.now()) //nolint:wrapcheck // it is a fault
}

// positionAt is where a row stands in a list that is ordered by a time and the id.
func (r *Resolver) positionAt(at time.Time, id string) cursor.Cursor {
	return cursor.Cursor{MadeMs: r.now().UnixMilli(), AtMs: at.UnixMilli(), ID: id}
}

// behind narrows a list that is ordered by a time and the id, oldest first, to what follows the cursor.
func behind(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeGT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}

// before is behind for a list that is ordered newest first.
func before(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeLT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}
