package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Names used in mails when the real one is gone.
const (
	somebodyThere = "Somebody"
	someWorkspace = "a workspace"
)

// send sends a message. If the server refuses it permanently, the job is canceled.
func (d Deps) send(ctx context.Context, m mail.Message) error {
	err := d.Server.Send(ctx, m)
	if refused, is := errors.AsType[*mail.RefusedError](err); is {
		return river.JobCancel(refused) //nolint:wrapcheck // river reads it
	}

	return err //nolint:wrapcheck // the error says what was attempted
}

// TellOfInvitation sends an email with the link of an invitation to the invited address.
type TellOfInvitation struct {
	river.WorkerDefaults[jobs.TellOfInvitation]
	Deps
}

// Work implements river.Worker. It makes a new link for each attempt, because only the link's hash is stored. An
// invitation that has ended meanwhile is not sent.
func (w *TellOfInvitation) Work(ctx context.Context, job *river.Job[jobs.TellOfInvitation]) error {
	if w.Server == nil {
		return river.JobSnooze(elsewhere) //nolint:wrapcheck // river reads it
	}

	token := account.NewInvitationToken()

	i, err := store.Write(auth.AsSystem(ctx), w.Store, nil, func(ctx context.Context) (*ent.Invitation, error) {
		c := w.Store.Client(ctx)

		i, err := c.Invitation.Query().
			Where(invitation.ID(job.Args.InvitationID), invitation.Mailed(true), invitation.ExpiresAtGT(time.Now()), account.Stands()).
			WithInviter().WithWorkspace().ForUpdate().Only(ctx)
		if err != nil {
			return nil, err //nolint:wrapcheck // looked at below
		}

		return i, c.Invitation.UpdateOneID(i.ID).SetTokenHash(token.Hash).Exec(ctx)
	})
	if ent.IsNotFound(err) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read invitation: %w", err)
	}

	return w.send(ctx, w.message(i, w.Addresses.Invitation(token.Plain)))
}

func (w *TellOfInvitation) message(i *ent.Invitation, link string) mail.Message {
	inviter, place := somebodyThere, account.NameInMail(i.Edges.Workspace.Name, someWorkspace)
	if i.Edges.Inviter != nil {
		inviter = account.NameInMail(i.Edges.Inviter.Name, somebodyThere)
	}

	return mail.Message{
		To:      i.Address,
		Subject: fmt.Sprintf("%s invites you to “%s” on Reelgraph", inviter, place),
		Text: fmt.Sprintf("%s invites you to the workspace “%s”.\n\nOpen this link to accept or decline:\n%s\n\n"+
			"It works once, until %s UTC. If you do not know who this is from, do nothing.\n",
			inviter, place, link, i.ExpiresAt.UTC().Format("2 January 2006 15:04")),
	}
}

// TellOfReset sends an email with a password reset link, if an account with the address exists.
type TellOfReset struct {
	river.WorkerDefaults[jobs.TellOfReset]
	Deps
}

// Work implements river.Worker. It makes a new link for each attempt, because only the link's hash is stored.
func (w *TellOfReset) Work(ctx context.Context, job *river.Job[jobs.TellOfReset]) error {
	if w.Server == nil {
		return river.JobSnooze(elsewhere) //nolint:wrapcheck // river reads it
	}

	var (
		to   string
		link string
	)

	err := w.Store.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		c := w.Store.Client(ctx)

		reset, known, err := account.ResetToMail(ctx, c, job.Args.ResetID)
		if !known || err != nil {
			return err //nolint:wrapcheck // the error says what was attempted
		}

		sends, err := w.sends(ctx, c, reset)
		if err != nil {
			return err
		}

		if !sends {
			return reset.Drop(ctx, c) //nolint:wrapcheck // as above
		}

		token, err := reset.Link(ctx, c)
		to, link = reset.Email, w.Addresses.PasswordReset(token.Plain)

		return err //nolint:wrapcheck // as above
	})
	if err != nil || to == "" {
		return err
	}

	return w.send(ctx, mail.Message{
		To:      to,
		Subject: "Reset your Reelgraph password",
		Text: fmt.Sprintf("Somebody, perhaps you, asked for a new password for this address.\n\nOpen this link to set one:\n%s\n\n"+
			"It works once, for an hour. If it was not you, do nothing: your password stays as it is.\n", link),
	})
}

// sends reports whether an account has the address and its last used workspace may still send mail.
func (w *TellOfReset) sends(ctx context.Context, c *ent.Client, reset account.Reset) (bool, error) {
	person, err := c.User.Query().Where(user.Email(reset.Email)).Only(ctx)
	if ent.IsNotFound(err) {
		return false, nil
	}

	if err != nil {
		return false, fmt.Errorf("read user: %w", err)
	}

	if reset.Tried { // already counted
		return true, nil
	}

	place, err := lastPlace(ctx, c, person.ID)
	if place == "" || err != nil {
		return err == nil, err
	}

	err = account.CountMailOf(ctx, c, place)
	if fault.Is(err, fault.RateLimitedCode) {
		return false, nil
	}

	return err == nil, err //nolint:wrapcheck // the error says what was attempted
}

// lastPlace returns the workspace that a person used last, otherwise the oldest; empty if there is none.
func lastPlace(ctx context.Context, c *ent.Client, userID string) (string, error) {
	last, err := account.LastWorkspace(ctx, c, userID)
	if last != "" || err != nil {
		return last, err //nolint:wrapcheck // the error says what was attempted
	}

	oldest, err := c.Membership.Query().Where(membership.UserID(userID)).
		Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return "", nil
	}

	if err != nil {
		return "", fmt.Errorf("read memberships: %w", err)
	}

	return oldest.WorkspaceID, nil
}
