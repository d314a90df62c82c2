package library

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
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// libraryList is a list of the library: the items that people added, and the default sounds, sorted by their creation
// time.
type libraryList struct {
	who   auth.Viewer
	scope *values.LibraryScope
	kind  *values.LibraryType
}

// frozen is a transaction id that every snapshot sees.
const frozen = "2"

// PresetPrefix is the start of the id of every default library item. The rest of the id is the id of the preset.
const PresetPrefix = string(ids.LibraryItem) + "_"

// presetTypes are the catalog types that the library shows. Backgrounds have their own list.
func presetTypes() map[values.CatalogType]values.LibraryType {
	return map[values.CatalogType]values.LibraryType{
		values.CatalogTypeSoundEffect: values.LibraryTypeSoundEffect, values.CatalogTypeMusic: values.LibraryTypeMusic,
	}
}

// of selects the items and the default sounds as one list.
func (l libraryList) of(string) *sql.Selector {
	pg := sql.Dialect(dialect.Postgres)
	items, presets := pg.Table(libraryitem.Table), pg.Table(catalogitem.Table)

	own := pg.Select(items.C(paging.IDColumn), items.C(paging.UpdatedColumn), items.C(paging.CreatedXidColumn)).From(items).
		Where(sql.EQ(items.C(paging.WorkspaceColumn), l.who.WorkspaceID))
	listing.VisibleItem(l.who)(own)

	if l.scope != nil {
		own.Where(sql.EQ(items.C(libraryitem.FieldScope), *l.scope))
	}

	if l.kind != nil {
		own.Where(sql.EQ(items.C(libraryitem.FieldType), *l.kind))
	}

	return own.UnionAll(pg.Select().
		AppendSelectExpr(
			sql.Expr("'"+PresetPrefix+"' || "+presets.C(paging.IDColumn)), sql.Expr(presets.C(catalogitem.FieldCreatedAt)), sql.Expr(frozen),
		).
		From(presets).Where(sql.In(presets.C(catalogitem.FieldType), l.presets()...)))
}

// presets returns the types of default sounds in the list.
func (l libraryList) presets() []any {
	var types []any

	for stored, shown := range presetTypes() {
		if (l.scope == nil || *l.scope == values.LibraryScopeDefault) && (l.kind == nil || *l.kind == shown) {
			types = append(types, stored)
		}
	}

	return types
}

// ListLibrary returns a page of the library.
func (svc *Service) ListLibrary(
	ctx context.Context, scope *values.LibraryScope, kind *values.LibraryType, size int, after *string,
) (*model.LibraryItemConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	l := libraryList{who, scope, kind}
	w := paging.Walk[*model.LibraryItem]{
		Service: svc.Listing.Paging, Who: who, What: "library", Of: l.of,
		Name: strings.Join([]string{"library", who.WorkspaceID, who.UserID, string(optional.Deref(scope)), string(optional.Deref(kind))}, "|"),
		At:   func(i *model.LibraryItem) paging.Place { return paging.Place{ID: i.ID, At: i.UpdatedAt} },
		Load: svc.libraryItems,
	}
	w.Begin = func(ctx context.Context, size int) ([]paging.Place, string, []*model.LibraryItem, error) {
		return svc.beginLibrary(ctx, w, size)
	}
	w.Count = func(ctx context.Context) (n int, err error) {
		query, args := l.of("").Query()
		err = svc.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&n) }, "SELECT count(*) FROM ("+query+") b", args...)

		return n, err //nolint:wrapcheck // pageOf says what was attempted
	}

	c, err := w.Cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	return w.Page(ctx, size, c)
}

// beginLibrary reads the positions of the first items, the snapshot of those positions, and the items.
func (svc *Service) beginLibrary(
	ctx context.Context, w paging.Walk[*model.LibraryItem], size int,
) (stood []paging.Place, snapshot string, items []*model.LibraryItem, err error) {
	query, args := w.Of("").Query()
	query = fmt.Sprintf(`SELECT id, updated_at, pg_current_snapshot()::text FROM (%s) b ORDER BY updated_at DESC, id DESC LIMIT %d`,
		query, size+1)

	err = svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var p paging.Place

		err := rows.Scan(&p.ID, &p.At, &snapshot)
		stood = append(stood, p)

		return err //nolint:wrapcheck // first says what was attempted
	}, query, args...)
	if err != nil {
		return nil, "", nil, err //nolint:wrapcheck // first says what was attempted
	}

	items, err = w.There(ctx, stood[:min(len(stood), size)])

	return stood, snapshot, items, err
}

// libraryItems reads library items by id and skips deleted ones.
func (svc *Service) libraryItems(ctx context.Context, named []string) ([]*model.LibraryItem, error) {
	var own, presets []string

	for _, id := range named {
		if ids.Is(ids.LibraryItem, id) {
			own = append(own, id)
		} else {
			presets = append(presets, strings.TrimPrefix(id, PresetPrefix))
		}
	}

	var all []*model.LibraryItem

	rows, err := svc.Store.Client(ctx).LibraryItem.Query().
		Where(func(s *sql.Selector) { s.Where(store.Among(s.C(paging.IDColumn), own)) }).WithSource().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}

	for _, row := range rows {
		all = append(all, svc.libraryItem(row, row.Edges.Source))
	}

	kept, err := svc.Store.Client(ctx).CatalogItem.Query().
		Where(func(s *sql.Selector) { s.Where(store.Among(s.C(paging.IDColumn), presets)) }).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}

	for _, preset := range kept {
		all = append(all, svc.presetItem(preset))
	}

	return all, nil
}

// libraryItem returns an item that a person added, in the form of the API.
func (svc *Service) libraryItem(row *ent.LibraryItem, s *ent.Source) *model.LibraryItem {
	return &model.LibraryItem{
		ID: row.ID, Scope: row.Scope, Type: row.Type, Name: row.Name, SourceID: &row.SourceID,
		URL:   svc.Listing.MediaURL(s.ID),
		Width: upload.Known(s.Width), Height: upload.Known(s.Height), DurationSeconds: lasting(s.DurationMs),
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// presetItem returns a default sound in the form of the API.
func (svc *Service) presetItem(c *ent.CatalogItem) *model.LibraryItem {
	return &model.LibraryItem{
		ID: PresetPrefix + c.ID, Scope: values.LibraryScopeDefault, Type: presetTypes()[c.Type], Name: c.Name, PresetID: &c.ID,
		URL: svc.Addresses.Catalog(c.ID), DurationSeconds: lasting(c.DurationMs), CreatedAt: c.CreatedAt, UpdatedAt: c.CreatedAt,
	}
}

// lasting returns a length, or nil if it is zero, which means unknown.
func lasting(ms int64) *float64 {
	if ms == 0 {
		return nil
	}

	seconds := model.Seconds(ms)

	return &seconds
}

// LibraryItemOf returns a library item the caller may see, or not_found.
func (svc *Service) LibraryItemOf(ctx context.Context, id string) (*model.LibraryItem, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.LibraryItem, id) {
		return svc.presetOf(ctx, id)
	}

	row, err := listing.Found(svc.Store.Client(ctx).LibraryItem.Query().
		Where(libraryitem.ID(id), listing.VisibleItem(who)).WithSource().Only(ctx))
	if err != nil {
		return nil, err
	}

	return svc.libraryItem(row, row.Edges.Source), nil
}

// ItemsNamed returns those of the named library items that the caller may see, by id.
func (svc *Service) ItemsNamed(ctx context.Context, named []string) (map[string]model.Node, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	var own, presets []string

	for _, id := range named {
		if ids.Is(ids.LibraryItem, id) {
			own = append(own, id)
		} else {
			presets = append(presets, strings.TrimPrefix(id, PresetPrefix))
		}
	}

	found := make(map[string]model.Node, len(named))

	if len(own) > 0 {
		rows, err := svc.Store.Client(ctx).LibraryItem.Query().
			Where(libraryitem.IDIn(own...), listing.VisibleItem(who)).WithSource().All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read items: %w", err)
		}

		for _, row := range rows {
			found[row.ID] = svc.libraryItem(row, row.Edges.Source)
		}
	}

	if len(presets) > 0 {
		rows, err := svc.Store.Client(ctx).CatalogItem.Query().Where(catalogitem.IDIn(presets...), isPreset()).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read presets: %w", err)
		}

		for _, row := range rows {
			found[PresetPrefix+row.ID] = svc.presetItem(row)
		}
	}

	return found, nil
}

// isPreset limits items of the catalog to default sounds.
func isPreset() predicate.CatalogItem {
	var types []values.CatalogType
	for stored := range presetTypes() {
		types = append(types, stored)
	}

	return catalogitem.TypeIn(types...)
}

// presetOf returns a default sound, or not_found.
func (svc *Service) presetOf(ctx context.Context, id string) (*model.LibraryItem, error) {
	row, err := listing.Found(svc.Store.Client(ctx).CatalogItem.Query().
		Where(catalogitem.ID(strings.TrimPrefix(id, PresetPrefix)), isPreset()).Only(ctx))
	if err != nil {
		return nil, err
	}

	return svc.presetItem(row), nil
}
