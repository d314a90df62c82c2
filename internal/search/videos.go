package search

import (
	"context"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
)

// VideoList describes a list of videos: the reader, the filters and the order. Playlist and Tags are filters too, as
// the REST list has them.
type VideoList struct {
	Who      auth.Viewer
	Playlist *string
	Tags     []string
	Filter   model.VideoFilter
	Sort     model.VideoSort
}

// name identifies the list with its filters and its order in cursors.
func (l VideoList) name() string {
	in := optional.Deref(l.Playlist)
	parts := []string{"videos", l.Who.WorkspaceID, l.Who.UserID, in, joined(l.Tags)}

	if filter := l.Filter.Name(); filter != "" {
		parts = append(parts, filter)
	}

	latestFirst := model.VideoSort{Field: model.VideoSortFieldUpdatedAt, Direction: model.SortDirectionDesc}

	if by := l.Sort; by != (model.VideoSort{}) && by != latestFirst {
		parts = append(parts, string(by.Field), string(by.Direction))
	}

	return strings.Join(parts, "|")
}

// joined returns ids in an order that does not depend on how they were given.
func joined(ids []string) string { return strings.Join(slices.Sorted(slices.Values(ids)), ",") }

// matching returns the predicates of the list. With the snapshot of a walk, memberships that were added after it do not
// count.
func (l VideoList) matching(walk string) []func(*sql.Selector) {
	all := append([]predicate.Video{access.Readable(l.Who)}, Filtered(l.Filter, walk)...)
	plain := model.VideoFilter{PlaylistID: l.Playlist, TagIDs: l.Tags}

	return paging.Plain(append(all, Filtered(plain, walk)...)...)
}

// ListVideos returns a page of the list, with the selected fields of its videos.
func (svc *Service) ListVideos(ctx context.Context, l VideoList, size int, after *string) (*model.VideoConnection, error) {
	if err := input.Validate(&l.Filter); err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	if column, rare := videoOrders[l.Sort.Field]; rare {
		return svc.sortedVideos(ctx, l, column, size, after)
	}

	w := svc.walkVideos(l, selection.Of(ctx).Items())

	c, err := w.Cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	if err := svc.checkList(ctx, l); err != nil {
		return nil, err
	}

	return w.Page(ctx, size, c)
}

// videoOrder is an order of videos in which they are not walked.
type videoOrder struct {
	column, field string // the field is that of the graph
	fold          string // as in paging.Sequence
	of            func(*ent.Video) any
}

// videoOrders are the orders of videos besides that by their last edit. Each has an index.
var videoOrders = map[model.VideoSortField]videoOrder{ //nolint:gochecknoglobals // a constant
	model.VideoSortFieldCreatedAt: {video.FieldCreatedAt, "createdAt", "", func(v *ent.Video) any { return v.CreatedAt }},
	model.VideoSortFieldDuration:  {video.FieldDurationMs, "durationMs", "", func(v *ent.Video) any { return v.DurationMs }},
	model.VideoSortFieldName:      {video.FieldName, "name", `name_order(%s) COLLATE "C"`, func(v *ent.Video) any { return v.Name }},
	model.VideoSortFieldViews:     {video.FieldViews, "views", "", func(v *ent.Video) any { return v.Views }},
}

// sortedVideos returns a page of the list in one of these orders.
func (svc *Service) sortedVideos(ctx context.Context, l VideoList, by videoOrder, size int, after *string) (*model.VideoConnection, error) {
	if after != nil { // before the filters are looked up
		if _, err := svc.Listing.Paging.Turn(l.name()).Open(ctx, *after); err != nil {
			return nil, err
		}
	}

	if err := svc.checkList(ctx, l); err != nil {
		return nil, err
	}

	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.VideoQuery {
		q := svc.Store.Client(ctx).Video.Query()
		svc.Listing.SelectVideo(l.Who, q, sel)
		q.Modify(func(s *sql.Selector) {
			for _, match := range l.matching("") {
				match(s)
			}

			only(s)
		})

		return q
	}

	return paging.Sequence[*ent.Video]{
		Service: svc.Listing.Paging, Name: l.name(), What: "videos",
		Column: by.column, Fold: by.fold, Times: by.column == video.FieldCreatedAt, Falling: l.Sort.Direction != model.SortDirectionAsc,
		At: func(v *ent.Video) (any, string) { return by.of(v), v.ID },
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Video] {
			sel := selection.Of(ctx).Items()
			if len(sel.Nodes()) > 0 {
				sel = sel.And(selection.Fields(by.field)) // for the cursors
			}

			return query(ctx, only, sel)
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	}.Page(ctx, size, after)
}

func (svc *Service) walkVideos(l VideoList, sel selection.Tree) paging.Walk[*ent.Video] {
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.VideoQuery {
		q := svc.Store.Client(ctx).Video.Query()
		svc.Listing.SelectVideo(l.Who, q, sel)
		q.Modify(only)

		return q
	}

	return paging.WalkTable(paging.Walk[*ent.Video]{
		Service: svc.Listing.Paging, Who: l.Who, Name: l.name(), What: "videos", Rising: l.Sort.Direction == model.SortDirectionAsc,
		At: func(v *ent.Video) paging.Place { return paging.Place{ID: v.ID, At: v.UpdatedAt} },
	}, paging.Table[*ent.Video]{
		Name:     video.Table,
		Matching: l.matching,
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Video] {
			return query(ctx, only, sel)
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	})
}

// checkList returns not_found unless the caller may see what filters the list.
func (svc *Service) checkList(ctx context.Context, l VideoList) error {
	plain := model.VideoFilter{PlaylistID: l.Playlist, TagIDs: l.Tags}
	if err := svc.checkFilter(ctx, l.Who, plain, ""); err != nil {
		return err
	}

	return svc.CheckFilter(ctx, l.Who, l.Filter)
}
