package jobs

import "github.com/riverqueue/river"

// QueueDemo is the queue of jobs that fill workspaces with demo videos.
const QueueDemo = "demo"

// FillDemo fills a workspace with demo videos. A demo run has at most one such job. An interrupted job continues with
// what it has created.
type FillDemo struct {
	RunID string `json:"runId"`
}

// Kind implements river.JobArgs.
func (FillDemo) Kind() string { return "fill_demo" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (FillDemo) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueDemo, MaxAttempts: 4, UniqueOpts: atMostOne()}
}

// DemoTopic returns the topic that is notified whenever the demo run of the workspace changes.
func DemoTopic(workspaceID string) string { return "demo:" + workspaceID }
