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
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// CommentPage is a page of what was said under a video the caller may read, oldest first.
func (s *Service) CommentPage(ctx context.Context, videoID string, size int, after *string) (*model.CommentConnection, error) {
	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id"))
	if err != nil {
		return nil, err
	}

	turn := s.Listing.Paging.Turn("comments|" + v.ID)
	q := s.Store.Client(ctx).Comment.Query().Where(comment.VideoID(v.ID))
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Behind(c, comment.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Asc(comment.FieldCreatedAt, comment.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}

	at := func(c *ent.Comment) cursor.Cursor { return paging.PositionAt(c.CreatedAt, c.ID) }

	return paging.PageOf(turn, rows, size, at, count.Count), nil
}

// AddComment writes under a video what somebody who may read it says.
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

// SayUnder writes a comment under a video, as far as it allows any, and tells its creator.
func (s *Service) SayUnder(ctx context.Context, v *ent.Video, by Author, in model.AddCommentInput) (*ent.Comment, error) {
	if !v.Settings.CommentsEnabled {
		return nil, fault.Forbidden("This video does not allow comments.")
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

	made, err := create.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("create comment: %w", err)
	}

	return made, s.tellOfComment(ctx, v, made)
}

// CommentOf is a comment under a video the caller may read, or another of those named, with the video, or
// not_found.
func (s *Service) CommentOf(ctx context.Context, id string, or ...predicate.Comment) (*ent.Comment, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Comment, id) {
		return nil, fault.NotFound("comment")
	}

	c, err := s.Store.Client(ctx).Comment.Query().
		Where(comment.ID(id), comment.Or(append(or, comment.HasVideoWith(access.Readable(who)))...)).WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("comment")
	}

	if err != nil {
		return nil, fmt.Errorf("read comment: %w", err)
	}

	return c, nil
}

// DeleteComment removes a comment. Its author may, also one who was shown the video and may not read it, and
// who decides about the video.
func (s *Service) DeleteComment(ctx context.Context, id string) error {
	_, err := store.Write(ctx, s.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return struct{}{}, err
		}

		c, err := s.CommentOf(ctx, id, comment.UserID(who.UserID))
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

// Author is who says something: a member, or a visitor, who has only a name.
type Author struct{ UserID, Name string }

// tellOfComment asks for the mail that tells a video's creator of a comment by somebody else.
func (s *Service) tellOfComment(ctx context.Context, v *ent.Video, c *ent.Comment) error {
	if !s.Mail || !v.Settings.CommentEmailsEnabled || optional.Deref(c.UserID) == v.UserID {
		return nil
	}

	return s.Jobs.Add(ctx, jobs.TellOfComment{CommentID: c.ID})
}
