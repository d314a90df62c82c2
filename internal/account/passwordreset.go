package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// RequestPasswordReset queues an email with a link that resets the password of an email address. It does not read any
// account, so the response and its timing are the same for every address. The worker that writes the email reads the
// account. RequestPasswordReset reports whether this server sends emails.
func (svc Sessions) RequestPasswordReset(ctx context.Context, in model.RequestPasswordResetInput) (bool, error) {
	if err := input.Validate(&in); err != nil {
		return false, err
	}

	visit, err := visiting(ctx)
	if err != nil {
		return false, err
	}

	if err := svc.Attempts.Count(ctx, ResetOf(visit.Client)); err != nil {
		return false, err //nolint:wrapcheck // a fault
	}

	if !svc.Mail {
		return false, nil
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (bool, error) {
		c, email := svc.Store.Client(ctx), strings.ToLower(in.Email)

		err := CountMailTo(ctx, c, email)
		if fault.Is(err, fault.RateLimitedCode) {
			return true, nil // the address has received too many mails; the caller must not learn this
		}

		if err != nil {
			return false, err //nolint:wrapcheck // says what was attempted
		}

		id, err := AskReset(ctx, c, email)
		if err != nil {
			return false, err //nolint:wrapcheck // as above
		}

		return true, svc.Jobs.Add(ctx, jobs.TellOfReset{ResetID: id})
	})
}

// ResetPassword sets a new password, using the token of a reset link. It also marks the email address as verified.
func (svc Sessions) ResetPassword(ctx context.Context, in model.ResetPasswordInput) (*ent.User, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.User, error) {
		c, across := svc.Store.Client(ctx), auth.AsSystem(ctx)

		email, known, err := TakeReset(across, c, auth.HashKey(in.Token))
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		gone := fault.NotFound("link").Saying("This link is no longer valid: it was used or has expired. Request a new one.")
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

		if _, err := Prove(across, c, person.ID); err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		return SetPassword(across, c, person, in.Password, "") //nolint:wrapcheck // as above
	})
}

// CreatePasswordReset creates a reset link for an account. The operator who calls it passes the link on to the
// person.
func (svc Sessions) CreatePasswordReset(ctx context.Context, in model.CreatePasswordResetInput) (*model.CreatePasswordResetPayload, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.CreatePasswordResetPayload, error) {
		who, err := svc.lockWorkspace(ctx)
		if err != nil {
			return nil, err
		}

		if err := svc.refuseAllButOperators(ctx, who); err != nil {
			return nil, err
		}

		c, across, email := svc.Store.Client(ctx), auth.AsSystem(ctx), strings.ToLower(in.Email)

		known, err := c.User.Query().Where(user.Email(email)).Exist(across)
		if err != nil {
			return nil, fmt.Errorf("read user: %w", err)
		}

		if !known {
			return nil, fault.NotFound("account at input.email")
		}

		token, expires, err := MakeReset(across, c, email)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was attempted
		}

		return &model.CreatePasswordResetPayload{URL: svc.Addresses.PasswordReset(token.Plain), ExpiresAt: expires}, nil
	})
}

// RequireOperator returns forbidden unless the caller is an operator: see Operators.
func (svc *Service) RequireOperator(ctx context.Context) error {
	who, err := access.Viewer(ctx)
	if err != nil {
		return err //nolint:wrapcheck // a fault
	}

	return svc.refuseAllButOperators(ctx, who)
}

// refuseAllButOperators returns forbidden unless the caller is an operator.
func (svc *Service) refuseAllButOperators(ctx context.Context, who auth.Viewer) error {
	operator, err := svc.operates(ctx, who)

	switch {
	case err != nil:
		return err
	case operator:
		return nil
	case who.SessionID == "":
		return fault.Forbidden("Sign in to do this: an API key is not enough.")
	default:
		return fault.Forbidden("Only operators may do this: owners of the first workspace who are signed in to it.")
	}
}
