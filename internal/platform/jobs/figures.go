package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// QueueFigures is the queue of jobs that process playback events.
const QueueFigures = "figures"

// Roll adds the playback events since the last run to the viewing figures. It runs every half minute, one job at a
// time.
type Roll struct{}

// Kind implements river.JobArgs.
func (Roll) Kind() string { return "roll" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Roll) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueFigures, MaxAttempts: 1, UniqueOpts: atMostOne()}
}

// Days creates the next partitions of the playback events and drops old ones. It runs a few times a day. A report may
// block it, so it is retried after seconds, and later after minutes.
type Days struct{}

// Kind implements river.JobArgs.
func (Days) Kind() string { return "days" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Days) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueFigures, MaxAttempts: 8, UniqueOpts: atMostOne()}
}

// atMostOne prevents a job from being inserted while one with the same arguments has not ended.
func atMostOne() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}}
}
