package graph

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// libraryList is one list of the library: the items that people added, and the default sounds, which
// stand where they were made.
type libraryList struct {
	who   auth.Viewer
	scope *values.LibraryScope
	kind  *values.LibraryType
}

// frozen is a transaction that every snapshot sees.
const frozen = "2"

// presetPrefix is what the id of a default item has before the preset's own.
const presetPrefix = string(ids.LibraryItem) + "_"

// visibleItem narrows items to those the viewer may see: the workspace's and its own. An item answers where its file is: one
// whose source its owner may not use any more is seen by nobody.
func visibleItem(who auth.Viewer) predicate.LibraryItem {
	return libraryitem.Or(
		libraryitem.ScopeEQ(values.LibraryScopeWorkspace),
		libraryitem.And(libraryitem.UserID(who.UserID), libraryitem.HasSourceWith(usable(who))),
	)
}

// presetTypes are what the library shows of the catalogue; backgrounds have a list of their own.
func presetTypes() map[values.CatalogType]values.LibraryType {
	return map[values.CatalogType]values.LibraryType{
		values.CatalogTypeSoundEffect: values.LibraryTypeSoundEffect, values.CatalogTypeMusic: values.LibraryTypeMusic,
	}
}

// of selects the items and the default sounds as one list.
func (l libraryList) of(string) *sql.Selector {
	pg := sql.Dialect(dialect.Postgres)
	items, presets := pg.Table(libraryitem.Table), pg.Table(catalogitem.Table)

	own := pg.Select(items.C(idColumn), items.C(updatedColumn), items.C(createdXidColumn)).From(items).
		Where(sql.EQ(items.C(workspaceColumn), l.who.WorkspaceID))
	visibleItem(l.who)(own)

	if l.scope != nil {
		own.Where(sql.EQ(items.C(libraryitem.FieldScope), *l.scope))
	}

	if l.kind != nil {
		own.Where(sql.EQ(items.C(libraryitem.FieldType), *l.kind))
	}

	return own.UnionAll(pg.Select().
		AppendSelectExpr(
			sql.Expr("'"+presetPrefix+"' || "+presets.C(idColumn)), sql.Expr(presets.C(catalogitem.FieldCreatedAt)), sql.Expr(frozen),
		).
		From(presets).Where(sql.In(presets.C(catalogitem.FieldType), l.presets()...)))
}

// presets are the types of default sounds in the list.
func (l libraryList) presets() []any {
	var types []any

	for stored, shown := range presetTypes() {
		if (l.scope == nil || *l.scope == values.LibraryScopeDefault) && (l.kind == nil || *l.kind == shown) {
			types = append(types, stored)
		}
	}

	return types
}

// listLibrary reads a page of the library.
func (r *Resolver) listLibrary(
	ctx context.Context, scope *values.LibraryScope, kind *values.LibraryType, size int, after *string,
) (*model.LibraryItemConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	l := libraryList{who, scope, kind}
	w := walk[*model.LibraryItem]{
		Resolver: r, who: who, what: "library", of: l.of,
		name: strings.Join([]string{"library", who.WorkspaceID, who.UserID, string(deref(scope)), string(deref(kind))}, "|"),
		at:   func(i *model.LibraryItem) place { return place{i.ID, i.UpdatedAt} },
		load: r.libraryItems,
	}
	w.begin = func(ctx context.Context, size int) ([]place, string, []*model.LibraryItem, error) {
		return r.beginLibrary(ctx, w, size)
	}
	w.count = func(ctx context.Context) (n int, err error) {
		query, args := l.of("").Query()
		err = r.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&n) }, "SELECT count(*) FROM ("+query+") b", args...)

		return n, err //nolint:wrapcheck // pageOf says what was attempted
	}

	c, err := w.cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	return w.page(ctx, size, c)
}

// beginLibrary reads where the first items stand, the snapshot in which they stood so, and the items.
func (r *Resolver) beginLibrary(
	ctx context.Context, w walk[*model.LibraryItem], size int,
) (stood []place, snapshot string, items []*model.LibraryItem, err error) {
	query, args := w.of("").Query()
	query = fmt.Sprintf(`SELECT id, updated_at, pg_current_snapshot()::text FROM (%s) b ORDER BY updated_at DESC, id DESC LIMIT %d`,
		query, size+1)

	err = r.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var p place

		err := rows.Scan(&p.id, &p.at, &snapshot)
		stood = append(stood, p)

		return err //nolint:wrapcheck // first says what was attempted
	}, query, args...)
	if err != nil {
		return nil, "", nil, err //nolint:wrapcheck // first says what was attempted
	}

	items, err = w.there(ctx, stood[:min(len(stood), size)])

	return stood, snapshot, items, err
}

// libraryItems reads items of the library by their ids, as far as they are still there.
func (r *Resolver) libraryItems(ctx context.Context, named []string) ([]*model.LibraryItem, error) {
	var own, presets []string

	for _, id := range named {
		if ids.Is(ids.LibraryItem, id) {
			own = append(own, id)
		} else {
			presets = append(presets, strings.TrimPrefix(id, presetPrefix))
		}
	}

	var all []*model.LibraryItem

	rows, err := r.Store.Client(ctx).LibraryItem.Query().
		Where(func(s *sql.Selector) { s.Where(store.Among(s.C(idColumn), own)) }).WithSource().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}

	for _, row := range rows {
		all = append(all, r.libraryItem(row, row.Edges.Source))
	}

	kept, err := r.Store.Client(ctx).CatalogItem.Query().
		Where(func(s *sql.Selector) { s.Where(store.Among(s.C(idColumn), presets)) }).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}

	for _, preset := range kept {
		all = append(all, r.presetItem(preset))
	}

	return all, nil
}

// libraryItem is an item that somebody added, as it is answered.
func (r *Resolver) libraryItem(row *ent.LibraryItem, s *ent.Source) *model.LibraryItem {
	return &model.LibraryItem{
		ID: row.ID, Scope: row.Scope, Type: row.Type, Name: row.Name, SourceID: &row.SourceID,
		URL:   r.Addresses.Media(s.ID, r.Store.Now().Add(mediaSigned)),
		Width: known(s.Width), Height: known(s.Height), DurationSeconds: lasting(s.DurationMs),
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// presetItem is a default sound as it is answered.
func (r *Resolver) presetItem(c *ent.CatalogItem) *model.LibraryItem {
	return &model.LibraryItem{
		ID: presetPrefix + c.ID, Scope: values.LibraryScopeDefault, Type: presetTypes()[c.Type], Name: c.Name, PresetID: &c.ID,
		URL: r.Addresses.Catalog(c.ID), DurationSeconds: lasting(c.DurationMs), CreatedAt: c.CreatedAt, UpdatedAt: c.CreatedAt,
	}
}

// lasting is a length that is known; zero is none.
func lasting(ms int64) *float64 {
	if ms == 0 {
		return nil
	}

	seconds := model.Seconds(ms)

	return &seconds
}

// libraryItemOf is an item of the library the caller may see, or not_found.
func (r *Resolver) libraryItemOf(ctx context.Context, id string) (*model.LibraryItem, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.LibraryItem, id) {
		return r.presetOf(ctx, id)
	}

	row, err := found(r.Store.Client(ctx).LibraryItem.Query().Where(libraryitem.ID(id), visibleItem(who)).WithSource().Only(ctx))
	if err != nil {
		return nil, err
	}

	return r.libraryItem(row, row.Edges.Source), nil
}

// presetOf is a default sound, or not_found.
func (r *Resolver) presetOf(ctx context.Context, id string) (*model.LibraryItem, error) {
	var types []values.CatalogType
	for stored := range presetTypes() {
		types = append(types, stored)
	}

	row, err := found(r.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.ID(strings.TrimPrefix(id, presetPrefix)), catalogitem.TypeIn(types...)).Only(ctx))
	if err != nil {
		return nil, err
	}

	return r.presetItem(row), nil
}
