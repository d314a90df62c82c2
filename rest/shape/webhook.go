package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// EndpointsOut is the response with a list of webhook endpoints.
type EndpointsOut struct {
	Pagination pagination `json:"pagination"`
	Endpoints  []Endpoint `json:"endpoints"`
}

// CreateWebhookEndpointOut is the response with a new endpoint and its secret.
type CreateWebhookEndpointOut struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

// EndpointIDOut is the response with the id of an endpoint.
type EndpointIDOut struct {
	ID string `json:"id"`
}

// WebhookSecretOut is the response with the secret of an endpoint.
type WebhookSecretOut struct {
	Key string `json:"key"`
}

// EndpointOut is the response with one endpoint.
type EndpointOut struct {
	Endpoint Endpoint `json:"endpoint"`
}

// Endpoint is the JSON form of a webhook endpoint.
type Endpoint struct {
	ID             string                       `json:"id"`
	URL            string                       `json:"url"`
	FilterTypes    Optional[[]values.EventType] `json:"filterTypes"`
	Disabled       bool                         `json:"disabled"`
	DisabledReason Optional[string]             `json:"disabledReason"`
	CreatedAt      Datetime                     `json:"createdAt"`
	UpdatedAt      Datetime                     `json:"updatedAt"`
}

// EndpointOf converts a webhook endpoint to its JSON form.
func EndpointOf(e *model.WebhookEndpoint) Endpoint {
	out := Endpoint{
		ID: e.ID, URL: e.URL, FilterTypes: Null[[]values.EventType](), Disabled: e.Disabled,
		DisabledReason: SomeOrNull(e.DisabledReason), CreatedAt: DatetimeOf(e.CreatedAt), UpdatedAt: DatetimeOf(e.UpdatedAt),
	}

	if e.FilterTypes != nil {
		out.FilterTypes = Some(e.FilterTypes)
	}

	return out
}
