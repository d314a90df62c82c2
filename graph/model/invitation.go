package model

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// Invitation is an invitation to a workspace as the owners and admins of the workspace see it.
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

// InvitationOffer is an invitation as anyone who has its link sees it.
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

// AcceptInvitationInput holds the token in the link of an invitation. For a new account it also holds the name and
// password of the person.
type AcceptInvitationInput struct {
	Token    string  `json:"token" check:"required,chars=1..255"`
	Name     *string `json:"name" check:"chars=1..255,notblank"`
	Password *string `json:"password" check:"chars=8..255,notblank"`
}

// DeclineInvitationInput holds the token in the link of an invitation.
type DeclineInvitationInput struct {
	Token string `json:"token" check:"required,chars=1..255"`
}

type (
	// InvitationConnection is a page of invitations.
	InvitationConnection = Connection[*Invitation]
	// InvitationEdge is an invitation in a page.
	InvitationEdge = Edge[*Invitation]
)
