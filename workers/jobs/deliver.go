package jobs

import "github.com/riverqueue/river"

// QueueWebhook is the queue of deliveries: many, short, and mostly waiting for others.
const QueueWebhook = "webhook"

// Deliver asks for the next attempt of one message at one endpoint.
type Deliver struct {
	DeliveryID string `json:"deliveryId"`
}

// Kind implements river.JobArgs.
func (Deliver) Kind() string { return "deliver" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Deliver) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueWebhook} }

// Unpark asks for deliveries to go on that wait for a place at their endpoint and were
// forgotten when a process died. It is inserted every minute.
type Unpark struct{}

// Kind implements river.JobArgs.
func (Unpark) Kind() string { return "unpark" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Unpark) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: QueueWebhook}
}
