package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/session"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// A session and its user are looked up before the workspace is known, and a person's sessions are listed across all
// workspaces. So the code here reads and writes as the system, and filters by the person each time.

// open lists the operations that need no signed-in caller: they take a password or a link, or request a link.
var open = map[ast.Operation][]string{ //nolint:gochecknoglobals // a table
	ast.Query:    {"invitation"},
	ast.Mutation: {"acceptInvitation", "createOwner", "declineInvitation", "requestPasswordReset", "resetPassword", "signIn"},
}

// NeedsNobody reports whether an operation is allowed without a signed-in caller. Such an operation must consist of
// exactly one field, and the field must be one that is open to everyone.
func NeedsNobody(op *ast.OperationDefinition) bool {
	if len(op.SelectionSet) != 1 {
		return false
	}

	field, isField := op.SelectionSet[0].(*ast.Field)

	return isField && slices.Contains(open[op.Operation], field.Name)
}

// visiting returns the HTTP request whose response can set a cookie.
func visiting(ctx context.Context) (*Visit, error) {
	visit, ok := Of(ctx)
	if !ok {
		return nil, fault.BadRequest("Send this as a plain HTTP request: it sets a cookie, which a stream or websocket cannot do.")
	}

	return visit, nil
}

// SignIn starts a session for a person if the password is right.
func (svc Sessions) SignIn(ctx context.Context, in model.SignInInput) (*ent.Session, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	visit, err := visiting(ctx)
	if err != nil {
		return nil, err
	}

	person, err := svc.authenticate(ctx, visit, in.Email, in.Password)
	if err != nil {
		return nil, err
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Session, error) {
		place, err := svc.placeOf(ctx, person, in.WorkspaceID)
		if err != nil {
			return nil, err
		}

		return svc.beginSession(ctx, visit, person.ID, place)
	})
}

// authenticate returns the person with the given address and password. For an unknown address it takes as long and
// returns the same error.
func (svc Sessions) authenticate(ctx context.Context, visit *Visit, email, password string) (*ent.User, error) {
	email = strings.ToLower(email)
	guess := GuessOf(email, visit.Client)

	if err := svc.Attempts.Count(ctx, guess); err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	person, err := svc.Store.Client(ctx).User.Query().Where(user.Email(email)).Only(auth.AsSystem(ctx))

	switch {
	case ent.IsNotFound(err):
		person = &ent.User{}
	case err != nil:
		return nil, fmt.Errorf("read user: %w", err)
	}

	known := person.PasswordHash != ""
	if !known {
		person.PasswordHash = auth.Decoy
	}

	if matches := auth.PasswordMatches(person.PasswordHash, password); !matches || !known {
		return nil, fault.WrongPassword()
	}

	return person, svc.Attempts.Right(ctx, guess)
}

// placeOf returns the workspace that a person signs in to: the named one, else the last used one, else the oldest.
func (svc Sessions) placeOf(ctx context.Context, person *ent.User, named *string) (string, error) {
	c, across := svc.Store.Client(ctx), auth.AsSystem(ctx)

	places, err := c.Membership.Query().Where(membership.UserID(person.ID)).
		Order(ent.Asc(membership.FieldCreatedAt, membership.FieldID)).All(across)
	if err != nil {
		return "", fmt.Errorf("read memberships: %w", err)
	}

	in := map[string]bool{}
	for _, p := range places {
		in[p.WorkspaceID] = true
	}

	switch {
	case named != nil && in[*named]:
		return *named, nil
	case named != nil:
		return "", fault.NotFound("workspace at input.workspaceId")
	case len(places) == 0:
		return svc.invitedTo(ctx, person)
	}

	last, err := LastWorkspace(across, c, person.ID)

	switch {
	case err != nil:
		return "", err //nolint:wrapcheck // says what was attempted
	case in[last]:
		return last, nil
	default:
		return places[0].WorkspaceID, nil
	}
}

// invitedTo returns the workspace of the latest invitation of a person without a workspace. A session in it lets the
// person accept. It grants nothing else, because every lookup requires membership.
func (svc Sessions) invitedTo(ctx context.Context, person *ent.User) (string, error) {
	invited, err := svc.Store.Client(ctx).Invitation.Query().
		Where(invitation.Email(person.Email), Stands()).
		Order(ent.Desc(invitation.FieldUpdatedAt, invitation.FieldID)).First(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return "", fault.Forbidden("You are not a member of any workspace.")
	}

	if err != nil {
		return "", fmt.Errorf("read invitations: %w", err)
	}

	return invited.WorkspaceID, nil
}

// beginSession replaces the session of the request with a new one, and sets its cookie in the response.
func (svc Sessions) beginSession(ctx context.Context, visit *Visit, userID, workspaceID string) (*ent.Session, error) {
	token, now := NewToken(), time.Now().UTC().Truncate(time.Millisecond)
	c, across := svc.Store.Client(ctx), auth.AsSystem(ctx)

	made, err := c.Session.Create().SetWorkspaceID(workspaceID).SetUserID(userID).SetTokenHash(auth.HashKey(token)).
		SetUserAgent(visit.UserAgent).SetExpiresAt(now.Add(Lasts)).Save(across)
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}

	if who, _ := auth.From(ctx); who.SessionID != "" {
		if _, err := c.Session.Delete().Where(session.ID(who.SessionID)).Exec(across); err != nil {
			return nil, fmt.Errorf("end session: %w", err)
		}
	}

	visit.Make(made.ID)

	return made, svc.Store.AfterCommit(ctx, func() { visit.Begin(token) })
}

// SignedIn returns a context that acts as the person to whom the session token belongs. It also returns the name of
// this person or, if the name is empty, their email address. If the session is not valid, SignedIn returns the given
// context and an empty name. The pages call it.
func (svc Sessions) SignedIn(ctx context.Context, token string) (within context.Context, name string, err error) {
	s, known, err := svc.SessionBy(ctx, token)
	if !known || err != nil {
		return ctx, "", err
	}

	who, person, err := svc.MemberBy(ctx, s, s.WorkspaceID)
	if who.UserID == "" || err != nil {
		return ctx, "", err
	}

	return auth.With(ctx, who), cmp.Or(person.Name, person.Email), nil
}

// EndSession deletes the session that belongs to a token, if there is one. The pages call it.
func (svc Sessions) EndSession(ctx context.Context, token string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		visit, err := visiting(ctx)
		if err != nil {
			return struct{}{}, err
		}

		return struct{}{}, svc.endSession(ctx, visit, session.TokenHash(auth.HashKey(token)))
	})

	return err
}

// SessionBy returns the valid session that belongs to a token. known is false if there is none.
func (svc Sessions) SessionBy(ctx context.Context, token string) (s *ent.Session, known bool, err error) {
	if token == "" {
		return nil, false, nil
	}

	s, err = svc.Store.Client(ctx).Session.Query().
		Where(session.TokenHash(auth.HashKey(token)), session.ExpiresAtGT(time.Now())).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, false, nil
	}

	if err != nil {
		return nil, false, fmt.Errorf("read session: %w", err)
	}

	return s, true, nil
}

// MemberBy returns the owner of a session as a member of a workspace. It returns zero values if the owner is not a
// member of the workspace.
func (svc Sessions) MemberBy(ctx context.Context, s *ent.Session, workspaceID string) (auth.Viewer, ent.User, error) {
	m, err := svc.Store.Client(ctx).Membership.Query().Where(membership.WorkspaceID(workspaceID), membership.UserID(s.UserID)).
		WithUser().WithWorkspace().Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return auth.Viewer{}, ent.User{}, nil
	}

	if err != nil {
		return auth.Viewer{}, ent.User{}, fmt.Errorf("read membership: %w", err)
	}

	return auth.Viewer{
		UserID: s.UserID, WorkspaceID: workspaceID, SessionID: s.ID, Role: m.Role, Plan: m.Edges.Workspace.Plan,
	}, *m.Edges.User, nil
}

// ownSession returns the session of the request.
func ownSession(ctx context.Context) (auth.Viewer, *Visit, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return who, nil, err
	}

	if who.SessionID == "" {
		return who, nil, fault.BadRequest("This needs a session, but the request was made with an API key.")
	}

	visit, err := visiting(ctx)

	return who, visit, err
}

// SignOut deletes the session of the request and returns its id.
func (svc Sessions) SignOut(ctx context.Context) (string, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (string, error) {
		who, visit, err := ownSession(ctx)
		if err != nil {
			return "", err
		}

		return who.SessionID, svc.endSession(ctx, visit, session.ID(who.SessionID))
	})
}

// endSession deletes a session and removes its cookie in the response.
func (svc Sessions) endSession(ctx context.Context, visit *Visit, which predicate.Session) error {
	if _, err := svc.Store.Client(ctx).Session.Delete().Where(which).Exec(auth.AsSystem(ctx)); err != nil {
		return fmt.Errorf("end session: %w", err)
	}

	return svc.Store.AfterCommit(ctx, visit.End)
}

// SwitchWorkspace switches the session to another workspace of the caller.
func (svc Sessions) SwitchWorkspace(ctx context.Context, id string) (*ent.Session, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Session, error) {
		who, visit, err := ownSession(ctx)
		if err != nil {
			return nil, err
		}

		if _, err := svc.inside(ctx, id); err != nil {
			return nil, err
		}

		return svc.beginSession(ctx, visit, who.UserID, id)
	})
}

// SetPassword changes the caller's password and ends the sessions that were started with the old password.
func (svc Sessions) SetPassword(ctx context.Context, in model.SetPasswordInput) (*ent.User, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	visit, err := visiting(ctx)
	if err != nil {
		return nil, err
	}

	self, err := svc.Store.Client(ctx).User.Get(ctx, who.UserID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	if self.PasswordHash == "" {
		return nil, fault.Conflict("You have no password yet. The person who runs the service can set the first one: " +
			"reelgraph users password --user " + self.Email + ".")
	}

	if _, err := svc.authenticate(ctx, visit, self.Email, in.CurrentPassword); err != nil {
		if f, is := fault.As(err); is && f.Code == fault.UnauthorizedCode {
			err = f.Saying("currentPassword is wrong.")
		}

		return nil, err
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.User, error) {
		return SetPassword(auth.AsSystem(ctx), svc.Store.Client(ctx), self, in.NewPassword, who.SessionID)
	})
}

// ownSessions returns the caller's unexpired sessions in all workspaces. The query needs a system context.
func (svc Sessions) ownSessions(ctx context.Context) (q *ent.SessionQuery, who auth.Viewer, across context.Context, err error) {
	if who, err = access.Viewer(ctx); err != nil {
		return nil, who, nil, err
	}

	q = svc.Store.Client(ctx).Session.Query().Where(session.UserID(who.UserID), session.ExpiresAtGT(time.Now()))

	return q, who, auth.AsSystem(ctx), nil
}

// SessionPage returns a page of the caller's sessions, newest first.
func (svc Sessions) SessionPage(ctx context.Context, size int, after *string) (*model.SessionConnection, error) {
	q, who, across, err := svc.ownSessions(ctx)
	if err != nil {
		return nil, err
	}

	turn := svc.Listing.Paging.Turn("sessions|" + who.UserID)
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, session.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Desc(session.FieldCreatedAt, session.FieldID)).Limit(size + 1).All(across)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}

	placeOf := func(s *ent.Session) cursor.Cursor { return paging.PositionAt(s.CreatedAt, s.ID) }

	return paging.PageOf(turn, rows, size, placeOf, func(context.Context) (int, error) { return count.Count(across) }), nil
}

// SessionOf returns one of the caller's sessions, or not_found.
func (svc Sessions) SessionOf(ctx context.Context, id string) (*ent.Session, error) {
	q, _, across, err := svc.ownSessions(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Session, id) {
		return nil, fault.NotFound("session")
	}

	s, err := q.Where(session.ID(id)).Only(across)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("session")
	}

	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}

	return s, nil
}

// EndOwnSession deletes one of the caller's sessions.
func (svc Sessions) EndOwnSession(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		s, err := svc.SessionOf(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if _, err := svc.Store.Client(ctx).Session.Delete().Where(session.ID(s.ID)).Exec(auth.AsSystem(ctx)); err != nil {
			return struct{}{}, fmt.Errorf("end session: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}

// IsCurrent reports whether s is the session with which the request was made, or the session that the request has
// started.
func IsCurrent(ctx context.Context, s *ent.Session) bool {
	who, _ := auth.From(ctx)
	visit, _ := Of(ctx)

	return who.SessionID == s.ID || visit.Began(s.ID)
}

// SessionsNamed returns those of the named sessions that are the caller's, in any order.
func (svc Sessions) SessionsNamed(ctx context.Context, named []string) ([]*ent.Session, error) {
	q, _, across, err := svc.ownSessions(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := q.Where(session.IDIn(named...)).All(across)
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}

	return rows, nil
}
