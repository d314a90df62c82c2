package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// QueueFigures is that of the work on playback events, which is there as long as anybody watches.
const QueueFigures = "figures"

// Roll asks for the figures of what viewers did since the last time. It runs every half minute, and never
// beside another.
type Roll struct{}

// Kind implements river.JobArgs.
func (Roll) Kind() string { return "roll" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Roll) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueFigures, MaxAttempts: 1, UniqueOpts: atMostOne()}
}

// Days asks for the parts of the playback events that are to come, and for an end of the old ones. It runs
// a few times a day, and is tried again after seconds, then minutes: reports may keep it out.
type Days struct{}

// Kind implements river.JobArgs.
func (Days) Kind() string { return "days" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Days) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueFigures, MaxAttempts: 8, UniqueOpts: atMostOne()}
}

// atMostOne keeps a job from being added while there is one with its arguments that has not ended.
func atMostOne() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}}
}
