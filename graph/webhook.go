package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// createEndpoint registers an address for events, with a secret of its own.
func (r *Resolver) createEndpoint(ctx context.Context, in model.CreateWebhookEndpointInput) (*model.CreateWebhookEndpointPayload, error) {
	return write(ctx, r, &in, func(ctx context.Context) (*model.CreateWebhookEndpointPayload, error) {
		who, err := creator(ctx)
		if err != nil {
			return nil, err
		}

		if err := r.Targets.CheckURL(in.URL); err != nil {
			return nil, fault.Invalid([]fault.Field{{Path: "url", Rule: err.Error()}})
		}

		secret := webhook.NewSecret()
		id := ids.New(ids.Endpoint)
		kinds := slices.Clone(in.FilterTypes)
		slices.Sort(kinds)

		made, err := r.Store.Client(ctx).WebhookEndpoint.Create().SetID(id).SetUserID(who.UserID).SetURL(in.URL).
			SetFilterTypes(slices.Compact(kinds)).
			SetSecretSealed(r.Vault.Seal(id, secret)).
			Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create endpoint: %w", err)
		}

		return &model.CreateWebhookEndpointPayload{Endpoint: made, Secret: secret}, nil
	})
}

// deleteEndpoint removes an endpoint of the caller, and with it its deliveries: what was on its way is
// not sent any more.
func (r *Resolver) deleteEndpoint(ctx context.Context, id string) error {
	_, err := write(ctx, r, nil, func(ctx context.Context) (struct{}, error) {
		found, err := r.endpointOf(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if err := r.Store.Client(ctx).WebhookEndpoint.DeleteOneID(found.ID).Exec(ctx); err != nil {
			return struct{}{}, fmt.Errorf("delete endpoint: %w", err)
		}

		return struct{}{}, nil
	})

	return err
}

// endpointOf is an endpoint of the caller, or not_found.
func (r *Resolver) endpointOf(ctx context.Context, id string) (*ent.WebhookEndpoint, error) {
	who, err := viewer(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.Endpoint, id) {
		return nil, fault.NotFound("webhook endpoint")
	}

	found, err := r.Store.Client(ctx).WebhookEndpoint.Query().
		Where(webhookendpoint.ID(id), webhookendpoint.UserID(who.UserID)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("webhook endpoint")
	}

	if err != nil {
		return nil, fmt.Errorf("read endpoint: %w", err)
	}

	return found, nil
}

// secretOf opens the secret an endpoint's deliveries are signed with.
func (r *Resolver) secretOf(e *ent.WebhookEndpoint) (string, error) {
	secret, err := r.Vault.Open(e.ID, e.SecretSealed)
	if err != nil {
		return "", fmt.Errorf("open secret of %s: %w", e.ID, err)
	}

	return secret, nil
}
