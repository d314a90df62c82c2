package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CollaboratorsOut is the response with a list of collaborators.
type CollaboratorsOut struct {
	Collaborators []collaborator `json:"collaborators"`
}

// CollaboratorOut is the response with one collaborator.
type CollaboratorOut struct {
	Collaborator collaborator `json:"collaborator"`
}

type collaborator struct {
	UserID string                  `json:"userId"`
	Name   string                  `json:"name"`
	Email  string                  `json:"email"`
	Role   values.CollaboratorRole `json:"role"`
}

// CollaboratorOf converts a collaborator to its JSON form.
func CollaboratorOf(ctx context.Context, g Graph, c *model.Collaborator) (collaborator, error) {
	user, err := g.Collaborator().User(ctx, c)
	if err != nil {
		return collaborator{}, err
	}

	return collaborator{UserID: c.UserID, Name: user.Name, Email: user.Email, Role: c.Role}, nil
}
