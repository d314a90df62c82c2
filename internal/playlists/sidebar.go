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

// row is a row of the sidebar without the item that is added, removed or moved. The positions of the other items have
// no gaps.
type row struct {
	count func(ctx context.Context) (int, error)
	// shift changes the positions from a given one on.
	shift func(ctx context.Context, from, by int) error
}

// leave closes the gap of the item that leaves.
func (o row) leave(ctx context.Context, at int) error { return o.shift(ctx, at+1, -1) }

// enter makes room for an item and returns its position: the wanted one, or the end.
func (o row) enter(ctx context.Context, wanted *int) (int, error) {
	at, err := o.count(ctx)
	if err != nil || wanted == nil || *wanted >= at {
		return at, err
	}

	return *wanted, o.shift(ctx, *wanted, 1)
}

// lockSidebar serializes moves in the sidebars of the workspace until the transaction ends. Take it before any lock of
// a playlist, to avoid deadlocks.
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

// playlistsBeside returns the other playlists of a group, or those without a group.
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

// groupsBeside returns the other groups in the same sidebar.
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
