package jobs

import "github.com/riverqueue/river"

// QueueMail is the queue of mail: short jobs that wait for another server.
const QueueMail = "mail"

// TellOfComment sends an e-mail about a new comment to the creator of the video.
type TellOfComment struct {
	CommentID string `json:"commentId"`
}

// Kind implements river.JobArgs.
func (TellOfComment) Kind() string { return "tell_of_comment" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfComment) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8}
}

// TellOfInvitation sends an e-mail with the link of an invitation. The worker creates the link, so that no job
// contains it.
type TellOfInvitation struct {
	InvitationID string `json:"invitationId"`
}

// Kind implements river.JobArgs.
func (TellOfInvitation) Kind() string { return "tell_of_invitation" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfInvitation) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8, UniqueOpts: atMostOne()}
}

// TellOfReset sends an e-mail with the link of a password reset, if an account has the address. The worker creates
// the link, so that no job contains it.
type TellOfReset struct {
	ResetID string `json:"resetId"`
}

// Kind implements river.JobArgs.
func (TellOfReset) Kind() string { return "tell_of_reset" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfReset) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8}
}
