package comments

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// CommentPage returns a page of the comments on a video that the caller may read, oldest first.
func (s *Service) CommentPage(ctx context.Context, videoID string, size int, after *string) (*model.CommentConnection, error) {
	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id"))
	if err != nil {
		return nil, err
	}

	return s.Listing.CommentPage(ctx, v, size, after)
}

// AddComment adds a comment by the caller to a video the caller may read.
func (s *Service) AddComment(ctx context.Context, videoID string, in model.AddCommentInput) (*ent.Comment, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.Comment, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
		if err != nil {
			return nil, err
		}

		self, err := s.Store.Client(ctx).User.Get(ctx, who.UserID)
		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		return s.SayUnder(ctx, v, Author{self.ID, self.Name}, in)
	})
}

// SayUnder adds a comment to a video, or a reply to one, and notifies the creator of the video. It returns forbidden if
// the video does not allow comments.
func (s *Service) SayUnder(ctx context.Context, v *ent.Video, by Author, in model.AddCommentInput) (*ent.Comment, error) {
	if !v.Settings.CommentsEnabled {
		return nil, closed()
	}

	create := s.Store.Client(ctx).Comment.Create().SetVideo(v).SetAuthor(by.Name).SetBody(in.Body)
	if by.UserID != "" {
		create.SetUserID(by.UserID)
	}

	if in.AtSeconds != nil {
		at := int64(math.Round(*in.AtSeconds * float64(time.Second/time.Millisecond)))
		if at > v.DurationMs {
			return nil, fault.Invalid([]fault.Field{{Path: "atSeconds", Rule: "must not be after the end of the video"}})
		}

		create.SetAtMs(at)
	}

	if in.ReplyToID != nil {
		answered, err := s.answerable(ctx, v, *in.ReplyToID)
		if err != nil {
			return nil, err
		}

		create.SetReplyTo(answered)
	}

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create comment: %w", err)
	}

	return made, s.tellOfComment(ctx, v, made)
}

// CommentOf returns a comment together with its video. It returns not_found if the caller may not read the video. A
// comment that matches one of the given predicates is returned even then, unless the video is in the trash.
func (s *Service) CommentOf(ctx context.Context, id string, or ...predicate.Comment) (*ent.Comment, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Comment, id) {
		return nil, fault.NotFound("comment")
	}

	c, err := s.Store.Client(ctx).Comment.Query().
		Where(comment.ID(id), comment.HasVideoWith(access.Kept()), comment.Or(append(or, comment.HasVideoWith(access.Readable(who)))...)).
		WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("comment")
	}

	if err != nil {
		return nil, fmt.Errorf("read comment: %w", err)
	}

	return c, nil
}

// answerable returns the comment that a new comment on the video answers. It is locked until the transaction ends, so
// that it cannot be deleted meanwhile.
func (s *Service) answerable(ctx context.Context, v *ent.Video, id string) (*ent.Comment, error) {
	if !ids.Is(ids.Comment, id) {
		return nil, fault.NotFound("comment")
	}

	c, err := s.Store.Client(ctx).Comment.Query().Where(comment.ID(id), comment.VideoID(v.ID)).ForShare().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("comment")
	}

	if err != nil {
		return nil, fmt.Errorf("read the comment to answer: %w", err)
	}

	if c.ReplyToID != nil {
		return nil, fault.Invalid([]fault.Field{{
			Path: "replyToId", Rule: "must not be the id of a reply; answer the comment that it replies to",
		}})
	}

	return c, nil
}

// ownOrReadable returns a comment with its video. The caller is its author, or may read the video: an author may be
// shown a video on its page that they may not read.
func (s *Service) ownOrReadable(ctx context.Context, id string) (auth.Viewer, *ent.Comment, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return who, nil, err
	}

	c, err := s.CommentOf(ctx, id, comment.UserID(who.UserID))

	return who, c, err
}

// UpdateComment changes the body of a comment of the caller's own. It returns forbidden for comments of others, and
// if the video no longer allows comments.
func (s *Service) UpdateComment(ctx context.Context, id string, in model.UpdateCommentInput) (*ent.Comment, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.Comment, error) {
		who, c, err := s.ownOrReadable(ctx, id)
		if err != nil {
			return nil, err
		}

		switch {
		case optional.Deref(c.UserID) != who.UserID:
			return nil, fault.Forbidden("Only the author of a comment may change it.")
		case !c.Edges.Video.Settings.CommentsEnabled:
			return nil, closed()
		case c.Body == in.Body:
			return c, nil
		}

		changed, err := s.Store.Client(ctx).Comment.UpdateOne(c).SetBody(in.Body).SetEditedAt(s.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("change comment: %w", err)
		}

		return changed, nil
	})
}

// ResolveComment marks a comment and its replies as resolved, or as open again. The author of the comment may do this,
// and everyone who may edit the video. Nothing changes if the comment already is in that state.
func (s *Service) ResolveComment(ctx context.Context, id string, in model.ResolveCommentInput) (*ent.Comment, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.Comment, error) {
		who, c, err := s.ownOrReadable(ctx, id)
		if err != nil {
			return nil, err
		}

		if optional.Deref(c.UserID) != who.UserID {
			may, err := s.Listing.Rights().MayEdit(ctx, who, c.Edges.Video)
			if err != nil {
				return nil, err
			}

			if !may {
				return nil, fault.Forbidden("Only the author of a comment and the editors of its video may resolve it.")
			}
		}

		if c.ReplyToID != nil {
			return nil, fault.Invalid([]fault.Field{{Path: "id", Rule: "must not be the id of a reply; resolve the comment that it replies to"}})
		}

		if in.Resolved == (c.ResolvedAt != nil) {
			return c, nil
		}

		return s.settle(ctx, who, c, in.Resolved)
	})
}

// settle writes whether a comment is resolved, and who resolved it.
func (s *Service) settle(ctx context.Context, who auth.Viewer, c *ent.Comment, resolved bool) (*ent.Comment, error) {
	change := s.Store.Client(ctx).Comment.UpdateOne(c)

	if resolved {
		self, err := s.Store.Client(ctx).User.Get(ctx, who.UserID)
		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		change.SetResolvedAt(s.Store.Now()).SetResolvedByID(self.ID).SetResolvedBy(self.Name)
	} else {
		change.ClearResolvedAt().ClearResolvedByID().ClearResolvedBy()
	}

	changed, err := change.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("resolve comment: %w", err)
	}

	return changed, nil
}

// closed returns the error for a video without comments.
func closed() error { return fault.Forbidden("This video does not allow comments.") }

// DeleteComment deletes a comment and its replies. The author of the comment may delete it, even if they are no longer
// allowed to read the video. The video's creator, and owners and admins who may read the video, may delete it too.
func (s *Service) DeleteComment(ctx context.Context, id string) error {
	_, err := store.Write(ctx, s.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, c, err := s.ownOrReadable(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if optional.Deref(c.UserID) != who.UserID && !access.Governs(who, c.Edges.Video) {
			return struct{}{}, fault.Forbidden("Only the author of a comment, the video's creator, and owners and admins may delete it.")
		}

		if err := s.Store.Client(ctx).Comment.DeleteOneID(c.ID).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete comment: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}

// Author is the author of a comment. A member has a UserID. A visitor who is not signed in has only a Name.
type Author struct{ UserID, Name string }

// tellOfComment queues the mail that tells a video's creator of another person's comment.
func (s *Service) tellOfComment(ctx context.Context, v *ent.Video, c *ent.Comment) error {
	if !s.Mail || !v.Settings.CommentEmailsEnabled || optional.Deref(c.UserID) == v.UserID {
		return nil
	}

	return s.Jobs.Add(ctx, jobs.TellOfComment{CommentID: c.ID})
}

// CommentsNamed returns those of the named comments whose videos the caller may read, in any order.
func (s *Service) CommentsNamed(ctx context.Context, named []string) ([]*ent.Comment, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := s.Store.Client(ctx).Comment.Query().
		Where(comment.IDIn(named...), comment.HasVideoWith(access.Readable(who))).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}

	return rows, nil
}
