package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/storage"
)

// OwnWorkspace returns the workspace that the request acts in.
func (svc *Service) OwnWorkspace(ctx context.Context) (*ent.Workspace, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	own, err := svc.Store.Client(ctx).Workspace.Get(ctx, who.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}

	return own, nil
}

// CreateWorkspace creates another workspace, owned by the caller.
func (svc *Service) CreateWorkspace(ctx context.Context, in model.CreateWorkspaceInput) (*ent.Workspace, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Workspace, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		c, across := svc.Store.Client(ctx), auth.AsSystem(ctx)

		if err := svc.refuseUnproved(ctx, who); err != nil {
			return nil, err
		}

		if err := svc.refuseOwning(ctx, who, who.UserID); err != nil {
			return nil, err
		}

		made, err := c.Workspace.Create().SetName(in.Name).SetPlan(svc.Plan).Save(across)
		if err != nil {
			return nil, fmt.Errorf("create workspace: %w", err)
		}

		err = c.Membership.Create().SetWorkspaceID(made.ID).SetUserID(who.UserID).SetRole(auth.RoleOwner).Exec(across)
		if err != nil {
			return nil, fmt.Errorf("create membership: %w", err)
		}

		return made, nil
	})
}

// ownedByOne is how many workspaces one person may own by default.
const ownedByOne = 5

// refuseOwning returns forbidden when a person already owns the maximum number of workspaces. Operators may own any
// number, and may create workspaces for people beyond the maximum.
func (svc *Service) refuseOwning(ctx context.Context, who auth.Viewer, userID string) error {
	free, err := svc.operates(ctx, who)
	if err != nil || free {
		return err
	}

	owned, err := Owned(auth.AsSystem(ctx), svc.Store.Client(ctx), userID)
	if err != nil {
		return err //nolint:wrapcheck // says what was attempted
	}

	most := cmp.Or(svc.Workspaces, ownedByOne)

	switch {
	case owned < most:
		return nil
	case userID == who.UserID:
		return fault.Forbidden(fmt.Sprintf("You own %d workspaces; at most %d are allowed (REELGRAPH_WORKSPACES). "+
			"Leave one, or ask the person who runs the server to raise the limit.", owned, most))
	default:
		return fault.Forbidden(fmt.Sprintf("This person already owns %d workspaces; at most %d are allowed (REELGRAPH_WORKSPACES).", owned, most))
	}
}

// operates reports whether the caller is an operator: an owner of the first workspace with a session in it. An API key
// does not count.
func (svc *Service) operates(ctx context.Context, who auth.Viewer) (bool, error) {
	if who.SessionID == "" || who.Role != auth.RoleOwner {
		return false, nil
	}

	first, err := FirstWorkspace(auth.AsSystem(ctx), svc.Store.Client(ctx))

	return first != nil && first.ID == who.WorkspaceID, err //nolint:wrapcheck // says what was attempted
}

// refuseUnproved returns forbidden to a caller who may use only one workspace until the address is verified.
func (svc *Service) refuseUnproved(ctx context.Context, who auth.Viewer) error {
	self, err := svc.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return fmt.Errorf("read user: %w", err)
	}

	if self.UnprovedIn != "" {
		return fault.Forbidden(unproved)
	}

	return nil
}

const unproved = "Your e-mail address is not verified yet, so you can use only the workspace that invited you. To verify it, " +
	"use a password reset link from a mail or from the person who runs the server."

// UpdateWorkspace changes the workspace that the request acts in.
func (svc *Service) UpdateWorkspace(ctx context.Context, in model.UpdateWorkspaceInput) (*ent.Workspace, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Workspace, error) {
		who, err := svc.governor(ctx)
		if err != nil {
			return nil, err
		}

		change := svc.Store.Client(ctx).Workspace.UpdateOneID(who.WorkspaceID)
		if name := in.Name.Value(); name != nil {
			change.SetName(*name)
		}

		if tag, set := in.SpeechLanguage.ValueOK(); set {
			change.SetSpeechLanguage(optional.Deref(tag))
		}

		changed, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update workspace: %w", err)
		}

		return changed, nil
	})
}

// governor returns the caller if they are still an owner or admin of the workspace. Changes to a workspace or its
// members run one after another.
func (svc *Service) governor(ctx context.Context) (auth.Viewer, error) {
	who, err := svc.lockWorkspace(ctx)
	if err != nil {
		return who, err
	}

	return who, refuseOthers(who)
}

// Owner locks the workspace until the transaction ends, and returns the caller. It returns forbidden unless the caller is
// an owner of the workspace.
func (svc *Service) Owner(ctx context.Context) (auth.Viewer, error) {
	who, err := svc.lockWorkspace(ctx)
	if err == nil && who.Role != auth.RoleOwner {
		err = fault.Forbidden("Only owners of the workspace may do this.")
	}

	return who, err
}

// refuseOthers returns forbidden unless the caller is an owner or admin.
func refuseOthers(who auth.Viewer) error {
	if !who.Role.Governs() {
		return fault.Forbidden("Only owners and admins of the workspace may do this.")
	}

	return nil
}

// lockWorkspace locks the workspace until the transaction ends, and returns the caller with the role they have then.
func (svc *Service) lockWorkspace(ctx context.Context) (auth.Viewer, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return who, err
	}

	_, err = svc.Store.Client(ctx).Workspace.Query().Where(workspace.ID(who.WorkspaceID)).ForUpdate().OnlyID(ctx)
	if err != nil {
		return who, fmt.Errorf("lock workspace: %w", err)
	}

	own, err := svc.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID)).Only(ctx)
	if ent.IsNotFound(err) {
		return who, fault.Unauthorized() // removed a moment ago
	}

	if err != nil {
		return who, fmt.Errorf("read membership: %w", err)
	}

	who.Role = own.Role

	return who, nil
}

func memberOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(membership.FieldCreatedAt), sql.Expr(membership.FieldID)}
}

// withPeople loads the users of members if they are selected.
func withPeople(q *ent.MembershipQuery, sel selection.Tree) {
	if sel.Has("user") {
		q.WithUser()
	}
}

// MemberPage returns a page of a workspace's members, oldest first.
func (svc *Service) MemberPage(ctx context.Context, w *ent.Workspace, size int, after *string) (*model.MembershipConnection, error) {
	turn := svc.Listing.Paging.Turn("members|" + w.ID)
	placeOf := func(m *ent.Membership) cursor.Cursor { return paging.PositionAt(m.CreatedAt, m.ID) }

	if rows, known := listing.ListBelow[*ent.Membership](w, listing.ListName("members", size)); known && after == nil {
		return paging.PageOf(turn, rows, size, placeOf, listing.TotalOf(rows)), nil
	}

	ctx, err := svc.inside(ctx, w.ID)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Membership.Query()
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Behind(c, membership.FieldCreatedAt))
	}

	withPeople(q, selection.Of(ctx).Items())

	rows, err := q.Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}

	return paging.PageOf(turn, rows, size, placeOf, func(context.Context) (int, error) { return count.Count(ctx) }), nil
}

// inside returns a context in which the caller acts in another of their workspaces.
func (svc *Service) inside(ctx context.Context, workspaceID string) (context.Context, error) {
	who, err := access.Viewer(ctx)
	if err != nil || who.WorkspaceID == workspaceID {
		return ctx, err
	}

	own, err := svc.Store.Client(ctx).Membership.Query().
		Where(membership.WorkspaceID(workspaceID), membership.UserID(who.UserID)).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("workspace")
	}

	if err != nil {
		return nil, fmt.Errorf("read membership: %w", err)
	}

	who.WorkspaceID, who.Role = workspaceID, own.Role

	return auth.With(ctx, who), nil
}

// MembershipPage returns a page of the caller's memberships, oldest first.
func (svc *Service) MembershipPage(ctx context.Context, size int, after *string) (*model.MembershipConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	across := auth.AsSystem(ctx)
	turn := svc.Listing.Paging.Turn(strings.Join([]string{"memberships", who.UserID}, "|"))
	q := svc.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID))
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Behind(c, membership.FieldCreatedAt))
	}

	if items := selection.Of(ctx).Items(); items.Has("workspace") {
		q.WithWorkspace(func(q *ent.WorkspaceQuery) { svc.selectMembers(q, items.Below("workspace")) })
	}

	rows, err := q.Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).Limit(size + 1).All(across)
	if err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}

	placeOf := func(m *ent.Membership) cursor.Cursor { return paging.PositionAt(m.CreatedAt, m.ID) }

	return paging.PageOf(turn, rows, size, placeOf, func(context.Context) (int, error) { return count.Count(across) }), nil
}

// selectMembers loads the members of many workspaces, and what they store.
func (svc *Service) selectMembers(q *ent.WorkspaceQuery, sel selection.Tree) {
	var below []listing.ReadBelow[*ent.Workspace]

	for _, list := range listing.FirstPages(sel.All("members")) {
		below = append(below, listing.EachList[*ent.Workspace](
			listing.FirstPage(list, membership.Table, membership.FieldWorkspaceID, memberOrder()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Membership] {
				q := svc.Store.Client(ctx).Membership.Query()
				withPeople(q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	if sel.Has(storage.Name) {
		below = append(below, storage.Below(svc.Store))
	}

	listing.WithBelow(q, below)
}
