package store

import (
	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

// Among is IN for any number of names. The statement is the same for every number.
func Among(column string, named []string) *sql.Predicate {
	return sql.P(func(b *sql.Builder) { AnyOf(b.Ident(column).WriteString(" = ANY("), named).WriteString(")") })
}

// AnyOf is an array of names whose length Postgres does not know when it plans. Otherwise it would plan again
// for each array shorter than its default of ten, which costs more than reading the rows.
func AnyOf(b *sql.Builder, named []string) *sql.Builder {
	return b.WriteString("(SELECT ").Arg(pq.Array(named)).WriteString("::varchar[])::varchar[]")
}
