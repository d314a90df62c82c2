package graph

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
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// commentPage is a page of what was said under a video the caller may read, oldest first.
func (r *Resolver) commentPage(ctx context.Context, videoID string, size int, after *string) (*model.CommentConnection, error) {
	v, err := r.readableVideo(ctx, videoID, selection.Fields("id"))
	if err != nil {
		return nil, err
	}

	turn := r.turn("comments|" + v.ID)
	q := r.Store.Client(ctx).Comment.Query().Where(comment.VideoID(v.ID))
	count := q.Clone()

	if after != nil {
		c, err := turn.open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(behind(c, comment.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Asc(comment.FieldCreatedAt, comment.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}

	return pageOf(turn, rows, size, func(c *ent.Comment) cursor.Cursor { return positionAt(c.CreatedAt, c.ID) }, count.Count), nil
}

// addComment writes under a video what somebody who may read it says.
func (r *Resolver) addComment(ctx context.Context, videoID string, in model.AddCommentInput) (*ent.Comment, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Comment, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		v, err := r.readableVideo(ctx, videoID, selection.Tree{})
		if err != nil {
			return nil, err
		}

		self, err := r.Store.Client(ctx).User.Get(ctx, who.UserID)
		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		return r.sayUnder(ctx, v, author{self.ID, self.Name}, in)
	})
}

// sayUnder writes a comment under a video, as far as it allows any, and tells its creator.
func (r *Resolver) sayUnder(ctx context.Context, v *ent.Video, by author, in model.AddCommentInput) (*ent.Comment, error) {
	if !v.Settings.CommentsEnabled {
		return nil, fault.Forbidden("This video allows no comments.")
	}

	create := r.Store.Client(ctx).Comment.Create().SetVideo(v).SetAuthor(by.name).SetBody(in.Body)
	if by.userID != "" {
		create.SetUserID(by.userID)
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

	return made, r.tellOfComment(ctx, v, made)
}

// commentOf is a comment under a video the caller may read, or another of those named, with the video, or
// not_found.
func (r *Resolver) commentOf(ctx context.Context, id string, or ...predicate.Comment) (*ent.Comment, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Comment, id) {
		return nil, fault.NotFound("comment")
	}

	c, err := r.Store.Client(ctx).Comment.Query().
		Where(comment.ID(id), comment.Or(append(or, comment.HasVideoWith(readable(who)))...)).WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("comment")
	}

	if err != nil {
		return nil, fmt.Errorf("read comment: %w", err)
	}

	return c, nil
}

// deleteComment removes a comment. Its author may, also one who was shown the video and may not read it, and
// who decides about the video.
func (r *Resolver) deleteComment(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		who, err := viewer(ctx)
		if err != nil {
			return struct{}{}, err
		}

		c, err := r.commentOf(ctx, id, comment.UserID(who.UserID))
		if err != nil {
			return struct{}{}, err
		}

		if deref(c.UserID) != who.UserID && !governs(who, c.Edges.Video) {
			return struct{}{}, fault.Forbidden("Only its author and who decides about the video may remove a comment.")
		}

		if err := r.Store.Client(ctx).Comment.DeleteOneID(c.ID).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete comment: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}
