package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
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
func (l videoList) matching(walk string) []predicate.Video {
	all := []predicate.Video{readable(l.who)}

	if l.playlist != nil {
		all = append(all, video.HasPlaylistVideosWith(playlistvideo.PlaylistID(*l.playlist), seenBy(walk)))
	}

	for _, id := range l.tags {
		all = append(all, video.HasVideoTagsWith(videotag.TagID(id)))
	}

	return all
}

// seenBy narrows memberships to those whose transaction the walk's snapshot sees; the empty walk is
// the present.
func seenBy(walk string) predicate.PlaylistVideo {
	return func(s *sql.Selector) {
		if walk != "" {
			s.Where(sql.ExprP("pg_visible_in_snapshot("+s.C(playlistvideo.FieldCreatedXid)+"::text::xid8, ?::pg_snapshot)", walk))
		}
	}
}

// listVideos reads a page of the list with what is selected of its videos.
func (r *Resolver) listVideos(ctx context.Context, l videoList, size int, after *string) (*model.VideoConnection, error) {
	var c cursor

	if after != nil {
		var err error
		if c, err = r.open(*after, l.name()); err != nil {
			return nil, err
		}
	}

	if err := r.checkFilters(ctx, l); err != nil {
		return nil, err
	}

	sel := selection.Of(ctx).Items()

	if after == nil {
		return r.firstVideos(ctx, l, size, sel)
	}

	return r.nextVideos(ctx, l, size, sel, c)
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

// visibleTag narrows tags to those the viewer may see: the workspace's and its own.
func visibleTag(who auth.Viewer) predicate.Tag {
	return tag.Or(tag.ScopeEQ(domain.TagScopeWorkspace), tag.UserID(who.UserID))
}

func (r *Resolver) firstVideos(ctx context.Context, l videoList, size int, sel selection.Tree) (*model.VideoConnection, error) {
	q := r.Store.Client(ctx).Video.Query().
		Where(l.matching("")...).
		Order(ent.Desc(video.FieldUpdatedAt, video.FieldID)).
		Limit(size + 1)
	r.selectVideo(l.who, q, sel)
	q.Modify(beginWalk)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list videos: %w", err)
	}

	begun := cursor{MadeMs: r.now().UnixMilli()}

	if len(rows) > 0 {
		walk, err := rows[0].Value(walkColumn)
		if err != nil {
			return nil, fmt.Errorf("list videos: %w", err)
		}

		begun.Walk, _ = walk.(string)
	}

	at := func(v *ent.Video) time.Time { return v.UpdatedAt }

	return r.videoPage(l, rows, size, begun, at), nil
}

func (r *Resolver) nextVideos(ctx context.Context, l videoList, size int, sel selection.Tree, c cursor) (*model.VideoConnection, error) {
	table := sql.Table(video.Table)
	of := sql.Select(table.C(video.FieldID), table.C(video.FieldUpdatedAt), table.C(video.FieldCreatedXid)).
		From(table).Where(sql.EQ(table.C(video.FieldWorkspaceID), l.who.WorkspaceID))

	for _, match := range l.matching(c.Walk) {
		match(of)
	}

	places, err := r.continueWalk(ctx, l.who, of, c, size+1)
	if err != nil {
		return nil, fmt.Errorf("list videos: %w", err)
	}

	more := len(places) > size
	places = places[:min(len(places), size)]

	stood := map[string]time.Time{}
	named := make([]string, len(places))

	for i, p := range places {
		named[i], stood[p.id] = p.id, p.at
	}

	q := r.Store.Client(ctx).Video.Query().Where(video.IDIn(named...))
	r.selectVideo(l.who, q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list videos: %w", err)
	}

	slices.SortFunc(rows, func(a, b *ent.Video) int {
		return slices.Index(named, a.ID) - slices.Index(named, b.ID)
	})

	page := r.videoPage(l, rows, size, c, func(v *ent.Video) time.Time { return stood[v.ID] })

	// The page ends where the walk stands, even if its last video was deleted a moment ago.
	if len(places) > 0 {
		last := places[len(places)-1]
		c.AtMs, c.ID = last.at.UnixMilli(), last.id
		page.PageInfo = model.PageInfo{HasNextPage: more, End: func() string { return r.seal(c, l.name()) }}
	}

	return page, nil
}

func (r *Resolver) videoPage(l videoList, rows []*ent.Video, size int, walk cursor, at func(*ent.Video) time.Time) *model.VideoConnection {
	return pageOf(rows, size,
		func(v *ent.Video) string {
			here := walk // several goroutines marshal a page
			here.AtMs, here.ID = at(v).UnixMilli(), v.ID

			return r.seal(here, l.name())
		},
		func(ctx context.Context) (int, error) {
			n, err := r.Store.Client(ctx).Video.Query().Where(l.matching("")...).Count(ctx)
			if err != nil {
				return 0, fmt.Errorf("count videos: %w", err)
			}

			return n, nil
		})
}
