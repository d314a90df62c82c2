package model

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// Invitation is an invitation to a workspace in the form that the workspace's owners and admins get.
type Invitation struct {
	ID        string
	Email     string
	Role      auth.Role
	URL       *string // only in the response that creates the link, and only if it is not mailed
	Mailed    bool
	ExpiresAt time.Time
	CreatedAt time.Time
	Inviter   *User // nil if the server made it
}

// InvitationOffer is an invitation in the form that anyone with the invitation's link gets.
type InvitationOffer struct {
	ID            string
	Email         string
	Role          auth.Role
	WorkspaceName string
	InviterName   string
	HasAccount    bool
	ExpiresAt     time.Time
}

// InviteMemberInput names the person to invite.
type InviteMemberInput struct {
	Email string     `json:"email" check:"required,email,chars=3..320"`
	Role  *auth.Role `json:"role"`
}

// AcceptInvitationInput holds the token of an invitation's link and, for a new account, the person's name and
// password.
type AcceptInvitationInput struct {
	Token    string  `json:"token" check:"required,chars=1..255"`
	Name     *string `json:"name" check:"chars=1..255,notblank"`
	Password *string `json:"password" check:"chars=8..255,notblank"`
}

// DeclineInvitationInput holds the token of an invitation's link.
type DeclineInvitationInput struct {
	Token string `json:"token" check:"required,chars=1..255"`
}

type (
	// InvitationConnection is a page of invitations.
	InvitationConnection = Connection[*Invitation]
	// InvitationEdge is an invitation in a page.
	InvitationEdge = Edge[*Invitation]
)
