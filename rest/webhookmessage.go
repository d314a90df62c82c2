package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// messagePath is the path of a webhook message.
type messagePath struct {
	ID string `path:"id"`
}

type listWebhookMessagesIn struct {
	Limit      int                `query:"limit" check:"min=1,max=200" default:"20"`
	EventTypes []values.EventType `query:"event_types" check:"items=1..100"`
}

func listWebhookMessages(ctx context.Context, g Graph, in listWebhookMessagesIn) (shape.MessagesOut, error) {
	page, err := g.Query().WebhookMessages(asking(ctx, selection.Page(shape.MessageFields())), in.EventTypes, in.Limit, nil)
	if err != nil {
		return shape.MessagesOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.MessageOf)

	return shape.MessagesOut{Messages: all}, err
}

func getWebhookMessage(ctx context.Context, g Graph, in messagePath) (shape.Message, error) {
	m, err := g.Query().WebhookMessage(asking(ctx, shape.MessageFields()), in.ID)
	if err != nil {
		return shape.Message{}, err
	}

	return shape.MessageOf(ctx, g, m)
}

type resendWebhookMessageIn struct {
	messagePath

	Body resendWebhookMessageInput `body:"json"`
}

type resendWebhookMessageInput struct {
	EndpointID *string `json:"endpointId" check:"chars=1..255"`
}

func resendWebhookMessage(ctx context.Context, g Graph, in resendWebhookMessageIn) (shape.MessageOut, error) {
	sent, err := g.Mutation().ResendWebhookMessage(ctx, in.ID, in.Body.EndpointID)
	if err != nil {
		return shape.MessageOut{}, err
	}

	return shape.MessageOutOf(ctx, g, sent.Message)
}

func listWebhookAttempts(ctx context.Context, g Graph, in messagePath) (shape.AttemptsOut, error) {
	m, err := g.Query().WebhookMessage(asking(ctx, selection.Fields("id")), in.ID)
	if err != nil {
		return shape.AttemptsOut{}, err
	}

	page, err := g.WebhookMessage().Attempts(ctx, m, shape.Everything, nil)
	if err != nil {
		return shape.AttemptsOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.AttemptOf)

	return shape.AttemptsOut{Attempts: all}, err
}
