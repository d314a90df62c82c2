package store

import (
	"context"
	"database/sql"
	"strings"

	entsql "entgo.io/ent/dialect/sql"
	"go.opentelemetry.io/otel/attribute"

	"github.com/reelgraph/reelgraph/internal/platform/telemetry"
)

// traced creates a span for every statement of a request or a job. The span contains the statement, never its
// arguments.
type traced struct{ entsql.ExecQuerier }

// QueryContext implements entsql.ExecQuerier. The span ends with the first row, because reading them is the
// caller's work.
func (t traced) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	inner, end := start(ctx, query)
	rows, err := t.ExecQuerier.QueryContext(inner, query, args...)
	end(err)

	return rows, err //nolint:wrapcheck // the caller says what was attempted
}

// ExecContext implements entsql.ExecQuerier.
func (t traced) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	inner, end := start(ctx, query)
	result, err := t.ExecQuerier.ExecContext(inner, query, args...)
	end(err)

	return result, err //nolint:wrapcheck // the caller says what was attempted
}

func start(ctx context.Context, query string) (context.Context, func(error)) {
	verb, _, _ := strings.Cut(strings.TrimSpace(query), " ")

	return telemetry.Start(ctx, "sql "+strings.ToLower(verb),
		attribute.String("db.system.name", "postgresql"), attribute.String("db.query.text", query))
}
