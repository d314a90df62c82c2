package playlists

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// row is one row of the sidebar, without the thing that comes, goes or moves in it: the positions of
// the others have no gaps.
type row struct {
	count func(ctx context.Context) (int, error)
	// shift moves those at a position and behind it.
	shift func(ctx context.Context, from, by int) error
}

// leave closes the gap that the thing leaves.
func (o row) leave(ctx context.Context, at int) error { return o.shift(ctx, at+1, -1) }

// enter makes room and says where: at the wanted position, or at the end.
func (o row) enter(ctx context.Context, wanted *int) (int, error) {
	at, err := o.count(ctx)
	if err != nil || wanted == nil || *wanted >= at {
		return at, err
	}

	return *wanted, o.shift(ctx, *wanted, 1)
}

// lockSidebar serialises what moves things in the sidebars of the workspace, until the transaction
// ends. It comes before any lock of a playlist, so that nobody waits in a ring.
func (s *Service) lockSidebar(ctx context.Context, workspaceID string) error {
	err := s.Store.WithTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, "sidebar|"+workspaceID)

		return err //nolint:wrapcheck // wrapped below
	})
	if err != nil {
		return fmt.Errorf("lock sidebar: %w", err)
	}

	return nil
}

// playlistsBeside are the playlists of a group, or of none, beside the given one.
func (s *Service) playlistsBeside(p *ent.Playlist, groupID *string) row {
	beside := []predicate.Playlist{playlist.IDNEQ(p.ID), playlist.VisibilityEQ(p.Visibility)}

	if p.Visibility == values.VisibilityPersonal {
		beside = append(beside, playlist.UserID(p.UserID))
	}

	if groupID == nil {
		beside = append(beside, playlist.GroupIDIsNil())
	} else {
		beside = append(beside, playlist.GroupID(*groupID))
	}

	return row{
		count: func(ctx context.Context) (int, error) {
			n, err := s.Store.Client(ctx).Playlist.Query().Where(beside...).Count(ctx)
			if err != nil {
				return 0, fmt.Errorf("count playlists: %w", err)
			}

			return n, nil
		},
		shift: func(ctx context.Context, from, by int) error {
			err := s.Store.Client(ctx).Playlist.Update().Where(beside...).Where(playlist.PositionGTE(from)).AddPosition(by).Exec(ctx)
			if err != nil {
				return fmt.Errorf("move playlists: %w", err)
			}

			return nil
		},
	}
}

// groupsBeside are the groups that stand in one sidebar with the given one.
func (s *Service) groupsBeside(g *ent.PlaylistGroup) row {
	beside := []predicate.PlaylistGroup{playlistgroup.IDNEQ(g.ID), playlistgroup.VisibilityEQ(g.Visibility)}

	if g.Visibility == values.VisibilityPersonal {
		beside = append(beside, playlistgroup.UserID(g.UserID))
	}

	return row{
		count: func(ctx context.Context) (int, error) {
			n, err := s.Store.Client(ctx).PlaylistGroup.Query().Where(beside...).Count(ctx)
			if err != nil {
				return 0, fmt.Errorf("count groups: %w", err)
			}

			return n, nil
		},
		shift: func(ctx context.Context, from, by int) error {
			err := s.Store.Client(ctx).PlaylistGroup.Update().Where(beside...).Where(playlistgroup.PositionGTE(from)).AddPosition(by).Exec(ctx)
			if err != nil {
				return fmt.Errorf("move groups: %w", err)
			}

			return nil
		},
	}
}
