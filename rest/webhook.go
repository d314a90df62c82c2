package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
)

// endpointPath names a webhook endpoint.
type endpointPath struct {
	ID string `path:"id"`
}

type createWebhookEndpointIn struct {
	Body model.CreateWebhookEndpointInput `body:"json"`
}

type createWebhookEndpointOut struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

func createWebhookEndpoint(ctx context.Context, g Graph, in createWebhookEndpointIn) (createWebhookEndpointOut, error) {
	made, err := g.Mutation().CreateWebhookEndpoint(ctx, in.Body)
	if err != nil {
		return createWebhookEndpointOut{}, err
	}

	return createWebhookEndpointOut{ID: made.Endpoint.ID, Secret: made.Secret}, nil
}

type endpointIDOut struct {
	ID string `json:"id"`
}

func deleteWebhookEndpoint(ctx context.Context, g Graph, in endpointPath) (endpointIDOut, error) {
	_, err := g.Mutation().DeleteWebhookEndpoint(ctx, in.ID)

	return endpointIDOut(in), err
}

type webhookSecretOut struct {
	Key string `json:"key"`
}

func getWebhookSecret(ctx context.Context, g Graph, in endpointPath) (webhookSecretOut, error) {
	e, err := g.Query().WebhookEndpoint(ctx, in.ID)
	if err != nil {
		return webhookSecretOut{}, err
	}

	key, err := g.WebhookEndpoint().Secret(ctx, e)

	return webhookSecretOut{Key: key}, err
}
