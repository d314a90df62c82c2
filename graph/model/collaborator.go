package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// AddCollaboratorInput lets a member of the workspace in on a video.
type AddCollaboratorInput struct {
	Email string                  `json:"email" check:"required,email,chars=..320"`
	Role  values.CollaboratorRole `json:"role" check:"required"`
}

// UpdateCollaboratorInput changes what a collaborator may do.
type UpdateCollaboratorInput struct {
	Role values.CollaboratorRole `json:"role" check:"required"`
}
