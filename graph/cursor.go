package graph

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/internal/fault"
)

// cursorAge is how long a walk may take: the touch log is kept as long.
const cursorAge = 24 * time.Hour

// cursor is what a list's cursor seals: where the next page begins, and of which walk.
type cursor struct {
	Version int    `json:"v"`
	MadeMs  int64  `json:"m"`           // when the walk began
	AtMs    int64  `json:"t"`           // the time of the last item's position, or its order
	Key     string `json:"k,omitempty"` // the last item's order, where that is a text
	Z       int64  `json:"z,omitempty"` // of effects that begin at one time
	ID      string `json:"i"`           // the last item
	Walk    string `json:"s,omitempty"` // the database snapshot of the first page
	Class   int    `json:"c,omitempty"` // of the last item, where classes go before its position
}

const cursorVersion = 1

// cursorBehind is a cursor behind a row of a list in the order of a column.
func cursorBehind(key any, id string, madeMs int64) cursor {
	c := cursor{MadeMs: madeMs, ID: id}

	switch k := key.(type) {
	case int64:
		c.AtMs = k
	case string:
		c.Key = k
	}

	return c
}

// key is the value of the column behind which the list goes on.
func (c cursor) key() any {
	if c.Key != "" {
		return c.Key
	}

	return c.AtMs
}

// errCursor is the one answer to a cursor that is malformed, foreign, altered, too old, or used with
// other filters than it was made with.
func errCursor() error {
	return fault.Invalid([]fault.Field{{
		Path: "cursor", Rule: "must be one of this list with these filters, at most 24 hours old",
	}})
}

// seal makes a cursor opaque and bound to its list: of names the list and its filters.
func (r *Resolver) seal(c cursor, of string) string {
	c.Version = cursorVersion

	plain, err := json.Marshal(c)
	if err != nil {
		panic(err) // a struct of numbers and strings
	}

	return base64.RawURLEncoding.EncodeToString(r.Cursors.Seal(plain, []byte(of)))
}

// open reads a cursor of the list, or answers bad_request.
func (r *Resolver) open(text, of string) (cursor, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return cursor{}, errCursor()
	}

	plain, err := r.Cursors.Open(sealed, []byte(of))
	if err != nil {
		return cursor{}, errCursor()
	}

	var c cursor
	if err := json.Unmarshal(plain, &c); err != nil || c.Version != cursorVersion {
		return cursor{}, errCursor()
	}

	if r.now().Sub(time.UnixMilli(c.MadeMs)) > cursorAge {
		return cursor{}, errCursor()
	}

	return c, nil
}

// positionAt is where a row stands in a list that is ordered by a time and the id.
func (r *Resolver) positionAt(at time.Time, id string) cursor {
	return cursor{MadeMs: r.now().UnixMilli(), AtMs: at.UnixMilli(), ID: id}
}

// behind narrows a list that is ordered by a time and the id, oldest first, to what follows the cursor.
func behind(c cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeGT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}

// before is behind for a list that is ordered newest first.
func before(c cursor, at string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.CompositeLT([]string{s.C(at), s.C("id")}, time.UnixMilli(c.AtMs).UTC(), c.ID))
	}
}
