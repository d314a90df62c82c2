package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// videoList is one list of videos: who reads it, and through which filters.
type videoList struct {
	who      auth.Viewer
	playlist *string
	tags     []string
}

// name identifies the list and its filters in cursors.
func (l videoList) name() string {
	tags := slices.Sorted(slices.Values(l.tags))
	in := ""

	if l.playlist != nil {
		in = *l.playlist
	}

	return strings.Join([]string{"videos", l.who.WorkspaceID, l.who.UserID, in, strings.Join(tags, ",")}, "|")
}

// matching are the predicates of the list. With the snapshot of a walk, memberships made since count
// as not made.
func (l videoList) matching(walk string) []func(*sql.Selector) {
	all := []predicate.Video{readable(l.who)}

	if l.playlist != nil {
		all = append(all, video.HasPlaylistVideosWith(playlistvideo.PlaylistID(*l.playlist), seenBy(walk)))
	}

	for _, id := range l.tags {
		all = append(all, video.HasVideoTagsWith(videotag.TagID(id)))
	}

	return plain(all...)
}

// seenBy narrows memberships to those whose transaction the walk's snapshot sees; the empty walk is
// the present.
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

// listVideos reads a page of the list with what is selected of its videos.
func (r *Resolver) listVideos(ctx context.Context, l videoList, size int, after *string) (*model.VideoConnection, error) {
	w := r.walkVideos(l, selection.Of(ctx).Items())

	c, err := w.cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	if err := r.checkFilters(ctx, l); err != nil {
		return nil, err
	}

	return w.page(ctx, size, c)
}

func (r *Resolver) walkVideos(l videoList, sel selection.Tree) walk[*ent.Video] {
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.VideoQuery {
		q := r.Store.Client(ctx).Video.Query()
		r.selectVideo(l.who, q, sel)
		q.Modify(only)

		return q
	}

	return walkTable(walk[*ent.Video]{
		Resolver: r, who: l.who, name: l.name(), what: "videos",
		at: func(v *ent.Video) place { return place{v.ID, v.UpdatedAt} },
	}, table[*ent.Video]{
		name:     video.Table,
		matching: l.matching,
		all:      func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Video] { return query(ctx, only, sel) },
		whole: func(ctx context.Context, only func(*sql.Selector)) counting {
			return query(ctx, only, selection.Tree{})
		},
	})
}

// checkFilters answers not_found unless the caller may see what the list is narrowed by.
func (r *Resolver) checkFilters(ctx context.Context, l videoList) error {
	switch {
	case l.playlist != nil && len(l.tags) > 0:
		return fault.Invalid([]fault.Field{{Path: "tagIds", Rule: "must not be given together with playlistId"}})
	case l.playlist != nil:
		found, err := r.Store.Client(ctx).Playlist.Query().Where(playlist.ID(*l.playlist), readablePlaylist(l.who)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("read playlist: %w", err)
		}

		if !found {
			return fault.NotFound("playlist at playlistId")
		}
	case len(l.tags) > 0:
		seen, err := r.Store.Client(ctx).Tag.Query().Where(tag.IDIn(l.tags...), visibleTag(l.who)).IDs(ctx)
		if err != nil {
			return fmt.Errorf("read tags: %w", err)
		}

		for i, id := range l.tags {
			if !slices.Contains(seen, id) {
				return fault.NotFound(fmt.Sprintf("tag at tagIds[%d]", i))
			}
		}
	}

	return nil
}
