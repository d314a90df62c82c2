package sharing

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

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

// ShownComments returns the comments on a video that is shown to a visitor, oldest first, each with its replies. A
// comment that has one of the newest replies is among them, however old it is.
func (svc *Service) ShownComments(ctx context.Context, s *model.Showing) ([]model.ShownComment, error) {
	within := auth.AsWorkspace(ctx, s.Video.WorkspaceID)
	order := []comment.OrderOption{comment.ByCreatedAt(sql.OrderDesc()), comment.ByID(sql.OrderDesc())}

	rows, err := svc.Store.Client(ctx).Comment.Query().Where(comment.VideoID(s.Video.ID)).Order(order...).Limit(mostComments).All(within)
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}

	if missing := answeredBefore(rows); len(missing) > 0 {
		older, err := svc.Store.Client(ctx).Comment.Query().Where(comment.IDIn(missing...)).Order(order...).All(within)
		if err != nil {
			return nil, fmt.Errorf("read the comments that were answered: %w", err)
		}

		rows = append(rows, older...)
	}

	may, err := svc.rightsOver(ctx, s)
	if err != nil {
		return nil, err
	}

	shown := make([]model.ShownComment, len(rows))
	for i, c := range rows {
		shown[len(rows)-1-i] = shownComment(c, s, may)
	}

	return threads(shown), nil
}

// answeredBefore returns the ids of the comments that some of these answer and that are not among them.
func answeredBefore(rows []*ent.Comment) []string {
	here, missing := map[string]bool{}, []string{}
	for _, c := range rows {
		here[c.ID] = true
	}

	for _, c := range rows {
		if of := optional.Deref(c.ReplyToID); of != "" && !here[of] {
			here[of] = true
			missing = append(missing, of)
		}
	}

	return missing
}

// threads puts replies under the comments that they answer. Both keep their order. It leaves out replies whose comment
// is not among them, because it was deleted a moment ago.
func threads(all []model.ShownComment) []model.ShownComment {
	replies := map[string][]model.ShownComment{}
	for _, c := range all {
		replies[c.ReplyToID] = append(replies[c.ReplyToID], c)
	}

	begun := replies[""]
	for i, c := range begun {
		begun[i].Replies = replies[c.ID]
	}

	return begun
}

// rights are what a visitor may do with the comments of other people on a video.
type rights struct{ removes, resolves bool }

// rightsOver returns what a visitor to whom a video was shown may do with other people's comments on it. Only members
// who may read the video have such rights: owners and admins may be shown videos that they may not read.
func (svc *Service) rightsOver(ctx context.Context, s *model.Showing) (rights, error) {
	if s.Who.UserID == "" {
		return rights{}, nil
	}

	ctx = auth.With(ctx, s.Who)

	reads, err := svc.Store.Client(ctx).Video.Query().Where(video.ID(s.Video.ID), access.Readable(s.Who)).Exist(ctx)
	if err != nil {
		return rights{}, fmt.Errorf("read video: %w", err)
	}

	if !reads {
		return rights{}, nil
	}

	edits, err := svc.Listing.Rights().MayEdit(ctx, s.Who, s.Video)

	return rights{removes: access.Governs(s.Who, s.Video), resolves: edits}, err
}

// shownComment returns a comment in the form that the page shows, with what the visitor may do with it. Only its author
// may change it.
func shownComment(c *ent.Comment, s *model.Showing, may rights) model.ShownComment {
	own := s.Who.UserID != "" && optional.Deref(c.UserID) == s.Who.UserID

	return model.ShownComment{
		ID: c.ID, Author: c.Author, Body: c.Body, AtMs: c.AtMs, CreatedAt: c.CreatedAt, ReplyToID: optional.Deref(c.ReplyToID),
		Edited: c.EditedAt != nil, Resolved: c.ResolvedAt != nil, ResolvedBy: optional.Deref(c.ResolvedBy),
		Editable: own, Removable: own || may.removes, Resolvable: c.ReplyToID == nil && (own || may.resolves),
	}
}

// CommentAsVisitor adds a comment or a reply on behalf of a visitor to whom the video was shown. A visitor who is not a member
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

	return svc.shownAgain(ctx, s, made)
}

// shownAgain returns a comment that the visitor has just written or changed, without its replies.
func (svc *Service) shownAgain(ctx context.Context, s *model.Showing, c *ent.Comment) (model.ShownComment, error) {
	may, err := svc.rightsOver(ctx, s)
	if err != nil {
		return model.ShownComment{}, err
	}

	return shownComment(c, s, may), nil
}

// ChangeComment changes the body of a comment on behalf of the member who wrote it, to whom the video was shown.
func (svc *Service) ChangeComment(
	ctx context.Context, s *model.Showing, id string, in model.UpdateCommentInput,
) (model.ShownComment, error) {
	within, err := svc.memberAt(ctx, s, id)
	if err != nil {
		return model.ShownComment{}, err
	}

	changed, err := svc.Comments.UpdateComment(within, id, in)
	if err != nil {
		return model.ShownComment{}, err
	}

	return svc.shownAgain(ctx, s, changed)
}

// ResolveComment resolves a comment or opens it again, on behalf of a member to whom the video was shown.
func (svc *Service) ResolveComment(
	ctx context.Context, s *model.Showing, id string, in model.ResolveCommentInput,
) (model.ShownComment, error) {
	within, err := svc.memberAt(ctx, s, id)
	if err != nil {
		return model.ShownComment{}, err
	}

	changed, err := svc.Comments.ResolveComment(within, id, in)
	if err != nil {
		return model.ShownComment{}, err
	}

	return svc.shownAgain(ctx, s, changed)
}

// RemoveComment deletes a comment on behalf of a member to whom the video was shown.
func (svc *Service) RemoveComment(ctx context.Context, s *model.Showing, id string) error {
	within, err := svc.memberAt(ctx, s, id)
	if err != nil {
		return err
	}

	return svc.Comments.DeleteComment(within, id)
}

// memberAt returns the context of the member to whom a video was shown. It returns unauthorized if the visitor is not a
// member, and not_found if the comment is not on that video.
func (svc *Service) memberAt(ctx context.Context, s *model.Showing, id string) (context.Context, error) {
	if s.Who.UserID == "" {
		return nil, fault.Unauthorized()
	}

	within := auth.With(ctx, s.Who)

	here, err := svc.Store.Client(ctx).Comment.Query().Where(comment.ID(id), comment.VideoID(s.Video.ID)).Exist(within)
	if err != nil {
		return nil, fmt.Errorf("find comment: %w", err)
	}

	if !here {
		return nil, fault.NotFound("comment")
	}

	return within, nil
}
