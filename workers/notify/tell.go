// Package notify sends emails about comments, invitations and password resets. Start with TellOfComment.
package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Deps holds the dependencies of the workers that send emails.
type Deps struct {
	Addresses signedurl.Book
	Server    *mail.Server // nil if this process sends no mail
	Store     *store.Store
}

// TellOfComment sends an email about a new comment to the creator of the video.
type TellOfComment struct {
	river.WorkerDefaults[jobs.TellOfComment]
	Deps
}

// elsewhere is how long a job waits for a process that can send mail.
const elsewhere = time.Minute

// Work implements river.Worker. It reads everything again, and sends nothing if the comment is gone, the video is in the
// trash, its comment mails are off, or its creator has left the workspace.
func (w *TellOfComment) Work(ctx context.Context, job *river.Job[jobs.TellOfComment]) error {
	if w.Server == nil {
		return river.JobSnooze(elsewhere) //nolint:wrapcheck // river reads it
	}

	ctx = auth.AsSystem(ctx)

	c, err := w.Store.Client(ctx).Comment.Query().Where(comment.ID(job.Args.CommentID)).
		WithVideo(func(q *ent.VideoQuery) { q.WithCreator() }).WithReplyTo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read comment: %w", err)
	}

	v := c.Edges.Video
	if v == nil || !v.Settings.CommentEmailsEnabled {
		return nil
	}

	inside, err := w.Store.Client(ctx).Membership.Query().
		Where(membership.WorkspaceID(v.WorkspaceID), membership.UserID(v.UserID)).Exist(ctx)
	if err != nil {
		return fmt.Errorf("read membership: %w", err)
	}

	if !inside {
		return nil
	}

	err = w.Server.Send(ctx, w.message(c))
	if refused, is := errors.AsType[*mail.RefusedError](err); is {
		return river.JobCancel(refused) //nolint:wrapcheck // river reads it
	}

	if err != nil {
		return fmt.Errorf("send the mail about comment %s: %w", c.ID, err)
	}

	return nil
}

func (w *TellOfComment) message(c *ent.Comment) mail.Message {
	v, when, did, wrote := c.Edges.Video, "", "commented", "wrote"

	if to := c.Edges.ReplyTo; to != nil {
		did, wrote = "replied to "+to.Author, "replied to "+to.Author
	}

	if c.AtMs != nil {
		at := time.Duration(*c.AtMs) * time.Millisecond
		when = fmt.Sprintf(" at %d:%02d", int(at.Minutes()), int(at.Seconds())%60)
	}

	return mail.Message{
		To:      v.Edges.Creator.Email,
		Subject: fmt.Sprintf("%s %s on “%s”", c.Author, did, v.Name),
		Text: fmt.Sprintf("%s %s under your video “%s”%s:\n\n%s\n\nAnswer on its page:\n%s#comments\n\n"+
			"The video's setting for comment e-mails ends these messages.\n",
			c.Author, wrote, v.Name, when, c.Body, w.Addresses.ViewPage(v.ID)),
	}
}
