package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type EndpointsOut struct {
	Pagination pagination `json:"pagination"`
	Endpoints  []Endpoint `json:"endpoints"`
}

type CreateWebhookEndpointOut struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

type EndpointIDOut struct {
	ID string `json:"id"`
}

type WebhookSecretOut struct {
	Key string `json:"key"`
}

type EndpointOut struct {
	Endpoint Endpoint `json:"endpoint"`
}

type Endpoint struct {
	ID             string                       `json:"id"`
	URL            string                       `json:"url"`
	FilterTypes    Optional[[]values.EventType] `json:"filterTypes"`
	Disabled       bool                         `json:"disabled"`
	DisabledReason Optional[string]             `json:"disabledReason"`
	CreatedAt      Datetime                     `json:"createdAt"`
	UpdatedAt      Datetime                     `json:"updatedAt"`
}

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
