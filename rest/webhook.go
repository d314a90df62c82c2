package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// endpointPath names a webhook endpoint.
type endpointPath struct {
	ID string `path:"id"`
}

type listWebhookEndpointsIn struct {
	Cursor *string `query:"cursor" check:"chars=1..2048"`
	Limit  int     `query:"limit" check:"min=1,max=100" default:"20"`
}

type endpointsOut struct {
	Pagination pagination `json:"pagination"`
	Endpoints  []endpoint `json:"endpoints"`
}

func listWebhookEndpoints(ctx context.Context, g Graph, in listWebhookEndpointsIn) (endpointsOut, error) {
	page, err := g.Query().WebhookEndpoints(ctx, in.Limit, in.Cursor)
	if err != nil {
		return endpointsOut{}, err
	}

	out := endpointsOut{Pagination: paginationOf(page.PageInfo), Endpoints: make([]endpoint, len(page.Nodes))}
	for i, e := range page.Nodes {
		out.Endpoints[i] = endpointOf(e)
	}

	return out, nil
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

func getWebhookEndpoint(ctx context.Context, g Graph, in endpointPath) (endpointOut, error) {
	found, err := g.Query().WebhookEndpoint(ctx, in.ID)
	if err != nil {
		return endpointOut{}, err
	}

	return endpointOut{Endpoint: endpointOf(found)}, nil
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
	key, err := g.Query().WebhookSecret(ctx, in.ID)

	return webhookSecretOut{Key: key}, err
}

func rotateWebhookSecret(ctx context.Context, g Graph, in endpointPath) (webhookSecretOut, error) {
	rotated, err := g.Mutation().RotateWebhookSecret(ctx, in.ID)
	if err != nil {
		return webhookSecretOut{}, err
	}

	return webhookSecretOut{Key: rotated.Secret}, nil
}

type updateWebhookEndpointIn struct {
	endpointPath

	Body model.UpdateWebhookEndpointInput `body:"json"`
}

type endpointOut struct {
	Endpoint endpoint `json:"endpoint"`
}

func updateWebhookEndpoint(ctx context.Context, g Graph, in updateWebhookEndpointIn) (endpointOut, error) {
	changed, err := g.Mutation().UpdateWebhookEndpoint(ctx, in.ID, in.Body)
	if err != nil {
		return endpointOut{}, err
	}

	return endpointOut{Endpoint: endpointOf(changed.Endpoint)}, nil
}

type testWebhookEndpointIn struct {
	endpointPath

	Body model.TestWebhookEndpointInput `body:"json"`
}

func testWebhookEndpoint(ctx context.Context, g Graph, in testWebhookEndpointIn) (messageOut, error) {
	sent, err := g.Mutation().TestWebhookEndpoint(ctx, in.ID, in.Body)
	if err != nil {
		return messageOut{}, err
	}

	return messageOutOf(ctx, g, sent.Message)
}

type endpoint struct {
	ID             string                       `json:"id"`
	URL            string                       `json:"url"`
	FilterTypes    Optional[[]values.EventType] `json:"filterTypes"`
	Disabled       bool                         `json:"disabled"`
	DisabledReason Optional[string]             `json:"disabledReason"`
	CreatedAt      Datetime                     `json:"createdAt"`
	UpdatedAt      Datetime                     `json:"updatedAt"`
}

func endpointOf(e *model.WebhookEndpoint) endpoint {
	out := endpoint{
		ID: e.ID, URL: e.URL, FilterTypes: Null[[]values.EventType](), Disabled: e.Disabled,
		DisabledReason: SomeOrNull(e.DisabledReason), CreatedAt: datetimeOf(e.CreatedAt), UpdatedAt: datetimeOf(e.UpdatedAt),
	}

	if e.FilterTypes != nil {
		out.FilterTypes = Some(e.FilterTypes)
	}

	return out
}
