package listing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/videotag"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// VideoList describes a list of videos: the reader and the filters.
type VideoList struct {
	Who      auth.Viewer
	Playlist *string
	Tags     []string
}

// name identifies the list and its filters in cursors.
func (l VideoList) name() string {
	tags := slices.Sorted(slices.Values(l.Tags))
	in := ""

	if l.Playlist != nil {
		in = *l.Playlist
	}

	return strings.Join([]string{"videos", l.Who.WorkspaceID, l.Who.UserID, in, strings.Join(tags, ",")}, "|")
}

// matching returns the predicates of the list. With the snapshot of a walk, memberships that were added after it do not
// count.
func (l VideoList) matching(walk string) []func(*sql.Selector) {
	all := []predicate.Video{access.Readable(l.Who)}

	if l.Playlist != nil {
		all = append(all, video.HasPlaylistVideosWith(playlistvideo.PlaylistID(*l.Playlist), seenBy(walk)))
	}

	for _, id := range l.Tags {
		all = append(all, video.HasVideoTagsWith(videotag.TagID(id)))
	}

	return paging.Plain(all...)
}

// seenBy limits memberships to those that the walk's snapshot sees. An empty walk means the present.
func seenBy(walk string) predicate.PlaylistVideo {
	return func(s *sql.Selector) {
		if walk == "" {
			return
		}

		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("pg_visible_in_snapshot(" + s.C(playlistvideo.FieldCreatedXid) + "::text::xid8, ")
			b.Arg(walk).WriteString("::pg_snapshot)")
		}))
	}
}

// ListVideos returns a page of the list, with the selected fields of its videos.
func (svc *Service) ListVideos(ctx context.Context, l VideoList, size int, after *string) (*model.VideoConnection, error) {
	w := svc.walkVideos(l, selection.Of(ctx).Items())

	c, err := w.Cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	if err := svc.checkFilters(ctx, l); err != nil {
		return nil, err
	}

	return w.Page(ctx, size, c)
}

func (svc *Service) walkVideos(l VideoList, sel selection.Tree) paging.Walk[*ent.Video] {
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.VideoQuery {
		q := svc.Store.Client(ctx).Video.Query()
		svc.SelectVideo(l.Who, q, sel)
		q.Modify(only)

		return q
	}

	return paging.WalkTable(paging.Walk[*ent.Video]{
		Service: svc.Paging, Who: l.Who, Name: l.name(), What: "videos",
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

// checkFilters returns not_found unless the caller may see the playlist and tags that filter the list.
func (svc *Service) checkFilters(ctx context.Context, l VideoList) error {
	switch {
	case l.Playlist != nil && len(l.Tags) > 0:
		return fault.Invalid([]fault.Field{{Path: "tagIds", Rule: "must not be given together with playlistId"}})
	case l.Playlist != nil:
		found, err := svc.Store.Client(ctx).Playlist.Query().Where(playlist.ID(*l.Playlist), ReadablePlaylist(l.Who)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("read playlist: %w", err)
		}

		if !found {
			return fault.NotFound("playlist at playlistId")
		}
	case len(l.Tags) > 0:
		seen, err := svc.Store.Client(ctx).Tag.Query().Where(tag.IDIn(l.Tags...), VisibleTag(l.Who)).IDs(ctx)
		if err != nil {
			return fmt.Errorf("read tags: %w", err)
		}

		for i, id := range l.Tags {
			if !slices.Contains(seen, id) {
				return fault.NotFound(fmt.Sprintf("tag at tagIds[%d]", i))
			}
		}
	}

	return nil
}
