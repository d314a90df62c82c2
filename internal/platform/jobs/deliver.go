package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// QueueWebhook is the queue of webhook deliveries: many short jobs that mostly wait for other servers.
const QueueWebhook = "webhook"

// Deliver makes the delivery attempts that are due at a webhook endpoint. A job for a message also has the
// DeliveryID, because the previous version of the program uses it to find the endpoint. A job without a DeliveryID
// makes all attempts that are due; an endpoint has at most one such job. Behind gives the job a low priority, so that
// it waits while other deliveries are due. It is set for endpoints that fail.
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

// live are the states of jobs that have not ended.
func live() []rivertype.JobState {
	return []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}
}

// Unpark resumes deliveries that the previous version of the program has parked. It is inserted every minute.
type Unpark struct{}

// Kind implements river.JobArgs.
func (Unpark) Kind() string { return "unpark" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Unpark) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: QueueWebhook}
}
