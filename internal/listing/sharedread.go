package listing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// sharedReadTimeout bounds a read that several requests wait for.
const sharedReadTimeout = 10 * time.Second

// videosByID are rows that were read together.
type videosByID map[string]*ent.Video

// sharedVideo reads columns of a video the viewer may read, or not_found. Requests of one viewer that want
// the same columns while such a read is on its way share the next one: many ids cost hardly more than one.
// It must not be called in a transaction, whose reads see what nobody else does.
func (svc *Service) sharedVideo(ctx context.Context, who auth.Viewer, id string, columns []string) (*ent.Video, error) {
	key := strings.Join(columns, ",") + "|" + who.WorkspaceID + "|" + who.UserID + "|" + string(who.Role)

	_, rows, err := svc.videos.Join(key, id, func(ids []string) (videosByID, error) {
		return svc.videosOf(ctx, who, ids, columns)
	})
	if err != nil {
		return nil, fmt.Errorf("read video: %w", err)
	}

	row, is := rows[id]
	if !is {
		return nil, fault.NotFound("video")
	}

	own := *row // no request hands its row to another

	return &own, nil
}

// videosOf reads what is read of each of the videos. That the request which leads is given up does not
// end the read for the others.
func (svc *Service) videosOf(ctx context.Context, who auth.Viewer, ids, columns []string) (videosByID, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedReadTimeout)
	defer cancel()

	found, err := svc.Store.Client(ctx).Video.Query().Where(oneOf(ids), access.Readable(who)).Select(columns...).All(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // sharedVideo says what was attempted
	}

	rows := make(videosByID, len(found))
	for _, v := range found {
		rows[v.ID] = v
	}

	return rows, nil
}

// oneOf is the statement's one argument however many ids there are, so that it is prepared once.
func oneOf(ids []string) predicate.Video {
	return func(s *sql.Selector) { s.Where(store.Among(s.C(video.FieldID), ids)) }
}
