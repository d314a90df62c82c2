package paging

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// seal encrypts a cursor and binds it to its list. of identifies the list and its filters.
func (s *Service) seal(c cursor.Cursor, of string) string { return c.Seal(s.Cursors, of) }

// open decrypts a cursor of the list. It returns the same bad_request for every invalid cursor: malformed, of another
// list, altered, too old, or with other filters.
func (s *Service) open(ctx context.Context, text, of string) (cursor.Cursor, error) {
	c, ok := cursor.Open(s.Cursors, text, of, s.Store.Now())
	if ok {
		return c, nil
	}

	given := "cursor"
	if graphql.HasOperationContext(ctx) {
		given = "after"
	}

	return c, fault.Invalid([]fault.Field{{Path: given, Rule: "must be a cursor of this list with the same filters, at most 24 hours old"}})
}

// PositionAt returns the cursor of a row in a list that is sorted by a time and then by id.
func PositionAt(at time.Time, id string) cursor.Cursor {
	return cursor.Cursor{AtMs: at.UnixMilli(), ID: id}
}

// Behind limits a query to the rows after a cursor. The list must be sorted by a time and then by id, oldest first.
// The argument "at" is the name of the column that contains the time.
func Behind(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeGT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}

// Before does the same as Behind for a list that is sorted newest first.
func Before(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeLT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}
