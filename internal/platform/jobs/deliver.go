package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// QueueWebhook is the queue of webhook deliveries: many short jobs that mostly wait for other servers.
const QueueWebhook = "webhook"

// Deliver makes the delivery attempts that are due at an endpoint. A job for a message also names its
// delivery, because the previous version finds the endpoint by it. A job without one handles whatever is due;
// only one of those runs at a time. Behind makes the job wait while other deliveries are due; it is for
// endpoints that fail.
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

// Unpark resumes deliveries that the previous version has parked. It is inserted every minute.
type Unpark struct{}

// Kind implements river.JobArgs.
func (Unpark) Kind() string { return "unpark" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Unpark) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, Queue: QueueWebhook}
}
