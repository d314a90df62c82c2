package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// ListEndpoints returns a page of the caller's endpoints.
func (s *Service) ListEndpoints(ctx context.Context, size int, after *string) (*model.WebhookEndpointConnection, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	items := selection.Of(ctx).Items()
	query := func(ctx context.Context, only func(*sql.Selector), sel selection.Tree) *ent.WebhookEndpointQuery {
		q := s.Store.Client(ctx).WebhookEndpoint.Query()
		s.selectEndpoint(q, sel)
		q.Modify(only)

		return q
	}

	w := paging.WalkTable(paging.Walk[*ent.WebhookEndpoint]{
		Service: s.Listing.Paging, Who: who, Name: strings.Join([]string{"endpoints", who.WorkspaceID, who.UserID}, "|"), What: "endpoints",
		At: func(e *ent.WebhookEndpoint) paging.Place { return paging.Place{ID: e.ID, At: e.UpdatedAt} },
	}, paging.Table[*ent.WebhookEndpoint]{
		Name: webhookendpoint.Table,
		Matching: func(string) []func(*sql.Selector) {
			return paging.Plain(webhookendpoint.UserID(who.UserID), webhookendpoint.DeletedAtIsNil())
		},
		All: func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.WebhookEndpoint] {
			return query(ctx, only, items)
		},
		Whole: func(ctx context.Context, only func(*sql.Selector)) paging.Counting {
			return query(ctx, only, selection.Tree{})
		},
	})

	c, err := w.Cursor(ctx, after)
	if err != nil {
		return nil, err
	}

	return w.Page(ctx, size, c)
}

// CreateEndpoint registers an address for events and creates its secret.
func (s *Service) CreateEndpoint(ctx context.Context, in model.CreateWebhookEndpointInput) (*model.CreateWebhookEndpointPayload, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*model.CreateWebhookEndpointPayload, error) {
		who, err := access.Creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := s.checkTarget(in.URL); err != nil {
			return nil, err
		}

		secret := NewSecret()
		id := ids.New(ids.Endpoint)

		made, err := s.Store.Client(ctx).WebhookEndpoint.Create().SetID(id).SetUserID(who.UserID).SetURL(in.URL).
			SetFilterTypes(optional.Distinct(in.FilterTypes)).
			SetSecretSealed(s.Vault.Seal(id, secret)).
			Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create endpoint: %w", err)
		}

		return &model.CreateWebhookEndpointPayload{Endpoint: made, Secret: secret}, nil
	})
}

// checkTarget returns bad_request when events must not be sent to the address.
func (s *Service) checkTarget(url string) error {
	if err := s.Targets.CheckURL(url); err != nil {
		return fault.Invalid([]fault.Field{{Path: "url", Rule: err.Error()}})
	}

	return nil
}

// UpdateEndpoint changes one of the caller's endpoints. If nothing changes, the endpoint keeps its position in the
// list.
func (s *Service) UpdateEndpoint(ctx context.Context, id string, in model.UpdateWebhookEndpointInput) (*ent.WebhookEndpoint, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.WebhookEndpoint, error) {
		if url := in.URL.Value(); url != nil {
			if err := s.checkTarget(*url); err != nil {
				return nil, err
			}
		}

		e, err := s.editableEndpoint(ctx, id)
		if err != nil {
			return nil, err
		}

		change := s.Store.Client(ctx).WebhookEndpoint.UpdateOneID(e.ID)
		fillEndpoint(change.Mutation(), e, in)

		if m := change.Mutation(); len(m.Fields())+len(m.ClearedFields()) == 0 {
			return e, nil
		}

		changed, err := change.SetUpdatedAt(s.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update endpoint: %w", err)
		}

		if changed.Disabled && !e.Disabled {
			err = jobs.CancelDeliveries(ctx, s.Store.Client(ctx), e.ID)
		}

		return changed, err
	})
}

// fillEndpoint copies the given fields of an input into the update.
func fillEndpoint(m *ent.WebhookEndpointMutation, e *ent.WebhookEndpoint, in model.UpdateWebhookEndpointInput) {
	if url := in.URL.Value(); url != nil && *url != e.URL {
		m.SetURL(*url)
	}

	if in.FilterTypes.IsSet() {
		switch kinds := optional.Distinct(in.FilterTypes.Value()); {
		case len(kinds) == 0 && e.FilterTypes != nil:
			m.ClearFilterTypes()
		case len(kinds) > 0 && !slices.Equal(kinds, e.FilterTypes):
			m.SetFilterTypes(kinds)
		}
	}

	if disabled := in.Disabled.Value(); disabled != nil && *disabled != e.Disabled {
		m.SetDisabled(*disabled)
		m.ClearDisabledReason()
		m.ClearFailingSince()
	}
}

// RotateSecret gives one of the caller's endpoints a new secret. For one day, deliveries are signed with both the new
// and the replaced secret. RotateSecret returns a conflict while too many replaced secrets are still in use.
func (s *Service) RotateSecret(ctx context.Context, id string) (*model.RotateWebhookSecretPayload, error) {
	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*model.RotateWebhookSecretPayload, error) {
		e, err := s.editableEndpoint(ctx, id)
		if err != nil {
			return nil, err
		}

		secret, now := NewSecret(), s.Store.Now()

		var latest *values.EarlierSecret
		if e.PreviousExpiresAt != nil {
			latest = &values.EarlierSecret{Sealed: e.PreviousSecretSealed, ExpiresAt: *e.PreviousExpiresAt}
		}

		earlier := Earlier(e.EarlierSecrets, latest, now)
		if len(earlier) >= MostEarlier {
			return nil, fault.Conflict(fmt.Sprintf(
				"The secret was rotated %d times within 24 hours. It can be rotated again at %s.",
				len(earlier), earlier[len(earlier)-1].ExpiresAt.UTC().Format(time.RFC3339)))
		}

		expires := now.Add(EarlierSigns)
		earlier = append([]values.EarlierSecret{{Sealed: e.SecretSealed, ExpiresAt: expires}}, earlier...)

		rotated, err := s.Store.Client(ctx).WebhookEndpoint.UpdateOneID(e.ID).SetUpdatedAt(now).
			SetEarlierSecrets(earlier).SetPreviousSecretSealed(e.SecretSealed).SetPreviousExpiresAt(expires).
			SetSecretSealed(s.Vault.Seal(e.ID, secret)).
			Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("rotate secret: %w", err)
		}

		return &model.RotateWebhookSecretPayload{Endpoint: rotated, Secret: secret}, nil
	})
}

// TestEndpoint sends a sample event to one of the caller's endpoints.
func (s *Service) TestEndpoint(ctx context.Context, id string, in model.TestWebhookEndpointInput) (*ent.WebhookMessage, error) {
	return store.Write(ctx, s.Store, &in, func(ctx context.Context) (*ent.WebhookMessage, error) {
		e, err := s.editableEndpoint(ctx, id)

		switch {
		case err != nil:
			return nil, err
		case e.FilterTypes != nil && !slices.Contains(e.FilterTypes, in.Type):
			return nil, fault.Invalid([]fault.Field{{Path: "type", Rule: "must be one of the event kinds that the endpoint receives"}})
		case e.Disabled:
			return nil, fault.Conflict("The endpoint is disabled.")
		}

		return s.Jobs.Send(ctx, event.Sample(in.Type), e)
	})
}

// DeleteEndpoint deletes one of the caller's endpoints and cancels its pending deliveries. The row of the endpoint is
// kept as long as its messages, so that the messages remain readable. The endpoint is disabled, so that nothing is
// sent to it, and its secrets are removed.
func (s *Service) DeleteEndpoint(ctx context.Context, id string) error {
	_, err := store.Write(ctx, s.Store, nil, func(ctx context.Context) (struct{}, error) {
		found, err := s.findEndpoint(ctx, id, func(q *ent.WebhookEndpointQuery) { q.ForUpdate() })
		if err != nil {
			return struct{}{}, err
		}

		c := s.Store.Client(ctx)

		err = c.WebhookEndpoint.UpdateOneID(found.ID).SetDeletedAt(s.Store.Now()).SetDisabled(true).SetSecretSealed([]byte{}).
			ClearEarlierSecrets().ClearPreviousSecretSealed().ClearPreviousExpiresAt().ClearFailingSince().Exec(ctx)
		if err != nil {
			return struct{}{}, fmt.Errorf("delete endpoint: %w", err)
		}

		return struct{}{}, jobs.CancelDeliveries(ctx, c, found.ID)
	})

	return err
}

// editableEndpoint locks one of the caller's endpoints. It returns not_found, or forbidden if the caller is now a
// viewer of the workspace.
func (s *Service) editableEndpoint(ctx context.Context, id string) (*ent.WebhookEndpoint, error) {
	e, err := s.findEndpoint(ctx, id, func(q *ent.WebhookEndpointQuery) { q.ForUpdate() })
	if err != nil {
		return nil, err
	}

	_, err = access.Creator(ctx)

	return e, err
}

// EndpointOf returns one of the caller's endpoints, or not_found.
func (s *Service) EndpointOf(ctx context.Context, id string) (*ent.WebhookEndpoint, error) {
	return s.findEndpoint(ctx, id, func(*ent.WebhookEndpointQuery) {})
}

func (s *Service) findEndpoint(ctx context.Context, id string, narrow func(*ent.WebhookEndpointQuery)) (*ent.WebhookEndpoint, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Endpoint, id) {
		return nil, fault.NotFound("webhook endpoint")
	}

	q := s.Store.Client(ctx).WebhookEndpoint.Query().
		Where(webhookendpoint.ID(id), webhookendpoint.UserID(who.UserID), webhookendpoint.DeletedAtIsNil())
	narrow(q)

	found, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("webhook endpoint")
	}

	if err != nil {
		return nil, fmt.Errorf("read endpoint: %w", err)
	}

	return found, nil
}

// SecretOf returns the secret that signs the deliveries to one of the caller's endpoints, or not_found.
func (s *Service) SecretOf(ctx context.Context, id string) (string, error) {
	e, err := s.EndpointOf(ctx, id)
	if err != nil {
		return "", err
	}

	secret, err := s.Vault.Open(e.ID, e.SecretSealed)
	if err != nil {
		return "", fmt.Errorf("open secret of %s: %w", e.ID, err)
	}

	return secret, nil
}

// EndpointsNamed returns those of the named endpoints that are the caller's, with the selected fields, in any order.
func (s *Service) EndpointsNamed(ctx context.Context, named []string, sel selection.Tree) ([]*ent.WebhookEndpoint, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := s.Store.Client(ctx).WebhookEndpoint.Query().
		Where(webhookendpoint.IDIn(named...), webhookendpoint.UserID(who.UserID), webhookendpoint.DeletedAtIsNil())
	s.selectEndpoint(q, sel)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read endpoints: %w", err)
	}

	return rows, nil
}
