package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// InvitationPage returns a page of the workspace's pending invitations, newest first.
func (svc Invitations) InvitationPage(ctx context.Context, size int, after *string) (*model.InvitationConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if err := refuseOthers(who); err != nil {
		return nil, err
	}

	turn := svc.Listing.Paging.Turn("invitations|" + who.WorkspaceID)
	q := svc.Store.Client(ctx).Invitation.Query().Where(Stands())
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, invitation.FieldCreatedAt))
	}

	rows, err := q.WithInviter().Order(ent.Desc(invitation.FieldCreatedAt, invitation.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}

	shown := make([]*model.Invitation, len(rows))
	for i, row := range rows {
		shown[i] = shownInvitation(row)
	}

	placeOf := func(i *model.Invitation) cursor.Cursor { return paging.PositionAt(i.CreatedAt, i.ID) }

	return paging.PageOf(turn, shown, size, placeOf, count.Count), nil
}

func shownInvitation(i *ent.Invitation) *model.Invitation {
	return &model.Invitation{
		ID: i.ID, Email: i.Address, Role: i.Role, Mailed: i.Mailed, ExpiresAt: i.ExpiresAt, CreatedAt: i.CreatedAt, Inviter: i.Edges.Inviter,
	}
}

// InvitationOf returns an invitation of the workspace to its owners and admins, or not_found.
func (svc Invitations) InvitationOf(ctx context.Context, id string) (*model.Invitation, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !who.Role.Governs() {
		return nil, fault.NotFound("invitation")
	}

	found, err := svc.standingInvitation(ctx, id)
	if err != nil {
		return nil, err
	}

	return shownInvitation(found), nil
}

func (svc Invitations) standingInvitation(ctx context.Context, id string) (*ent.Invitation, error) {
	if !ids.Is(ids.Invitation, id) {
		return nil, fault.NotFound("invitation")
	}

	found, err := svc.Store.Client(ctx).Invitation.Query().Where(invitation.ID(id), Stands()).WithInviter().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("invitation")
	}

	if err != nil {
		return nil, fmt.Errorf("read invitation: %w", err)
	}

	return found, nil
}

// InviteMember invites a person. It does not read any account, so the response does not reveal whether the person has
// one.
func (svc Invitations) InviteMember(ctx context.Context, in model.InviteMemberInput) (*model.Invitation, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.Invitation, error) {
		who, err := svc.governor(ctx)
		if err != nil {
			return nil, err
		}

		role, email, c := auth.RoleMember, strings.ToLower(in.Email), svc.Store.Client(ctx)
		optional.Put(&role, in.Role)

		if err := refuseOwners(who, role); err != nil {
			return nil, err
		}

		// This sees only members of the workspace.
		member, err := c.Membership.Query().Where(membership.HasUserWith(user.Email(email))).Exist(ctx)
		if err != nil {
			return nil, fmt.Errorf("read membership: %w", err)
		}

		if member {
			return nil, fault.Conflict("This person is already a member of the workspace.")
		}

		earlier, err := c.Invitation.Query().Where(invitation.Email(email)).Only(ctx)

		switch {
		case ent.IsNotFound(err):
		case err != nil:
			return nil, fmt.Errorf("read invitation: %w", err)
		default:
			if err := refuseOwners(who, earlier.Role); err != nil {
				return nil, err
			}

			if err := c.Invitation.DeleteOneID(earlier.ID).Exec(ctx); err != nil {
				return nil, fmt.Errorf("delete invitation: %w", err)
			}
		}

		made, err := c.Invitation.Create().SetWorkspaceID(who.WorkspaceID).SetEmail(email).SetAddress(in.Email).SetRole(role).
			SetInviterID(who.UserID).SetExpiresAt(svc.Store.Now().Add(InvitationLasts)).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create invitation: %w", err)
		}

		return svc.sendInvitation(ctx, who, made)
	})
}

// RenewInvitation creates a new link for an invitation. The caller becomes its inviter.
func (svc Invitations) RenewInvitation(ctx context.Context, id string) (*model.Invitation, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*model.Invitation, error) {
		who, found, err := svc.governedInvitation(ctx, id)
		if err != nil {
			return nil, err
		}

		return svc.sendInvitation(ctx, who, found)
	})
}

// governedInvitation returns an invitation that the caller may renew and revoke.
func (svc Invitations) governedInvitation(ctx context.Context, id string) (auth.Viewer, *ent.Invitation, error) {
	who, err := svc.governor(ctx)
	if err != nil {
		return who, nil, err
	}

	found, err := svc.standingInvitation(ctx, id)
	if err != nil {
		return who, nil, err
	}

	return who, found, refuseOwners(who, found.Role)
}

// sendInvitation gives an invitation a new link. The link is sent by mail, or returned to the caller if the server
// sends no mail.
func (svc Invitations) sendInvitation(ctx context.Context, who auth.Viewer, i *ent.Invitation) (*model.Invitation, error) {
	c := svc.Store.Client(ctx)
	change := c.Invitation.UpdateOneID(i.ID).SetInviterID(who.UserID).SetExpiresAt(svc.Store.Now().Add(InvitationLasts))

	var url *string

	if svc.Mail {
		if err := CountMailTo(ctx, c, i.Email); err != nil {
			return nil, err //nolint:wrapcheck // a fault
		}

		if err := CountMailOf(ctx, c, who.WorkspaceID); err != nil {
			return nil, err //nolint:wrapcheck // a fault
		}

		change.SetMailed(true).ClearTokenHash() // the worker that writes the mail creates the token
	} else {
		token := NewInvitationToken()
		change.SetMailed(false).SetTokenHash(token.Hash)

		shown := svc.Addresses.Invitation(token.Plain)
		url = &shown
	}

	changed, err := change.Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update invitation: %w", err)
	}

	if changed.Edges.Inviter, err = c.User.Get(ctx, who.UserID); err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	if svc.Mail {
		if err := svc.Jobs.Add(ctx, jobs.TellOfInvitation{InvitationID: i.ID}); err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}
	}

	made := shownInvitation(changed)
	made.URL = url

	return made, nil
}

// RevokeInvitation revokes an invitation.
func (svc Invitations) RevokeInvitation(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		_, found, err := svc.governedInvitation(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		return struct{}{}, svc.deleteInvitation(ctx, found)
	})

	return err
}

func (svc Invitations) deleteInvitation(ctx context.Context, i *ent.Invitation) error {
	if err := svc.Store.Client(ctx).Invitation.DeleteOneID(i.ID).Exec(auth.AsSystem(ctx)); err != nil {
		return fmt.Errorf("delete invitation: %w", err)
	}

	return nil
}

// linkedInvitation returns the invitation of a link's token, with its workspace and inviter, or not_found. If locked is
// set, the row is locked until the transaction ends.
func (svc Invitations) linkedInvitation(ctx context.Context, token string, lock bool) (*ent.Invitation, error) {
	q := svc.Store.Client(ctx).Invitation.Query().
		Where(invitation.TokenHash(auth.HashKey(token)), invitation.ExpiresAtGT(time.Now()), Stands())

	if lock {
		q.ForUpdate()
	}

	found, err := q.WithWorkspace().WithInviter().Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("invitation").
			Saying("This invitation is no longer valid: it was used, revoked or renewed, or it has expired.")
	}

	if err != nil {
		return nil, fmt.Errorf("read invitation: %w", err)
	}

	return found, nil
}

// accountOf returns the account of an invited address, or nil.
func (svc Invitations) accountOf(ctx context.Context, i *ent.Invitation) (*ent.User, error) {
	found, err := svc.Store.Client(ctx).User.Query().Where(user.Email(i.Email)).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // as documented
	}

	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	return found, nil
}

// Offer returns what the invitation with the given token offers. Anyone who has the token may read it.
func (svc Invitations) Offer(ctx context.Context, token string) (*model.InvitationOffer, error) {
	i, err := svc.linkedInvitation(ctx, token, false)
	if err != nil {
		return nil, err
	}

	known, err := svc.accountOf(ctx, i)
	if err != nil {
		return nil, err
	}

	made := &model.InvitationOffer{
		ID: i.ID, Email: i.Address, Role: i.Role, WorkspaceName: i.Edges.Workspace.Name, HasAccount: known != nil, ExpiresAt: i.ExpiresAt,
	}
	if inviter := i.Edges.Inviter; inviter != nil {
		made.InviterName = inviter.Name
	}

	return made, nil
}

// AcceptInvitation replaces an invitation with a membership. The person's session, which may be a new one, continues in
// the workspace of the invitation.
func (svc Invitations) AcceptInvitation(ctx context.Context, in model.AcceptInvitationInput) (*model.AcceptInvitationPayload, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.AcceptInvitationPayload, error) {
		visit, err := visiting(ctx)
		if err != nil {
			return nil, err
		}

		i, err := svc.linkedInvitation(ctx, in.Token, false)
		if err != nil {
			return nil, err
		}

		// Lock the address before the invitation, in the same order as the commands.
		if err := Lock(ctx, svc.Store.Client(ctx), i.Email); err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		if i, err = svc.linkedInvitation(ctx, in.Token, true); err != nil {
			return nil, err
		}

		person, err := svc.accountOf(ctx, i)
		if err != nil {
			return nil, err
		}

		who, _, err := svc.callerOf(ctx, visit)
		if err != nil {
			return nil, err
		}

		if person == nil {
			if person, err = svc.newAccount(ctx, i, in); err != nil {
				return nil, err
			}
		} else if err := refuseAcceptance(i, person, who, in); err != nil {
			return nil, err
		}

		made, err := svc.join(ctx, i, person)
		if err != nil {
			return nil, err
		}

		begun, err := svc.Sessions().beginSession(auth.With(ctx, who), visit, person.ID, i.WorkspaceID)
		if err != nil {
			return nil, err
		}

		return &model.AcceptInvitationPayload{Membership: made, Session: begun}, nil
	})
}

// The fields of a new account.
const (
	nameField     = "name"
	passwordField = "password"
)

// callerOf returns the person who accepts: the owner of the request's session, which may be in a workspace they do not
// belong to yet.
func (svc Invitations) callerOf(ctx context.Context, visit *Visit) (who auth.Viewer, known bool, err error) {
	if who, known = auth.From(ctx); known {
		return who, true, nil
	}

	s, known, err := svc.Sessions().SessionBy(ctx, visit.Token)
	if !known || err != nil {
		return auth.Viewer{}, false, err
	}

	return auth.Viewer{UserID: s.UserID, WorkspaceID: s.WorkspaceID, SessionID: s.ID}, true, nil
}

// refuseAcceptance returns why the caller may not accept for an existing account. A link never signs in to an existing
// account.
func refuseAcceptance(i *ent.Invitation, person *ent.User, who auth.Viewer, in model.AcceptInvitationInput) error {
	const rule = "must not be given: this address has an account. Sign in to it first"

	var given []fault.Field

	if in.Name != nil {
		given = append(given, fault.Field{Path: nameField, Rule: rule})
	}

	if in.Password != nil {
		given = append(given, fault.Field{Path: passwordField, Rule: rule})
	}

	switch {
	case len(given) > 0:
		return fault.Invalid(given)
	case who.UserID == "":
		return fault.Unauthorized().Saying("This address has an account. Sign in to it, then accept.")
	case who.UserID != person.ID:
		return fault.Forbidden("The invitation is for another address. Sign in with that address, then accept.")
	case who.SessionID == "":
		return fault.Forbidden("Sign in to accept an invitation: an API key is not enough.")
	case person.UnprovedIn != "" && person.UnprovedIn != i.WorkspaceID:
		return fault.Forbidden(unproved)
	default:
		return nil
	}
}

// newAccount creates the account of an invited address. Having the link does not verify the address, since it may have
// been shown to someone else.
func (svc Invitations) newAccount(ctx context.Context, i *ent.Invitation, in model.AcceptInvitationInput) (*ent.User, error) {
	var missing []fault.Field

	if in.Name == nil {
		missing = append(missing, fault.Field{Path: nameField, Rule: "is required for a new account"})
	}

	if in.Password == nil {
		missing = append(missing, fault.Field{Path: passwordField, Rule: "is required for a new account"})
	}

	if err := fault.Invalid(missing); err != nil {
		return nil, err
	}

	create := svc.Store.Client(ctx).User.Create().SetEmail(i.Email).SetName(*in.Name).SetPasswordHash(auth.HashPassword(*in.Password))
	if !i.Mailed {
		create.SetUnprovedIn(i.WorkspaceID)
	}

	made, err := create.Save(auth.AsSystem(ctx))
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}

	return made, nil
}

// join makes an invited person a member of the workspace. An operator may have made them a member meanwhile.
func (svc Invitations) join(ctx context.Context, i *ent.Invitation, person *ent.User) (*ent.Membership, error) {
	c, across := svc.Store.Client(ctx), auth.AsSystem(ctx)

	if err := svc.deleteInvitation(ctx, i); err != nil {
		return nil, err
	}

	if i.Role == auth.RoleOwner {
		if err := svc.refuseOwning(ctx, auth.Viewer{UserID: person.ID}, person.ID); err != nil {
			return nil, err
		}
	}

	there, err := c.Membership.Query().Where(membership.WorkspaceID(i.WorkspaceID), membership.UserID(person.ID)).Only(across)
	if err == nil {
		return there, nil
	}

	if !ent.IsNotFound(err) {
		return nil, fmt.Errorf("read membership: %w", err)
	}

	made, err := c.Membership.Create().SetWorkspaceID(i.WorkspaceID).SetUserID(person.ID).SetRole(i.Role).Save(across)
	if err != nil {
		return nil, fmt.Errorf("create membership: %w", err)
	}

	made.Edges.User, made.Edges.Workspace = person, i.Edges.Workspace

	return made, nil
}

// DeclineInvitation deletes the invitation that belongs to the token of a link.
func (svc Invitations) DeclineInvitation(ctx context.Context, in model.DeclineInvitationInput) (string, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (string, error) {
		i, err := svc.linkedInvitation(ctx, in.Token, true)
		if err != nil {
			return "", err
		}

		return i.ID, svc.deleteInvitation(ctx, i)
	})
}

// InvitationsNamed returns those of the named invitations that stand, to owners and admins of the workspace, by id.
func (svc Invitations) InvitationsNamed(ctx context.Context, named []string) (map[string]model.Node, error) {
	who, err := access.Viewer(ctx)
	if err != nil || !who.Role.Governs() {
		return nil, err
	}

	rows, err := svc.Store.Client(ctx).Invitation.Query().Where(invitation.IDIn(named...), Stands()).WithInviter().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read invitations: %w", err)
	}

	found := make(map[string]model.Node, len(rows))
	for _, row := range rows {
		found[row.ID] = shownInvitation(row)
	}

	return found, nil
}
