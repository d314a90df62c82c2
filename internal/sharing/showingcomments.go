package sharing

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/comments"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// mostComments is how many comments a page shows; it shows the newest.
const mostComments = 200

// ShownComments returns the comments on a video that is shown to a visitor, oldest first.
func (svc *Service) ShownComments(ctx context.Context, s *model.Showing) ([]model.ShownComment, error) {
	rows, err := svc.Store.Client(ctx).Comment.Query().Where(comment.VideoID(s.Video.ID)).
		Order(ent.Desc(comment.FieldCreatedAt, comment.FieldID)).Limit(mostComments).
		All(auth.AsWorkspace(ctx, s.Video.WorkspaceID))
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}

	every, err := svc.decides(ctx, s)
	if err != nil {
		return nil, err
	}

	shown := make([]model.ShownComment, len(rows))
	for i, c := range rows {
		shown[len(rows)-1-i] = shownComment(c, s, every)
	}

	return shown, nil
}

// decides reports whether a visitor to whom a video was shown may delete other people's comments on it. Owners and
// admins may be shown videos that they may not read.
func (svc *Service) decides(ctx context.Context, s *model.Showing) (bool, error) {
	if s.Who.UserID == "" || !access.Governs(s.Who, s.Video) {
		return false, nil
	}

	may, err := svc.Store.Client(ctx).Video.Query().Where(video.ID(s.Video.ID), access.Readable(s.Who)).Exist(auth.With(ctx, s.Who))
	if err != nil {
		return false, fmt.Errorf("read video: %w", err)
	}

	return may, nil
}

// shownComment returns a comment in the form that the page shows. Its author and those who decide about the video may
// delete it.
func shownComment(c *ent.Comment, s *model.Showing, every bool) model.ShownComment {
	own := s.Who.UserID != "" && optional.Deref(c.UserID) == s.Who.UserID

	return model.ShownComment{
		ID: c.ID, Author: c.Author, Body: c.Body, AtMs: c.AtMs, CreatedAt: c.CreatedAt, Removable: own || every,
	}
}

// CommentAsVisitor adds a comment on behalf of a visitor to whom the video was shown. A visitor who is not a member
// must give a name.
func (svc *Service) CommentAsVisitor(ctx context.Context, s *model.Showing, in model.VisitorComment) (model.ShownComment, error) {
	within, said := auth.AsWorkspace(ctx, s.Video.WorkspaceID), in.AddCommentInput

	var input any = &in

	by := comments.Author{Name: in.Author}
	if s.Who.UserID != "" {
		within, by, input = auth.With(ctx, s.Who), comments.Author{UserID: s.Who.UserID, Name: s.Name}, &said
	}

	made, err := store.Write(within, svc.Store, input, func(ctx context.Context) (*ent.Comment, error) {
		v, err := svc.Store.Client(ctx).Video.Get(ctx, s.Video.ID)
		if ent.IsNotFound(err) {
			return nil, fault.NotFound("video")
		}

		if err != nil {
			return nil, fmt.Errorf("read video: %w", err)
		}

		return svc.Comments.SayUnder(ctx, v, by, said)
	})
	if err != nil {
		return model.ShownComment{}, err
	}

	return shownComment(made, s, false), nil
}

// RemoveComment deletes a comment on behalf of a member to whom the video was shown.
func (svc *Service) RemoveComment(ctx context.Context, s *model.Showing, id string) error {
	if s.Who.UserID == "" {
		return fault.Unauthorized()
	}

	return svc.Comments.DeleteComment(auth.With(ctx, s.Who), id)
}
