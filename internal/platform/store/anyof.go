package store

import (
	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

// Among returns the predicate column IN (named). Its SQL statement is the same for any number of names.
func Among(column string, named []string) *sql.Predicate {
	return sql.P(func(b *sql.Builder) { AnyOf(b.Ident(column).WriteString(" = ANY("), named).WriteString(")") })
}

// AnyOf adds named to a statement as an array whose length Postgres does not know when it plans the statement. If
// Postgres knew the length, it would plan again for each array shorter than its default of ten, which costs more than
// reading the rows.
func AnyOf(b *sql.Builder, named []string) *sql.Builder {
	return b.WriteString("(SELECT ").Arg(pq.Array(named)).WriteString("::varchar[])::varchar[]")
}
