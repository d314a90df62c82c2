package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	entsql "entgo.io/ent/dialect/sql"
)

// nextColumn stands between the columns of two statements that are joined.
const nextColumn = "next_part"

// joined is one statement whose rows are those of all, each with the columns of its own and nothing in the others. Such
// a join is a merge of nothing with nothing, which keeps the order of both sides.
func joined(all []*turn) (text string, args []any) {
	if len(all) == 1 {
		return all[0].query, all[0].args
	}

	var columns, from strings.Builder

	for i, t := range all {
		part := "p" + strconv.Itoa(i)

		if i == 0 {
			columns.WriteString("SELECT " + part + ".*")
			from.WriteString(" FROM (")
		} else {
			columns.WriteString(", NULL AS " + nextColumn + ", " + part + ".*")
			from.WriteString(" FULL JOIN (")
		}

		renumber(&from, t.query, len(args))
		from.WriteString(") AS " + part)

		if i > 0 {
			from.WriteString(" ON FALSE")
		}

		args = append(args, t.args...)
	}

	return columns.String() + from.String(), args
}

// renumber writes a statement whose first argument is not $1 but so many later. No literal of ours has a $ before a number.
func renumber(to *strings.Builder, query string, later int) {
	for {
		before, behind, found := strings.Cut(query, "$")
		to.WriteString(before)

		if !found {
			return
		}

		to.WriteByte('$')

		digits := len(behind) - len(strings.TrimLeft(behind, "0123456789"))
		if n, err := strconv.Atoi(behind[:digits]); err == nil {
			to.WriteString(strconv.Itoa(n + later))
		}

		query = behind[digits:]
	}
}

// readJoined reads the rows of a statement, and gives those that wait for it their own. The connection is free again before
// anybody goes on, who may need one.
func (s *Store) readJoined(ctx context.Context, text string, args []any, waiting []*turn) (err error) {
	rows, err := s.direct.QueryContext(ctx, text, args...)
	if err != nil {
		return err //nolint:wrapcheck // ent's own
	}

	defer func() { err = errors.Join(err, rows.Close()) }()

	columns, err := rows.Columns()
	if err != nil {
		return err //nolint:wrapcheck // ent's own
	}

	var (
		parts  = make([]*part, len(waiting))
		values = make([]any, len(columns))
		into   = make([]any, len(columns))
	)

	for i := range into {
		into[i] = &values[i]
	}

	for i, t := range waiting {
		width := slices.Index(columns, nextColumn)
		if i == len(waiting)-1 {
			width = len(columns)
		}

		parts[i] = &part{columns: columns[:width], first: len(values) - len(columns)}
		columns = columns[min(width+1, len(columns)):]
		*t.rows = entsql.Rows{ColumnScanner: parts[i]}
	}

	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err //nolint:wrapcheck // ent's own
		}

		of := slices.IndexFunc(parts, func(p *part) bool { return len(parts) == 1 || p.has(values) })
		if of < 0 {
			return errNoPart
		}

		parts[of].rows = append(parts[of].rows, parts[of].own(values)...)
	}

	return rows.Err() //nolint:wrapcheck // ent's own
}

// errNoPart is returned for a row that has nothing in any column: it could be of any statement. Rows of tables have ids.
var errNoPart = errors.New("store: a row of statements that are joined has nothing in it")

// part are the rows of one of the statements that were joined.
type part struct {
	columns []string
	first   int   // which column of the join is the first of them
	rows    []any // the values of all, one row behind the other
	row     []any
}

// own are the columns of the part in a row of the join.
func (p *part) own(row []any) []any { return row[p.first : p.first+len(p.columns)] }

// has reports whether a row is one of the part.
func (p *part) has(row []any) bool {
	return slices.ContainsFunc(p.own(row), func(v any) bool { return v != nil })
}

// Columns implements entsql.ColumnScanner.
func (p *part) Columns() ([]string, error) { return p.columns, nil }

// ColumnTypes implements entsql.ColumnScanner. Of what is joined they are not known.
func (*part) ColumnTypes() ([]*sql.ColumnType, error) { return nil, nil }

// Next implements entsql.ColumnScanner.
func (p *part) Next() bool {
	if len(p.rows) == 0 {
		return false
	}

	p.row, p.rows = p.rows[:len(p.columns)], p.rows[len(p.columns):]

	return true
}

// Scan implements entsql.ColumnScanner, for what rows of ent are read into.
func (p *part) Scan(dest ...any) error {
	if len(dest) != len(p.row) {
		return fmt.Errorf("store: %d columns are read into %d places", len(p.row), len(dest))
	}

	for i, value := range p.row {
		if err := scan(dest[i], value); err != nil {
			return fmt.Errorf("store: read column %s: %w", p.columns[i], err)
		}
	}

	return nil
}

// scan reads a value into a place as database/sql does, if ent has made it for a row of its own, a count or a list of ids.
func scan(dest, value any) error {
	switch dest := dest.(type) {
	case sql.Scanner:
		return dest.Scan(value) //nolint:wrapcheck // Scan says which column
	case *[]byte:
		read, err := convert[[]byte](value)
		*dest = read.V

		return err
	case *string:
		return fill(dest, value)
	case *bool:
		return fill(dest, value)
	case *int64:
		return fill(dest, value)
	case *time.Time:
		return fill(dest, value)
	case *int:
		return fill(dest, value)
	case **bool:
		read, err := convert[bool](value)
		if *dest = nil; read.Valid {
			*dest = &read.V
		}

		return err
	case **int:
		read, err := convert[int](value)
		if *dest = nil; read.Valid {
			*dest = &read.V
		}

		return err
	default:
		return fmt.Errorf("nothing is read into %T", dest)
	}
}

// fill reads a value that must be there.
func fill[T any](dest *T, value any) error {
	read, err := convert[T](value)
	if *dest = read.V; err == nil && !read.Valid {
		return fmt.Errorf("NULL is no %T", *dest)
	}

	return err
}

func convert[T any](value any) (read sql.Null[T], err error) {
	err = read.Scan(value)

	return read, err //nolint:wrapcheck // Scan says which column
}

// Close implements entsql.ColumnScanner.
func (*part) Close() error { return nil }

// Err implements entsql.ColumnScanner.
func (*part) Err() error { return nil }

// NextResultSet implements entsql.ColumnScanner.
func (*part) NextResultSet() bool { return false }
