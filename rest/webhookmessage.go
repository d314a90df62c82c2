package rest

import (
	"context"
	"encoding/json"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// messagePath names a webhook message.
type messagePath struct {
	ID string `path:"id"`
}

type listWebhookMessagesIn struct {
	Limit      int                `query:"limit" check:"min=1,max=200" default:"20"`
	EventTypes []values.EventType `query:"event_types" check:"items=1..100"`
}

type messagesOut struct {
	Messages []message `json:"messages"`
}

func listWebhookMessages(ctx context.Context, g Graph, in listWebhookMessagesIn) (messagesOut, error) {
	page, err := g.Query().WebhookMessages(asking(ctx, selection.Page(messageFields())), in.EventTypes, in.Limit, nil)
	if err != nil {
		return messagesOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, messageOf)

	return messagesOut{Messages: all}, err
}

func getWebhookMessage(ctx context.Context, g Graph, in messagePath) (message, error) {
	m, err := g.Query().WebhookMessage(asking(ctx, messageFields()), in.ID)
	if err != nil {
		return message{}, err
	}

	return messageOf(ctx, g, m)
}

type resendWebhookMessageIn struct {
	messagePath

	Body resendWebhookMessageInput `body:"json"`
}

type resendWebhookMessageInput struct {
	EndpointID *string `json:"endpointId" check:"chars=1..255"`
}

func resendWebhookMessage(ctx context.Context, g Graph, in resendWebhookMessageIn) (messageOut, error) {
	sent, err := g.Mutation().ResendWebhookMessage(ctx, in.ID, in.Body.EndpointID)
	if err != nil {
		return messageOut{}, err
	}

	return messageOutOf(ctx, g, sent.Message)
}

type messageOut struct {
	Message message `json:"message"`
}

type message struct {
	ID        string           `json:"id"`
	EventType values.EventType `json:"eventType"`
	Payload   json.RawMessage  `json:"payload"`
	Timestamp Datetime         `json:"timestamp"`
}

func messageFields() selection.Tree {
	return selection.Fields("id", "eventType", "payload", "timestamp")
}

func messageOutOf(ctx context.Context, g Graph, m *model.WebhookMessage) (messageOut, error) {
	shape, err := messageOf(ctx, g, m)

	return messageOut{Message: shape}, err
}

func messageOf(ctx context.Context, g Graph, m *model.WebhookMessage) (message, error) {
	payload, err := g.WebhookMessage().Payload(ctx, m)
	if err != nil {
		return message{}, err
	}

	return message{ID: m.ID, EventType: m.EventType, Payload: payload, Timestamp: datetimeOf(m.OccurredAt)}, nil
}

type attemptsOut struct {
	Attempts []attempt `json:"attempts"`
}

func listWebhookAttempts(ctx context.Context, g Graph, in messagePath) (attemptsOut, error) {
	m, err := g.Query().WebhookMessage(asking(ctx, selection.Fields("id")), in.ID)
	if err != nil {
		return attemptsOut{}, err
	}

	page, err := g.WebhookMessage().Attempts(ctx, m, everything, nil)
	if err != nil {
		return attemptsOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, attemptOf)

	return attemptsOut{Attempts: all}, err
}

type attempt struct {
	ID             string                        `json:"id"`
	EndpointID     string                        `json:"endpointId"`
	Attempt        int                           `json:"attempt"`
	Status         values.AttemptStatus          `json:"status"`
	ResponseStatus Optional[int]                 `json:"responseStatus"`
	ResponseBody   string                        `json:"responseBody"`
	Error          Optional[values.AttemptError] `json:"error"`
	DurationMs     int64                         `json:"durationMs"`
	SentAt         Datetime                      `json:"sentAt"`
	NextAttemptAt  Optional[Datetime]            `json:"nextAttemptAt"`
}

func attemptOf(ctx context.Context, g Graph, a *model.WebhookAttempt) (attempt, error) {
	to, err := g.WebhookAttempt().EndpointID(ctx, a)
	if err != nil {
		return attempt{}, err
	}

	out := attempt{
		ID: a.ID, EndpointID: to, Attempt: a.Attempt, Status: a.Status, ResponseStatus: SomeOrNull(a.ResponseStatus),
		ResponseBody: a.ResponseBody, Error: SomeOrNull(a.Error), DurationMs: a.DurationMs,
		SentAt: datetimeOf(a.SentAt), NextAttemptAt: Null[Datetime](),
	}

	if a.NextAttemptAt != nil {
		out.NextAttemptAt = Some(datetimeOf(*a.NextAttemptAt))
	}

	return out, nil
}
