package model

import "github.com/reelgraph/reelgraph/internal/video/values"

// AddCollaboratorInput gives a member of the workspace access to a video.
type AddCollaboratorInput struct {
	Email string                  `json:"email" check:"required,email,chars=..320"`
	Role  values.CollaboratorRole `json:"role" check:"required"`
}

// UpdateCollaboratorInput changes the role of a collaborator.
type UpdateCollaboratorInput struct {
	Role values.CollaboratorRole `json:"role" check:"required"`
}
