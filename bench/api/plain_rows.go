package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// rows collects what the statements of one request read.
type rows struct {
	videos      []videoRow
	clips       []clipRow
	heard       []clipRow // the same clips, read for their words
	exports     []exportRow
	chapters    []chapterRow
	memberships []membershipRow
}

type videoRow struct {
	id, name, description, visibility, walk, thumbnailKey string
	createdAt, updatedAt                                  time.Time
	width, height                                         int
	views, durationMs, revision                           int64
	settings, editing                                     []byte
}

type clipRow struct{ id, language string }

type exportRow struct {
	id, status, granularity, resolution, fps, speed string
	progress                                        int
	subtitles                                       bool
	revision                                        int64
	createdAt, updatedAt                            time.Time
}

type chapterRow struct {
	title, description string
	atMs               int64
}

type membershipRow struct{ playlist string }

// query is a prepared statement and the function that reads its rows.
type query struct {
	stmt *sql.Stmt
	args []func(identities) any
	read func(*rows, *sql.Rows) error
}

var mainTable = regexp.MustCompile(`FROM "(\w+)" WHERE`)

// prepare makes queries from recorded statements. Ids of the probe in their arguments are replaced by those of each
// request.
func prepare(ctx context.Context, db *sql.DB, recorded []statement, probe identities) ([]*query, error) {
	queries := make([]*query, len(recorded))

	for i, r := range recorded {
		stmt, err := db.PrepareContext(ctx, r.Text)
		if err != nil {
			return nil, fmt.Errorf("prepare %.60s: %w", r.Text, err)
		}

		q := &query{stmt: stmt}
		for _, arg := range r.Args {
			q.args = append(q.args, argument(arg, probe))
		}

		if q.read, err = q.reader(ctx, r.Text, probe); err != nil {
			return nil, err
		}

		queries[i] = q
	}

	return queries, nil
}

// argument returns a function that replaces the probe's ids in a recorded argument, including inside arrays, by those
// of a request.
func argument(recorded string, probe identities) func(identities) any {
	for _, same := range []func(identities) string{
		func(who identities) string { return who.User },
		func(who identities) string { return who.Workspace },
		func(who identities) string { return who.Video },
		identities.clip,
	} {
		if before, behind, found := strings.Cut(recorded, same(probe)); found {
			return func(who identities) any { return before + same(who) + behind }
		}
	}

	return func(identities) any { return recorded }
}

// reader chooses how to read the rows of a statement by the names of its columns.
func (q *query) reader(ctx context.Context, text string, probe identities) (read func(*rows, *sql.Rows) error, err error) {
	found, err := q.run(ctx, probe)
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, found.Close(), found.Err()) }()

	columns, err := found.Columns()
	if err != nil {
		return nil, fmt.Errorf("name the columns: %w", err)
	}

	var parts []part

	for one := range strings.SplitSeq(text, "FULL JOIN") { // statements that are joined
		width := slices.Index(columns, endOfPart)
		if width < 0 {
			width = len(columns)
		}

		part, err := partOf(one, columns[:width])
		if err != nil {
			return nil, err
		}

		parts = append(parts, part)
		columns = columns[min(width+1, len(columns)):]
	}

	return func(r *rows, found *sql.Rows) error { return readAll(r, found, parts) }, nil
}

// partOf returns how to read the rows of a statement, or of one statement among joined ones.
func partOf(text string, columns []string) (part, error) {
	table := mainTable.FindStringSubmatch(text)
	if table == nil {
		return nil, fmt.Errorf("unknown statement of the product: %s", text)
	}

	switch table[1] {
	case "videos":
		return into(columns, func(r *rows) *[]videoRow { return &r.videos }, videoColumns()), nil
	case "clips":
		if slices.Contains(columns, "transcript_language") {
			return into(columns, func(r *rows) *[]clipRow { return &r.heard }, clipColumns()), nil
		}

		return into(columns, func(r *rows) *[]clipRow { return &r.clips }, clipColumns()), nil
	case "exports":
		return into(columns, func(r *rows) *[]exportRow { return &r.exports }, exportColumns()), nil
	case "chapters":
		return into(columns, func(r *rows) *[]chapterRow { return &r.chapters }, chapterColumns()), nil
	case "playlist_videos":
		return into(columns, func(r *rows) *[]membershipRow { return &r.memberships }, membershipColumns()), nil
	case "collaborators", "transcripts": // empty in this bench
		return into(columns, func(*rows) *[]struct{} { return new([]struct{}) }, nil), nil
	default:
		return nil, fmt.Errorf("unknown table in a statement of the product: %s", text)
	}
}

func (q *query) run(ctx context.Context, who identities) (*sql.Rows, error) {
	args := make([]any, len(q.args))
	for i, arg := range q.args {
		args[i] = arg(who)
	}

	found, err := q.stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}

	return found, nil
}

// all executes the statements one after the other.
func (r *rows) all(ctx context.Context, queries []*query, who identities) error {
	for _, q := range queries {
		found, err := q.run(ctx, who) //nolint:rowserrcheck // read checks it
		if err != nil {
			return err
		}

		if err := q.read(r, found); err != nil {
			return err
		}
	}

	return nil
}

// endOfPart is the last column of each joined statement. A row has values for only one of them.
const endOfPart = "part_row"

// part starts reading rows of a statement: targets receive a row, and keep stores it.
type part func(*rows) (targets []any, keep func())

// into reads rows into a list, storing the named columns in their fields. It replaces the previous content of the list.
func into[T any](columns []string, list func(*rows) *[]T, fields map[string]func(*T) any) part {
	return func(r *rows) ([]any, func()) {
		var (
			row     T
			unused  sql.RawBytes
			targets = make([]any, len(columns))
			to      = list(r)
		)

		for i, name := range columns {
			targets[i] = &unused
			if field := fields[name]; field != nil {
				targets[i] = field(&row)
			}
		}

		*to = (*to)[:0]

		return targets, func() {
			*to = append(*to, row)
			row = *new(T)
		}
	}
}

// readAll reads the rows of a statement, each by the part it belongs to.
func readAll(r *rows, found *sql.Rows, parts []part) (err error) {
	defer func() { err = errors.Join(err, found.Close()) }()

	var (
		targets []any
		keeps   = make([]func(), len(parts))
		here    = make([]bool, len(parts))
	)

	for i, part := range parts {
		own, keep := part(r)
		keeps[i] = keep

		for j, target := range own {
			if _, unused := target.(*sql.RawBytes); !unused && len(parts) > 1 {
				own[j] = maybe{to: target, here: &here[i]}
			}
		}

		targets = append(targets, own...)

		if len(parts) > 1 {
			targets = append(targets, new(sql.RawBytes))
		}
	}

	for found.Next() {
		clear(here)

		if err := found.Scan(targets...); err != nil {
			return fmt.Errorf("read a row: %w", err)
		}

		for i, keep := range keeps {
			if len(parts) == 1 || here[i] {
				keep()
			}
		}
	}

	if err := found.Err(); err != nil {
		return fmt.Errorf("read rows: %w", err)
	}

	return nil
}

// maybe reads a column that is null in the rows of other parts.
type maybe struct {
	to   any
	here *bool
}

// Scan implements sql.Scanner.
func (m maybe) Scan(value any) error {
	if value == nil {
		return nil
	}

	*m.here = true

	switch to := m.to.(type) {
	case *string:
		return scan(to, value)
	case *int:
		return scan(to, value)
	case *int64:
		return scan(to, value)
	case *bool:
		return scan(to, value)
	case *time.Time:
		return scan(to, value)
	case *[]byte:
		return scan(to, value)
	default:
		return fmt.Errorf("cannot read into %T", to)
	}
}

func scan[T any](to *T, value any) error {
	var read sql.Null[T]

	err := read.Scan(value)
	*to = read.V

	return err //nolint:wrapcheck // the caller adds the row
}

func videoColumns() map[string]func(*videoRow) any {
	return map[string]func(*videoRow) any{
		"id":            func(v *videoRow) any { return &v.id },
		"name":          func(v *videoRow) any { return &v.name },
		"description":   func(v *videoRow) any { return &v.description },
		"visibility":    func(v *videoRow) any { return &v.visibility },
		"walk":          func(v *videoRow) any { return &v.walk },
		"created_at":    func(v *videoRow) any { return &v.createdAt },
		"updated_at":    func(v *videoRow) any { return &v.updatedAt },
		"width":         func(v *videoRow) any { return &v.width },
		"height":        func(v *videoRow) any { return &v.height },
		"views":         func(v *videoRow) any { return &v.views },
		"duration_ms":   func(v *videoRow) any { return &v.durationMs },
		"revision":      func(v *videoRow) any { return &v.revision },
		"settings":      func(v *videoRow) any { return &v.settings },
		"editing":       func(v *videoRow) any { return &v.editing },
		"thumbnail_key": func(v *videoRow) any { return &v.thumbnailKey }, // no video of the bench has one
	}
}

func clipColumns() map[string]func(*clipRow) any {
	return map[string]func(*clipRow) any{
		"id":                  func(c *clipRow) any { return &c.id },
		"transcript_language": func(c *clipRow) any { return &c.language },
	}
}

func exportColumns() map[string]func(*exportRow) any {
	return map[string]func(*exportRow) any{
		"id":          func(e *exportRow) any { return &e.id },
		"status":      func(e *exportRow) any { return &e.status },
		"granularity": func(e *exportRow) any { return &e.granularity },
		"resolution":  func(e *exportRow) any { return &e.resolution },
		"fps":         func(e *exportRow) any { return &e.fps },
		"speed":       func(e *exportRow) any { return &e.speed },
		"progress":    func(e *exportRow) any { return &e.progress },
		"subtitles":   func(e *exportRow) any { return &e.subtitles },
		"revision":    func(e *exportRow) any { return &e.revision },
		"created_at":  func(e *exportRow) any { return &e.createdAt },
		"updated_at":  func(e *exportRow) any { return &e.updatedAt },
	}
}

func chapterColumns() map[string]func(*chapterRow) any {
	return map[string]func(*chapterRow) any{
		"title":       func(c *chapterRow) any { return &c.title },
		"description": func(c *chapterRow) any { return &c.description },
		"at_ms":       func(c *chapterRow) any { return &c.atMs },
	}
}

func membershipColumns() map[string]func(*membershipRow) any {
	return map[string]func(*membershipRow) any{
		"playlist_id": func(m *membershipRow) any { return &m.playlist },
	}
}
