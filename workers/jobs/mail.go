package jobs

import "github.com/riverqueue/river"

// QueueMail is the queue of mail: short, and waiting for another server.
const QueueMail = "mail"

// TellOfComment asks for the mail that tells the creator of a video what somebody wrote under it.
type TellOfComment struct {
	CommentID string `json:"commentId"`
}

// Kind implements river.JobArgs.
func (TellOfComment) Kind() string { return "tell_of_comment" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfComment) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8}
}
