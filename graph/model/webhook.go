package model

import "github.com/reelgraph/reelgraph/internal/domain"

// CreateWebhookEndpointInput registers an address for events.
type CreateWebhookEndpointInput struct {
	URL         string             `json:"url" check:"required,url,chars=1..2048"`
	FilterTypes []domain.EventType `json:"filterTypes" check:"required,items=1..100"`
}
