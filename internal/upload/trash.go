package upload

import (
	"context"
	stdsql "database/sql"
	"fmt"

	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// onlyTrashedSQL is true if something uses the source $2 of the workspace $1, and everything that does is a video in
// the trash.
const onlyTrashedSQL = `
SELECT CASE WHEN EXISTS (SELECT FROM videos WHERE workspace_id = $1 AND trashed_at IS NOT NULL) THEN (
  SELECT coalesce(bool_and(u.kind = 'video' AND EXISTS (SELECT FROM videos v WHERE v.id = u.id AND v.trashed_at IS NOT NULL)), false)
  FROM (` + UsesOfSource + `) u
) ELSE false END`

// refuseTrashed returns not_found for a file that shows a video in the trash, or a source that only such videos use. The
// address of the file may have been signed before.
func (s downloads) refuseTrashed(ctx context.Context, workspaceID, subjectID string) error {
	switch kind, _ := ids.KindOf(subjectID); kind {
	case ids.Video:
		kept, err := s.Store.Client(ctx).Video.Query().Where(video.ID(subjectID)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("read video: %w", err)
		}

		if !kept {
			return gone(nil)
		}
	case ids.Source:
		trashed := false

		err := s.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&trashed) }, onlyTrashedSQL, workspaceID, subjectID)
		if err != nil {
			return fmt.Errorf("find what uses a source: %w", err)
		}

		if trashed {
			return gone(nil)
		}
	default:
	}

	return nil
}
