package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// QueueWebhook is the queue of deliveries: many, short, and mostly waiting for others.
const QueueWebhook = "webhook"

// Deliver asks for the attempts that are due at an endpoint. A job for a message names its delivery too,
// by which the version before finds the endpoint. One without is for whatever is due, and there is one of
// them at a time. Behind has it wait while there are other deliveries to make; it is meant for endpoints
// that fail.
type Deliver struct {
	Behind     bool   `json:"-"`
	DeliveryID string `json:"deliveryId,omitempty"`
	EndpointID string `json:"endpointId,omitempty"`
}

// Kind implements river.JobArgs.
func (Deliver) Kind() string { return "deliver" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (d Deliver) InsertOpts() river.InsertOpts {
	opts := river.InsertOpts{Queue: QueueWebhook}
	if d.Behind {
		opts.Priority = queue.PriorityBehind
	}
	if d.DeliveryID == "" {
		opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: live()}
	}
	return opts
}

// live are the states of jobs that are not over.
func live() []rivertype.JobState {
	return []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}
}

// Unpark asks for deliveries to go on that the version before has parked and forgotten. It is inserted
// every minute.
type Unpark struct{}

// Kind implements river.JobArgs.
func (Unpark) Kind() string { return "unpark" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Unpark) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: QueueWebhook}
}
