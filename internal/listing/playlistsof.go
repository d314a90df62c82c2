package listing

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
)

// playlistsBelow reads, for many videos, the playlists that contain them and that the viewer may read.
func (svc Playlists) playlistsBelow(who auth.Viewer, list Asked) ReadBelow[*ent.Video] {
	order := []sql.Querier{sql.Expr(ent.MemberColumn)}

	return EachList[*ent.Video](FirstPage(list, playlistvideo.Table, playlistvideo.FieldVideoID, order),
		func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Playlist] {
			return svc.containing(ctx, who, list.Tree.Items(), func(s *sql.Selector, _ *sql.SelectTable) { only(s) })
		})
}

// containing returns a query of playlists that has a row for each video in each playlist. The rows hold the id of the
// membership, by which they are sorted: it tells when the video was added.
func (svc Playlists) containing(
	ctx context.Context, who auth.Viewer, sel selection.Tree, only func(s *sql.Selector, members *sql.SelectTable),
) *ent.PlaylistQuery {
	q := svc.Store.Client(ctx).Playlist.Query().Where(ReadablePlaylist(who))
	svc.SelectPlaylist(who, q, sel)

	q.Modify(func(s *sql.Selector) {
		members := sql.Table(playlistvideo.Table).As(playlistvideo.Table)
		s.Join(members).On(s.C(playlist.FieldID), members.C(playlistvideo.FieldPlaylistID))
		s.AppendSelectAs(members.C(playlistvideo.FieldID), ent.MemberColumn)
		only(s, members)
	})

	return q
}

// PlaylistsWith returns a page of the playlists that contain a video and that the caller may read, in the order in which
// the video was added to them.
func (svc Playlists) PlaylistsWith(ctx context.Context, v *ent.Video, size int, after *string) (*model.PlaylistConnection, error) {
	turn := svc.Paging.Turn("playlists with|" + v.ID)
	placeOf := func(p *ent.Playlist) cursor.Cursor { return cursor.Cursor{ID: p.Extra.Member} }

	if rows, known := ListBelow[*ent.Playlist](v, ListName("playlists", size)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, TotalOf(rows)), nil
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	var behind cursor.Cursor

	if after != nil {
		if behind, err = turn.Open(ctx, *after); err != nil {
			return nil, err
		}
	}

	rows, err := svc.containing(ctx, who, selection.Of(ctx).Items(), func(s *sql.Selector, members *sql.SelectTable) {
		s.Where(sql.And(
			sql.EQ(members.C(playlistvideo.FieldVideoID), v.ID),
			sql.GT(members.C(playlistvideo.FieldID), behind.ID), // every id is greater than none
		))
		s.OrderBy(members.C(playlistvideo.FieldID)).Limit(size + 1)
	}).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read playlists of video: %w", err)
	}

	return paging.PageOf(turn, rows, size, placeOf, func(ctx context.Context) (int, error) {
		n, err := svc.Store.Client(ctx).PlaylistVideo.Query().Where(playlistvideo.VideoID(v.ID), inReadablePlaylist(who)).Count(ctx)
		if err != nil {
			return 0, fmt.Errorf("count playlists of video: %w", err)
		}

		return n, nil
	}), nil
}
