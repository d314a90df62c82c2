package model

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Activity is a comment on one of a person's own videos, or the first view of one.
type Activity struct {
	Kind    values.ActivityKind
	At      time.Time
	Video   *ent.Video
	Comment *ent.Comment // nil for a first view
	Unread  bool
}

// SubjectID returns the id of the comment, or of the video that was viewed.
func (a *Activity) SubjectID() string {
	if a.Comment != nil {
		return a.Comment.ID
	}

	return a.Video.ID
}

// ActivityConnection is a page of activity.
type ActivityConnection struct {
	Connection[*Activity]

	// CountUnread counts what is unread in the whole list. It is called only on request.
	CountUnread func(ctx context.Context) (int, error)
}

// UnreadCount returns how much is unread in the whole list.
func (c *ActivityConnection) UnreadCount(ctx context.Context) (int, error) { return c.CountUnread(ctx) }

// ActivityEdge is an item in a page.
type ActivityEdge = Edge[*Activity]

// MarkActivityReadInput says up to when activity was read.
type MarkActivityReadInput struct {
	Until *time.Time `json:"until"`
}
