package store

import (
	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

// Among is IN for any number of names: one statement, however many there are.
func Among(column string, named []string) *sql.Predicate {
	return sql.P(func(b *sql.Builder) { AnyOf(b.Ident(column).WriteString(" = ANY("), named).WriteString(")") })
}

// AnyOf is an array of names of whose length Postgres knows nothing when it plans: it would plan each time anew for
// arrays that are shorter than the ten it takes for granted, which costs more than to read their rows.
func AnyOf(b *sql.Builder, named []string) *sql.Builder {
	return b.WriteString("(SELECT ").Arg(pq.Array(named)).WriteString("::varchar[])::varchar[]")
}
