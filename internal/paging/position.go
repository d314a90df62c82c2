package paging

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// seal makes a cursor opaque and bound to its list: of names the list and its filters.
func (s *Service) seal(c cursor.Cursor, of string) string { return c.Seal(s.Cursors, of) }

// open reads a cursor of the list, or answers bad_request: it may be malformed, foreign, altered, too old, or used with
// other filters than it was made with, and which is not told.
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

// PositionAt is where a row stands in a list that is ordered by a time and the id.
func PositionAt(at time.Time, id string) cursor.Cursor {
	return cursor.Cursor{AtMs: at.UnixMilli(), ID: id}
}

// Behind narrows a list that is ordered by a time and the id, oldest first, to what follows the cursor.
func Behind(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeGT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}

// Before is behind for a list that is ordered newest first.
func Before(c cursor.Cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeLT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}
