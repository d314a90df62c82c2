package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// requestPasswordReset asks for the mail that resets the password of an address. It looks at no account, so that answer and time
// are the same for everybody; the worker that would write the mail looks. It reports whether this server sends any.
func (r *Resolver) requestPasswordReset(ctx context.Context, in model.RequestPasswordResetInput) (bool, error) {
	if err := input.Validate(&in); err != nil {
		return false, err
	}

	visit, err := visiting(ctx)
	if err != nil {
		return false, err
	}

	if err := r.Attempts.Count(ctx, account.ResetOf(visit.Client)); err != nil {
		return false, err //nolint:wrapcheck // a fault
	}

	if !r.Mail {
		return false, nil
	}

	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (bool, error) {
		c, email := r.Store.Client(ctx), strings.ToLower(in.Email)

		err := account.CountMailTo(ctx, c, email)
		if fault.Is(err, fault.RateLimitedCode) {
			return true, nil // whose address it is has had mails enough, and nobody is told
		}

		if err != nil {
			return false, err //nolint:wrapcheck // says what was attempted
		}

		id, err := account.AskReset(ctx, c, email)
		if err != nil {
			return false, err //nolint:wrapcheck // as above
		}

		return true, r.Jobs.Add(ctx, jobs.TellOfReset{ResetID: id})
	})
}

// resetPassword sets a new password with the token of a link, which proves the address.
func (r *Resolver) resetPassword(ctx context.Context, in model.ResetPasswordInput) (*ent.User, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.User, error) {
		c, across := r.Store.Client(ctx), auth.AsSystem(ctx)

		email, known, err := account.TakeReset(across, c, auth.HashKey(in.Token))
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		gone := fault.NotFound("link").Saying("This link does not exist any more: it was used, or it has expired. Ask for a new one.")
		if !known {
			return nil, gone
		}

		person, err := c.User.Query().Where(user.Email(email)).Only(across)
		if ent.IsNotFound(err) {
			return nil, gone
		}

		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		if _, err := account.Prove(across, c, person.ID); err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		return account.SetPassword(across, c, person, in.Password, "") //nolint:wrapcheck // as above
	})
}

// createPasswordReset makes a link for an account, which an operator hands to its person.
func (r *Resolver) createPasswordReset(ctx context.Context, in model.CreatePasswordResetInput) (*model.CreatePasswordResetPayload, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*model.CreatePasswordResetPayload, error) {
		who, err := r.lockWorkspace(ctx)
		if err != nil {
			return nil, err
		}

		if err := r.refuseAllButOperators(ctx, who); err != nil {
			return nil, err
		}

		c, across, email := r.Store.Client(ctx), auth.AsSystem(ctx), strings.ToLower(in.Email)

		known, err := c.User.Query().Where(user.Email(email)).Exist(across)
		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		if !known {
			return nil, fault.NotFound("account at input.email")
		}

		token, expires, err := account.MakeReset(across, c, email)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		return &model.CreatePasswordResetPayload{URL: r.Addresses.PasswordReset(token.Plain), ExpiresAt: expires}, nil
	})
}

// refuseAllButOperators answers forbidden to everybody who does not run the server.
func (r *Resolver) refuseAllButOperators(ctx context.Context, who auth.Viewer) error {
	operator, err := r.operates(ctx, who)

	switch {
	case err != nil:
		return err
	case operator:
		return nil
	case who.SessionID == "":
		return fault.Forbidden("Operators do this while signed in, not with an API key.")
	default:
		return fault.Forbidden("Only operators may do this: owners of the first workspace, signed in to it.")
	}
}
