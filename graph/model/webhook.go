package model

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateWebhookEndpointInput registers an address for events.
type CreateWebhookEndpointInput struct {
	URL         string             `json:"url" check:"required,url,chars=1..2048"`
	FilterTypes []values.EventType `json:"filterTypes" check:"required,items=1..100"`
}

// UpdateWebhookEndpointInput changes an endpoint. At least one field must be given.
type UpdateWebhookEndpointInput struct {
	_ struct{} `check:"some"`

	URL         graphql.Omittable[*string]            `json:"url" check:"url,chars=1..2048"`
	FilterTypes graphql.Omittable[[]values.EventType] `json:"filterTypes" check:"nullable,items=1..100"`
	Disabled    graphql.Omittable[*bool]              `json:"disabled"`
}

// WebhookHealth describes how deliveries to an endpoint went.
type WebhookHealth struct {
	LastAttemptAt       *time.Time
	LastSuccessAt       *time.Time
	ConsecutiveFailures int
	PendingDeliveries   int
}

// TestWebhookEndpointInput selects the sample event to send.
type TestWebhookEndpointInput struct {
	Type values.EventType `json:"type" check:"required"`
}
