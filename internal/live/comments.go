package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
)

// CommentsUpdated sends the comments on a video that were added or changed, and the ids of those that were deleted, at
// most once a second. The first event is sent at once and is empty. The stream ends when the video is deleted, or when
// the caller may no longer read it.
func (s *Service) CommentsUpdated(ctx context.Context, videoID string) (<-chan *model.CommentsUpdate, error) {
	comments, stopComments := s.Topics.Subscribe(jobs.CommentsTopic(videoID))
	video, stopVideo := s.Topics.Subscribe(jobs.VideoTopic(videoID))
	stop := func() {
		stopComments()
		stopVideo()
	}

	return follow(ctx, listener[*model.CommentsUpdate]{
		Service: s, videoID: videoID, wakes: []<-chan struct{}{comments, video},
		tell: func(ctx context.Context, _ auth.Viewer, all []changed) (*model.CommentsUpdate, bool, error) {
			return s.commentsUpdate(ctx, videoID, all)
		},
	}, stop)
}

// commentsUpdate returns the changed comments, oldest first. It returns not_found if the caller may not read the video.
func (s *Service) commentsUpdate(ctx context.Context, videoID string, all []changed) (*model.CommentsUpdate, bool, error) {
	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id"))
	if err != nil {
		return nil, false, err
	}

	u := &model.CommentsUpdate{Changed: []*ent.Comment{}, Gone: []string{}}

	for _, c := range all {
		u.Gone = append(u.Gone, c.id)
	}

	if len(all) == 0 {
		return u, false, nil
	}

	u.Changed, err = s.Store.Client(ctx).Comment.Query().Where(comment.IDIn(u.Gone...), comment.VideoID(v.ID)).
		Order(ent.Asc(comment.FieldCreatedAt, comment.FieldID)).All(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("read the changed comments: %w", err)
	}

	u.Gone = slices.DeleteFunc(u.Gone, func(id string) bool {
		return slices.ContainsFunc(u.Changed, func(c *ent.Comment) bool { return c.ID == id })
	})

	return u, true, nil
}
