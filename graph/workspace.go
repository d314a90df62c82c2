package graph

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
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// ownWorkspace is the workspace the request acts in.
func (r *Resolver) ownWorkspace(ctx context.Context) (*ent.Workspace, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	own, err := r.Store.Client(ctx).Workspace.Get(ctx, who.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}

	return own, nil
}

// createWorkspace makes a workspace beside the caller's own, who becomes its owner.
func (r *Resolver) createWorkspace(ctx context.Context, in model.CreateWorkspaceInput) (*ent.Workspace, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Workspace, error) {
		who, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		c, across := r.Store.Client(ctx), auth.AsSystem(ctx)

		if err := r.refuseUnproved(ctx, who); err != nil {
			return nil, err
		}

		if err := r.refuseOwning(ctx, who, who.UserID); err != nil {
			return nil, err
		}

		made, err := c.Workspace.Create().SetName(in.Name).SetPlan(r.Plan).Save(across)
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

// ownedByOne is how many workspaces one person owns unless the operator says otherwise.
const ownedByOne = 5

// refuseOwning answers forbidden when a person owns as many workspaces as one may. Operators own any number, and let
// others do so.
func (r *Resolver) refuseOwning(ctx context.Context, who auth.Viewer, userID string) error {
	free, err := r.operates(ctx, who)
	if err != nil || free {
		return err
	}

	owned, err := account.Owned(auth.AsSystem(ctx), r.Store.Client(ctx), userID)
	if err != nil {
		return err //nolint:wrapcheck // says what was attempted
	}

	most := cmp.Or(r.Workspaces, ownedByOne)

	switch {
	case owned < most:
		return nil
	case userID == who.UserID:
		return fault.Forbidden(fmt.Sprintf("You own %d workspaces, and nobody owns more than %d here (REELGRAPH_WORKSPACES). "+
			"Leave one, or ask who runs the server.", owned, most))
	default:
		return fault.Forbidden(fmt.Sprintf("This person owns as many workspaces as one may here: %d (REELGRAPH_WORKSPACES).", most))
	}
}

// operates reports whether who asks is an operator: an owner of the first workspace, by a session in it. API keys make nobody one.
func (r *Resolver) operates(ctx context.Context, who auth.Viewer) (bool, error) {
	if who.SessionID == "" || who.Role != auth.RoleOwner {
		return false, nil
	}

	first, err := account.FirstWorkspace(auth.AsSystem(ctx), r.Store.Client(ctx))

	return first != nil && first.ID == who.WorkspaceID, err //nolint:wrapcheck // says what was attempted
}

// refuseUnproved answers forbidden to who acts only in one workspace until the address is proved.
func (r *Resolver) refuseUnproved(ctx context.Context, who auth.Viewer) error {
	self, err := r.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return fmt.Errorf("read user: %w", err)
	}

	if self.UnprovedIn != "" {
		return fault.Forbidden(unproved)
	}

	return nil
}

const unproved = "Your e-mail address is not proved yet, so you act only in the workspace that invited you. A password reset link " +
	"that comes by mail, or from who runs the server, proves it."

// updateWorkspace changes the workspace the request acts in.
func (r *Resolver) updateWorkspace(ctx context.Context, in model.UpdateWorkspaceInput) (*ent.Workspace, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Workspace, error) {
		who, err := r.governor(ctx)
		if err != nil {
			return nil, err
		}

		change := r.Store.Client(ctx).Workspace.UpdateOneID(who.WorkspaceID)
		if name := in.Name.Value(); name != nil {
			change.SetName(*name)
		}

		if tag, set := in.SpeechLanguage.ValueOK(); set {
			change.SetSpeechLanguage(deref(tag))
		}

		changed, err := change.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update workspace: %w", err)
		}

		return changed, nil
	})
}

// governor is who is asking, if they rule the workspace as things stand now. Who changes a workspace or
// its members does so one after another.
func (r *Resolver) governor(ctx context.Context) (auth.Viewer, error) {
	who, err := r.lockWorkspace(ctx)
	if err != nil {
		return who, err
	}

	return who, refuseOthers(who)
}

// refuseOthers answers forbidden to who is neither owner nor admin.
func refuseOthers(who auth.Viewer) error {
	if !who.Role.Governs() {
		return fault.Forbidden("Only owners and admins of the workspace may do this.")
	}

	return nil
}

// lockWorkspace locks the workspace until the transaction ends, and answers who is asking with the role
// they have by then.
func (r *Resolver) lockWorkspace(ctx context.Context) (auth.Viewer, error) {
	who, err := viewer(ctx)
	if err != nil {
		return who, err
	}

	_, err = r.Store.Client(ctx).Workspace.Query().Where(workspace.ID(who.WorkspaceID)).ForUpdate().OnlyID(ctx)
	if err != nil {
		return who, fmt.Errorf("lock workspace: %w", err)
	}

	own, err := r.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID)).Only(ctx)
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

// withPeople loads the people of members if they are asked for.
func withPeople(q *ent.MembershipQuery, sel selection.Tree) {
	if sel.Has("user") {
		q.WithUser()
	}
}

// memberPage is a page of a workspace's members, oldest first.
func (r *Resolver) memberPage(ctx context.Context, w *ent.Workspace, size int, after *string) (*model.MembershipConnection, error) {
	turn := r.turn("members|" + w.ID)
	placeOf := func(m *ent.Membership) cursor.Cursor { return positionAt(m.CreatedAt, m.ID) }

	if rows, known := listBelow[*ent.Membership](w, listName("members", size)); known && after == nil {
		return pageOf(turn, rows, size, placeOf, totalOf(rows)), nil
	}

	ctx, err := r.inside(ctx, w.ID)
	if err != nil {
		return nil, err
	}

	q := r.Store.Client(ctx).Membership.Query()
	count := q.Clone()

	if after != nil {
		c, err := turn.open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(behind(c, membership.FieldCreatedAt))
	}

	withPeople(q, selection.Of(ctx).Items())

	rows, err := q.Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}

	return pageOf(turn, rows, size, placeOf, func(context.Context) (int, error) { return count.Count(ctx) }), nil
}

// inside is a context in which the caller acts in another of its workspaces.
func (r *Resolver) inside(ctx context.Context, workspaceID string) (context.Context, error) {
	who, err := viewer(ctx)
	if err != nil || who.WorkspaceID == workspaceID {
		return ctx, err
	}

	own, err := r.Store.Client(ctx).Membership.Query().
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

// membershipPage is a page of the caller's places in workspaces, oldest first.
func (r *Resolver) membershipPage(ctx context.Context, size int, after *string) (*model.MembershipConnection, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	across := auth.AsSystem(ctx)
	turn := r.turn(strings.Join([]string{"memberships", who.UserID}, "|"))
	q := r.Store.Client(ctx).Membership.Query().Where(membership.UserID(who.UserID))
	count := q.Clone()

	if after != nil {
		c, err := turn.open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(behind(c, membership.FieldCreatedAt))
	}

	if items := selection.Of(ctx).Items(); items.Has("workspace") {
		q.WithWorkspace(func(q *ent.WorkspaceQuery) { r.selectMembers(q, items.Below("workspace")) })
	}

	rows, err := q.Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).Limit(size + 1).All(across)
	if err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}

	placeOf := func(m *ent.Membership) cursor.Cursor { return positionAt(m.CreatedAt, m.ID) }

	return pageOf(turn, rows, size, placeOf, func(context.Context) (int, error) { return count.Count(across) }), nil
}

// selectMembers loads the members of many workspaces.
func (r *Resolver) selectMembers(q *ent.WorkspaceQuery, sel selection.Tree) {
	var below []readBelow[*ent.Workspace]

	for _, list := range firstPages(sel.All("members")) {
		below = append(below, eachList[*ent.Workspace](firstPage(list, membership.Table, membership.FieldWorkspaceID, memberOrder()),
			func(ctx context.Context, only func(*sql.Selector)) listing[*ent.Membership] {
				q := r.Store.Client(ctx).Membership.Query()
				withPeople(q, list.Tree.Items())
				q.Modify(only)

				return q
			}))
	}

	together(r.Store, q, below)
}
