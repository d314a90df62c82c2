package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/invitation"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// WelcomeLasts is how long the link to the first owner's form can be used.
const WelcomeLasts = 24 * time.Hour

// MakeWelcome creates the link with which the first owner sets up the server. needed is false if an account has a password
// already. A new link ends earlier ones, also those of other nodes.
func MakeWelcome(ctx context.Context, s *store.Store) (token Token, needed bool, err error) {
	token = newToken(welcomePrefix)

	needed, err = store.Write(auth.AsSystem(ctx), s, nil, func(ctx context.Context) (bool, error) {
		c := s.Client(ctx)

		known, err := c.User.Query().Where(user.PasswordHashNEQ("")).Exist(ctx)
		if err != nil {
			return false, err
		}

		if _, err := c.ExecContext(ctx, "DELETE FROM welcome_links"); err != nil || known {
			return false, err
		}

		_, err = c.ExecContext(ctx, "INSERT INTO welcome_links (token_hash, expires_at) VALUES ($1, $2)", token.Hash, now().Add(WelcomeLasts))

		return true, err
	})
	if err != nil {
		return token, false, fmt.Errorf("create welcome link: %w", err)
	}

	return token, needed, nil
}

// standing are the conditions for a welcome link: it exists, and no account has a password.
const standing = "token_hash = $1 AND expires_at > now() AND NOT EXISTS (SELECT FROM users WHERE password_hash <> '')"

// knowsWelcome reports whether a welcome link is valid. It locks nothing, so a made-up token costs no more than this.
func knowsWelcome(ctx context.Context, c *ent.Client, hash []byte) (known bool, err error) {
	rows, err := c.QueryContext(ctx, "SELECT FROM welcome_links WHERE "+standing, hash)
	if err != nil {
		return false, fmt.Errorf("read welcome link: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	for rows.Next() {
		known = true
	}

	return known, rows.Err() //nolint:wrapcheck // the caller says what was attempted
}

// takeWelcome uses up a welcome link. It returns false if the link is not valid.
func takeWelcome(ctx context.Context, c *ent.Client, hash []byte) (bool, error) {
	result, err := c.ExecContext(ctx, "DELETE FROM welcome_links WHERE "+standing, hash)
	if err != nil {
		return false, fmt.Errorf("use welcome link: %w", err)
	}

	used, err := result.RowsAffected()

	return used > 0, err //nolint:wrapcheck // lib/pq always knows
}

// welcomeEnded is the fault of a welcome link that is not valid.
func welcomeEnded() error {
	return fault.NotFound("link").Saying("This link is no longer valid: it was used or has expired, or an account has a password by now. " +
		"Sign in, restart the server to get a new link, or set a password with reelgraph users password.")
}

// CreateOwner sets up a server: the holder of the welcome link becomes an owner of the oldest workspace, or of a new one,
// and is signed in. It takes over an account with the same address that has no password, such as one that a command made.
func (svc Sessions) CreateOwner(ctx context.Context, in model.CreateOwnerInput) (*model.CreateOwnerPayload, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	visit, err := visiting(ctx)
	if err != nil {
		return nil, err
	}

	hash := auth.HashKey(in.Token)

	known, err := knowsWelcome(auth.AsSystem(ctx), svc.Store.Client(ctx), hash)
	if err != nil {
		return nil, err
	}

	if !known {
		return nil, welcomeEnded()
	}

	password := auth.HashPassword(in.Password) // takes long, so before anything is locked

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*model.CreateOwnerPayload, error) {
		c, across, email := svc.Store.Client(ctx), auth.AsSystem(ctx), strings.ToLower(in.Email)

		// Lock the address before the workspaces, in the same order as the commands.
		if err := Lock(across, c, email); err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		if _, err := c.ExecContext(across, "LOCK TABLE workspaces IN EXCLUSIVE MODE"); err != nil {
			return nil, fmt.Errorf("lock workspaces: %w", err)
		}

		if known, err := takeWelcome(across, c, hash); err != nil || !known {
			return nil, cmp.Or(err, welcomeEnded())
		}

		// Links that reset the password of this address were made for another person, or before it had an owner.
		if err := forgetResets(across, c, email); err != nil {
			return nil, err
		}

		person, err := svc.firstOwner(across, email, in.Name, password)
		if err != nil {
			return nil, err
		}

		place, err := svc.firstPlace(across, person)
		if err != nil {
			return nil, err
		}

		begun, err := svc.beginSession(ctx, visit, person.ID, place.ID)
		if err != nil {
			return nil, err
		}

		return &model.CreateOwnerPayload{User: person, Workspace: place, Session: begun}, nil
	})
}

// firstOwner creates the account of the first owner, or sets the name and password of the account with that address. The
// link shows that the operator chose the address, so the address counts as proved.
func (svc Sessions) firstOwner(ctx context.Context, email, name, password string) (*ent.User, error) {
	c := svc.Store.Client(ctx)

	found, err := c.User.Query().Where(user.Email(email)).ForUpdate().Only(ctx)
	if ent.IsNotFound(err) {
		made, err := c.User.Create().SetEmail(email).SetName(name).SetPasswordHash(password).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create user: %w", err)
		}

		return made, nil
	}

	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}

	if found.PasswordHash != "" { // set since the link was used
		return nil, welcomeEnded()
	}

	if _, err := Prove(ctx, c, found.ID); err != nil {
		return nil, err
	}

	changed, err := c.User.UpdateOneID(found.ID).SetName(name).SetPasswordHash(password).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update user: %w", err)
	}

	return changed, nil
}

// firstPlace makes the person an owner of the oldest workspace, or of a new one that has their name. An invitation to it
// has served its purpose.
func (svc Sessions) firstPlace(ctx context.Context, person *ent.User) (*ent.Workspace, error) {
	c := svc.Store.Client(ctx)

	place, err := FirstWorkspace(ctx, c)
	if err != nil {
		return nil, err
	}

	if place == nil {
		place, err = c.Workspace.Create().SetName(person.Name).SetPlan(svc.Plan).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create workspace: %w", err)
		}
	}

	if _, err := c.Invitation.Delete().Where(invitation.WorkspaceID(place.ID), invitation.Email(person.Email)).Exec(ctx); err != nil {
		return nil, fmt.Errorf("delete invitation: %w", err)
	}

	n, err := c.Membership.Update().Where(membership.WorkspaceID(place.ID), membership.UserID(person.ID)).
		SetRole(auth.RoleOwner).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("update membership: %w", err)
	}

	if n == 0 {
		err = c.Membership.Create().SetWorkspaceID(place.ID).SetUserID(person.ID).SetRole(auth.RoleOwner).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("create membership: %w", err)
		}
	}

	return place, nil
}
