package paging

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// A walk reads a list in the order it had when its first page was read, even if items are edited meanwhile. The cursor
// contains the database snapshot of that moment. If a row was edited after the snapshot, its position is the time that
// the row had before the first of these edits. Otherwise its position is its present time. A timestamp could not
// replace the snapshot, because an edit with an earlier timestamp may be committed later.

// Walk reads a list of rows of type T page by page, in the order that the list had when its first page was read. A
// Walk is for one reader and one set of filters.
type Walk[T any] struct {
	*Service

	Who  auth.Viewer
	Name string // identifies the list and its filters; cursors of other lists are rejected
	What string // the name of the rows, for errors

	// Rising makes the list begin with the row that was edited first. Otherwise it begins with the latest edit.
	Rising bool

	// Of selects id, updated_at and created_xid of the matching rows that the caller may read, without order. With a
	// snapshot, rows that joined the list after it do not count.
	Of func(snapshot string) *sql.Selector
	// Begin reads the positions of the first rows in order, one more than size if there are more, and the snapshot of
	// that statement. It also returns up to size of those rows that still exist.
	Begin func(ctx context.Context, size int) (stood []Place, snapshot string, rows []T, err error)
	// Load reads rows by their ids and skips deleted ones.
	Load func(ctx context.Context, named []string) ([]T, error)
	// At returns the present position of a row.
	At func(T) Place
	// Count counts the whole list.
	Count func(ctx context.Context) (int, error)
}

// Place is the position of a row in a walk. It consists of the id of the row and the time by which the row is sorted.
type Place struct {
	ID string
	At time.Time
}

// Cursor parses the cursor of a page of the list. It returns nil for the first page.
func (w Walk[T]) Cursor(ctx context.Context, after *string) (*cursor.Cursor, error) {
	if after == nil {
		return nil, nil //nolint:nilnil // the first page has none
	}

	c, err := w.open(ctx, *after, w.Name)

	return &c, err
}

// Page reads the page after a cursor, or the first page.
func (w Walk[T]) Page(ctx context.Context, size int, c *cursor.Cursor) (*model.Connection[T], error) {
	if c == nil {
		return w.first(ctx, size)
	}

	return w.next(ctx, size, *c)
}

func (w Walk[T]) first(ctx context.Context, size int) (*model.Connection[T], error) {
	turn := w.Turn(w.Name)

	stood, snapshot, rows, err := w.Begin(ctx, size)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", w.What, err)
	}

	s := stretch[T]{rows: rows, stood: stood[:min(len(stood), size)], more: len(stood) > size}
	if s, err = w.fill(ctx, size, snapshot, s); err != nil {
		return nil, err
	}

	return w.pageOf(turn, s, snapshot), nil
}

func (w Walk[T]) next(ctx context.Context, size int, c cursor.Cursor) (*model.Connection[T], error) {
	turn := &Turn{Service: w.Service, of: w.Name, madeMs: c.MadeMs, behind: true}
	s := stretch[T]{begin: Place{c.ID, time.UnixMilli(c.AtMs)}, more: true}

	s, err := w.fill(ctx, size, c.Walk, s)
	if err != nil {
		return nil, err
	}

	return w.pageOf(turn, s, c.Walk), nil
}

// stretch is a part of a walk that was read: the rows, the positions that were searched for them, and whether more
// follow.
type stretch[T any] struct {
	begin Place // the position after which it begins; zero is the start of the list
	rows  []T
	stood []Place
	more  bool
}

func (s stretch[T]) end() Place {
	if n := len(s.stood); n > 0 {
		return s.stood[n-1]
	}

	return s.begin
}

// fill reads on until a page is full or the list ends. Rows that were deleted between two statements leave gaps, and a
// page that promises more must be followed by a page that is not empty.
func (w Walk[T]) fill(ctx context.Context, size int, snapshot string, s stretch[T]) (stretch[T], error) {
	for s.more && len(s.rows) < size {
		wanted := size - len(s.rows)
		from := cursor.Cursor{AtMs: s.end().At.UnixMilli(), ID: s.end().ID, Walk: snapshot}

		stood, err := w.continueWalk(ctx, w.Of(snapshot), from, wanted+1)
		if err != nil {
			return s, fmt.Errorf("list %s: %w", w.What, err)
		}

		s.more = len(stood) > wanted
		stood = stood[:min(len(stood), wanted)]

		rows, err := w.There(ctx, stood)
		if err != nil {
			return s, fmt.Errorf("list %s: %w", w.What, err)
		}

		s.rows, s.stood = append(s.rows, rows...), append(s.stood, stood...)
	}

	return s, nil
}

// There returns the rows at the given positions, in the same order. It leaves out rows that have been deleted.
func (w Walk[T]) There(ctx context.Context, stood []Place) ([]T, error) {
	named := make([]string, len(stood))
	for i, p := range stood {
		named[i] = p.ID
	}

	rows, err := w.Load(ctx, named)
	sortBy(rows, named, func(row T) string { return w.At(row).ID })

	return rows, err
}

// sortBy sorts rows in the order of their ids.
func sortBy[T any](rows []T, named []string, id func(T) string) {
	slices.SortFunc(rows, func(a, b T) int { return slices.Index(named, id(a)) - slices.Index(named, id(b)) })
}

// pageOf builds a page of rows with the positions that they had when the walk began.
func (w Walk[T]) pageOf(turn *Turn, s stretch[T], snapshot string) *model.Connection[T] {
	placeOf := func(row T) cursor.Cursor {
		at := s.stood[slices.IndexFunc(s.stood, func(p Place) bool { return p.ID == w.At(row).ID })]

		return cursor.Cursor{AtMs: at.At.UnixMilli(), ID: at.ID, Walk: snapshot}
	}

	page := PageOf(turn, s.rows, len(s.rows), placeOf, func(ctx context.Context) (int, error) {
		n, err := w.Count(ctx)
		if err != nil {
			return 0, fmt.Errorf("count %s: %w", w.What, err)
		}

		return n, nil
	})
	page.PageInfo.HasNextPage = s.more

	return page
}

// Table describes an ent table with rows of type T that is read as a walk.
type Table[T Entity] struct {
	Name string
	// Matching limits the query to matching rows that the caller may read, as Walk.Of says.
	Matching func(snapshot string) []func(*sql.Selector)
	// All returns a query of the table for the selected fields. The query applies the condition that is passed as
	// "only".
	All func(ctx context.Context, only func(*sql.Selector)) Listing[T]
	// Whole returns the same query without the selected fields.
	Whole func(ctx context.Context, only func(*sql.Selector)) Counting
}

// These interfaces tell what an ent query is used for.
type (
	// Listing is a query that reads rows.
	Listing[T any] interface {
		All(ctx context.Context) ([]T, error)
	}
	// Counting is a query that counts rows.
	Counting interface {
		Count(ctx context.Context) (int, error)
	}
)

// WalkTable fills in the functions of a walk over an ent table. The table must have the columns that
// the function listed in ent/schema defines.
func WalkTable[T Entity](w Walk[T], t Table[T]) Walk[T] {
	narrow := func(s *sql.Selector, snapshot string) {
		for _, match := range t.Matching(snapshot) {
			match(s)
		}
	}

	w.Of = func(snapshot string) *sql.Selector {
		rows := sql.Dialect(dialect.Postgres).Table(t.Name) // set first, because predicates ask it for column names
		of := sql.Dialect(dialect.Postgres).Select(rows.C(IDColumn), rows.C(UpdatedColumn), rows.C(CreatedXidColumn)).
			From(rows).Where(sql.EQ(rows.C(WorkspaceColumn), w.Who.WorkspaceID))
		narrow(of, snapshot)

		return of
	}

	w.Begin = func(ctx context.Context, size int) ([]Place, string, []T, error) {
		rows, err := t.All(ctx, func(s *sql.Selector) {
			narrow(s, "")

			order := sql.Desc
			if w.Rising {
				order = sql.Asc
			}

			s.OrderBy(order(s.C(UpdatedColumn)), order(s.C(IDColumn))).Limit(size + 1)
			beginWalk(s)
		}).All(showing[T](ctx, size))
		if err != nil || len(rows) == 0 {
			return nil, "", nil, err //nolint:wrapcheck // first says what was attempted
		}

		stood := make([]Place, len(rows))
		for i, row := range rows {
			stood[i] = w.At(row)
		}

		_, extra := rows[0].Below()

		return stood, extra.Walk, rows[:min(len(rows), size)], nil
	}

	w.Load = func(ctx context.Context, named []string) ([]T, error) {
		return t.All(ctx, func(s *sql.Selector) { s.Where(store.Among(s.C(IDColumn), named)) }).All(ctx) //nolint:wrapcheck // next wraps it
	}

	w.Count = func(ctx context.Context) (int, error) {
		return t.Whole(ctx, func(s *sql.Selector) { narrow(s, "") }).Count(ctx) //nolint:wrapcheck // pageOf says
	}

	return w
}

// Columns that every walked table has.
const (
	IDColumn         = "id"
	UpdatedColumn    = "updated_at"
	CreatedXidColumn = "created_xid"
	WorkspaceColumn  = "workspace_id"
)

// Plain converts predicates of any table into plain selector functions.
func Plain[P ~func(*sql.Selector)](all ...P) []func(*sql.Selector) {
	out := make([]func(*sql.Selector), len(all))
	for i, p := range all {
		out[i] = p
	}

	return out
}

// beginWalk adds the snapshot of the same statement to the rows of a first page.
func beginWalk(s *sql.Selector) {
	s.AppendSelectExprAs(sql.Raw("(SELECT pg_current_snapshot()::text)"), ent.WalkColumn) // evaluated once, not for each row
}

// continueWalk returns the positions of the rows after the cursor. of selects id, updated_at and created_xid of the
// matching rows that the caller may read, without order.
func (w Walk[T]) continueWalk(ctx context.Context, of *sql.Selector, c cursor.Cursor, size int) ([]Place, error) {
	base, args := of.Query()
	n := len(args)
	args = append(args, w.Who.WorkspaceID, c.Walk, time.UnixMilli(c.AtMs).UTC(), c.ID, size)

	behind, order := "<", "DESC"
	if w.Rising {
		behind, order = ">", "ASC"
	}

	query := fmt.Sprintf(`
WITH moved AS MATERIALIZED (
	SELECT DISTINCT ON (row_id) row_id, old_updated_at AS at FROM touches
	WHERE workspace_id = $%[2]d AND xid >= pg_snapshot_xmin($%[3]d::pg_snapshot)::text::bigint
		AND NOT pg_visible_in_snapshot(xid::text::xid8, $%[3]d::pg_snapshot)
	ORDER BY row_id, id
)
SELECT id, at FROM (
	(SELECT b.id, b.updated_at AS at FROM (%[1]s) b
	WHERE (b.updated_at, b.id) %[7]s ($%[4]d, $%[5]d)
		AND pg_visible_in_snapshot(b.created_xid::text::xid8, $%[3]d::pg_snapshot)
		AND NOT EXISTS (SELECT FROM moved m WHERE m.row_id = b.id)
	ORDER BY b.updated_at %[8]s, b.id %[8]s LIMIT $%[6]d)
	UNION ALL
	(SELECT b.id, m.at FROM moved m JOIN (%[1]s) b ON b.id = m.row_id
	WHERE (m.at, b.id) %[7]s ($%[4]d, $%[5]d)
		AND pg_visible_in_snapshot(b.created_xid::text::xid8, $%[3]d::pg_snapshot)
	ORDER BY m.at %[8]s, b.id %[8]s LIMIT $%[6]d)
) places ORDER BY at %[8]s, id %[8]s LIMIT $%[6]d`, base, n+1, n+2, n+3, n+4, n+5, behind, order)

	var places []Place

	err := w.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var p Place
		if err := rows.Scan(&p.ID, &p.At); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		places = append(places, p)

		return nil
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read page positions: %w", err)
	}

	return places, nil
}
