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

// TellOfInvitation asks for the mail that holds the link of an invitation. The worker makes the link: no job holds one.
type TellOfInvitation struct {
	InvitationID string `json:"invitationId"`
}

// Kind implements river.JobArgs.
func (TellOfInvitation) Kind() string { return "tell_of_invitation" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfInvitation) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8, UniqueOpts: atMostOne()}
}

// TellOfReset asks for the mail that holds the link of a password reset, if anybody has the address. The worker makes the link.
type TellOfReset struct {
	ResetID string `json:"resetId"`
}

// Kind implements river.JobArgs.
func (TellOfReset) Kind() string { return "tell_of_reset" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (TellOfReset) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: 8}
}
