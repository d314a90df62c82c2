package search

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqljson"

	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/videotag"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Filtered returns the predicates of a filter. It does not check whether the caller may see what the filter names: see
// CheckFilter. With the snapshot of a walk, memberships of playlists that were added after it do not count. An empty
// walk means the present.
func Filtered(f model.VideoFilter, walk string) []predicate.Video {
	var all []predicate.Video

	if f.CreatorID != nil {
		all = append(all, video.UserID(*f.CreatorID))
	}

	if f.PlaylistID != nil {
		all = append(all, video.HasPlaylistVideosWith(playlistvideo.PlaylistID(*f.PlaylistID), seenBy(walk)))
	}

	for _, id := range f.TagIDs {
		all = append(all, video.HasVideoTagsWith(videotag.TagID(id)))
	}

	if f.LinkScope != nil {
		all = append(all, func(s *sql.Selector) {
			s.Where(sqljson.ValueEQ(s.C(video.FieldSettings), string(*f.LinkScope), sqljson.Path("linkScope")))
		})
	}

	if f.CreatedAfter != nil {
		all = append(all, video.CreatedAtGTE(*f.CreatedAfter))
	}

	if f.CreatedBefore != nil {
		all = append(all, video.CreatedAtLT(*f.CreatedBefore))
	}

	return all
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

// CheckFilter returns not_found unless the caller may see the person, the playlist and the tags that a filter names.
func (svc *Service) CheckFilter(ctx context.Context, who auth.Viewer, f model.VideoFilter) error {
	return svc.checkFilter(ctx, who, f, "filter.")
}

// checkFilter does the same for a filter at the given path.
func (svc *Service) checkFilter(ctx context.Context, who auth.Viewer, f model.VideoFilter, path string) error {
	c := svc.Store.Client(ctx)

	if f.CreatorID != nil {
		found, err := c.User.Query().Where(user.ID(*f.CreatorID)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("read user: %w", err)
		}

		if !found {
			return fault.NotFound("user at " + path + "creatorId")
		}
	}

	if f.PlaylistID != nil {
		found, err := c.Playlist.Query().Where(playlist.ID(*f.PlaylistID), listing.ReadablePlaylist(who)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("read playlist: %w", err)
		}

		if !found {
			return fault.NotFound("playlist at " + path + "playlistId")
		}
	}

	if len(f.TagIDs) == 0 {
		return nil
	}

	seen, err := c.Tag.Query().Where(tag.IDIn(f.TagIDs...), listing.VisibleTag(who)).IDs(ctx)
	if err != nil {
		return fmt.Errorf("read tags: %w", err)
	}

	for i, id := range f.TagIDs {
		if !slices.Contains(seen, id) {
			return fault.NotFound(fmt.Sprintf("tag at %stagIds[%d]", path, i))
		}
	}

	return nil
}
