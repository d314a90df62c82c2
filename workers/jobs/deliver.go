package jobs

import (
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/queue"
)

// QueueWebhook is the queue of deliveries: many, short, and mostly waiting for others.
const QueueWebhook = "webhook"

// Deliver asks for the next attempt of one message at one endpoint. Behind has it wait while
// there are other deliveries to make; it is meant for endpoints that fail.
type Deliver struct {
	Behind     bool   `json:"-"`
	DeliveryID string `json:"deliveryId"`
}

// Kind implements river.JobArgs.
func (Deliver) Kind() string { return "deliver" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (d Deliver) InsertOpts() river.InsertOpts {
	if d.Behind {
		return river.InsertOpts{Priority: queue.PriorityBehind, Queue: QueueWebhook}
	}
	return river.InsertOpts{Queue: QueueWebhook}
}

// Unpark asks for deliveries to go on that wait for a place at their endpoint and were
// forgotten when a process died. It is inserted every minute.
type Unpark struct{}

// Kind implements river.JobArgs.
func (Unpark) Kind() string { return "unpark" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Unpark) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: QueueWebhook}
}
