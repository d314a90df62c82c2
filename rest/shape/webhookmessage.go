package shape

import (
	"context"
	"encoding/json"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// MessagesOut is the response with a list of webhook messages.
type MessagesOut struct {
	Messages []Message `json:"messages"`
}

// MessageOut is the response with one webhook message.
type MessageOut struct {
	Message Message `json:"message"`
}

// Message is the JSON form of a webhook message.
type Message struct {
	ID        string           `json:"id"`
	EventType values.EventType `json:"eventType"`
	Payload   json.RawMessage  `json:"payload"`
	Timestamp Datetime         `json:"timestamp"`
}

// MessageFields returns the fields to select for a webhook message.
func MessageFields() selection.Tree {
	return selection.Fields("id", "eventType", "payload", "timestamp")
}

// MessageOutOf returns the response for a webhook message.
func MessageOutOf(ctx context.Context, g Graph, m *model.WebhookMessage) (MessageOut, error) {
	shape, err := MessageOf(ctx, g, m)

	return MessageOut{Message: shape}, err
}

// MessageOf converts a webhook message to its JSON form.
func MessageOf(ctx context.Context, g Graph, m *model.WebhookMessage) (Message, error) {
	payload, err := g.WebhookMessage().Payload(ctx, m)
	if err != nil {
		return Message{}, err
	}

	return Message{ID: m.ID, EventType: m.EventType, Payload: payload, Timestamp: DatetimeOf(m.OccurredAt)}, nil
}

// AttemptsOut is the response with a list of delivery attempts.
type AttemptsOut struct {
	Attempts []attempt `json:"attempts"`
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

// AttemptOf converts a delivery attempt to its JSON form.
func AttemptOf(_ context.Context, _ Graph, a *model.WebhookAttempt) (attempt, error) {
	out := attempt{
		ID: a.ID, EndpointID: a.EndpointID, Attempt: a.Attempt, Status: a.Status, ResponseStatus: SomeOrNull(a.ResponseStatus),
		ResponseBody: a.ResponseBody, Error: SomeOrNull(a.Error), DurationMs: a.DurationMs,
		SentAt: DatetimeOf(a.SentAt), NextAttemptAt: Null[Datetime](),
	}

	if a.NextAttemptAt != nil {
		out.NextAttemptAt = Some(DatetimeOf(*a.NextAttemptAt))
	}

	return out, nil
}
