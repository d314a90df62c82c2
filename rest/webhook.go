package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// endpointPath is the path of a webhook endpoint.
type endpointPath struct {
	ID string `path:"id"`
}

type listWebhookEndpointsIn struct {
	Cursor *string `query:"cursor" check:"chars=1..2048"`
	Limit  int     `query:"limit" check:"min=1,max=100" default:"20"`
}

func listWebhookEndpoints(ctx context.Context, g Graph, in listWebhookEndpointsIn) (shape.EndpointsOut, error) {
	page, err := g.Query().WebhookEndpoints(ctx, in.Limit, in.Cursor)
	if err != nil {
		return shape.EndpointsOut{}, err
	}

	out := shape.EndpointsOut{Pagination: shape.PaginationOf(page.PageInfo), Endpoints: make([]shape.Endpoint, len(page.Nodes))}
	for i, e := range page.Nodes {
		out.Endpoints[i] = shape.EndpointOf(e)
	}

	return out, nil
}

type createWebhookEndpointIn struct {
	Body model.CreateWebhookEndpointInput `body:"json"`
}

func createWebhookEndpoint(ctx context.Context, g Graph, in createWebhookEndpointIn) (shape.CreateWebhookEndpointOut, error) {
	made, err := g.Mutation().CreateWebhookEndpoint(ctx, in.Body)
	if err != nil {
		return shape.CreateWebhookEndpointOut{}, err
	}

	return shape.CreateWebhookEndpointOut{ID: made.Endpoint.ID, Secret: made.Secret}, nil
}

func getWebhookEndpoint(ctx context.Context, g Graph, in endpointPath) (shape.EndpointOut, error) {
	found, err := g.Query().WebhookEndpoint(ctx, in.ID)
	if err != nil {
		return shape.EndpointOut{}, err
	}

	return shape.EndpointOut{Endpoint: shape.EndpointOf(found)}, nil
}

func deleteWebhookEndpoint(ctx context.Context, g Graph, in endpointPath) (shape.EndpointIDOut, error) {
	_, err := g.Mutation().DeleteWebhookEndpoint(ctx, in.ID)

	return shape.EndpointIDOut(in), err
}

func getWebhookSecret(ctx context.Context, g Graph, in endpointPath) (shape.WebhookSecretOut, error) {
	key, err := g.Query().WebhookSecret(ctx, in.ID)

	return shape.WebhookSecretOut{Key: key}, err
}

func rotateWebhookSecret(ctx context.Context, g Graph, in endpointPath) (shape.WebhookSecretOut, error) {
	rotated, err := g.Mutation().RotateWebhookSecret(ctx, in.ID)
	if err != nil {
		return shape.WebhookSecretOut{}, err
	}

	return shape.WebhookSecretOut{Key: rotated.Secret}, nil
}

type updateWebhookEndpointIn struct {
	endpointPath

	Body model.UpdateWebhookEndpointInput `body:"json"`
}

func updateWebhookEndpoint(ctx context.Context, g Graph, in updateWebhookEndpointIn) (shape.EndpointOut, error) {
	changed, err := g.Mutation().UpdateWebhookEndpoint(ctx, in.ID, in.Body)
	if err != nil {
		return shape.EndpointOut{}, err
	}

	return shape.EndpointOut{Endpoint: shape.EndpointOf(changed.Endpoint)}, nil
}

type testWebhookEndpointIn struct {
	endpointPath

	Body model.TestWebhookEndpointInput `body:"json"`
}

func testWebhookEndpoint(ctx context.Context, g Graph, in testWebhookEndpointIn) (shape.MessageOut, error) {
	sent, err := g.Mutation().TestWebhookEndpoint(ctx, in.ID, in.Body)
	if err != nil {
		return shape.MessageOut{}, err
	}

	return shape.MessageOutOf(ctx, g, sent.Message)
}
