package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// collaboratorPath names a collaborator of a video.
type collaboratorPath struct {
	videoPath

	UserID string `path:"userId"`
}

type collaboratorsOut struct {
	Collaborators []collaborator `json:"collaborators"`
}

func listCollaborators(ctx context.Context, g Graph, in videoPath) (collaboratorsOut, error) {
	fields := selection.Fields("id").
		UnderWith("collaborators", map[string]any{"first": everything}, selection.Page(selection.Fields("user")))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return collaboratorsOut{}, err
	}

	page, err := g.Video().Collaborators(ctx, v, everything, nil)
	if err != nil {
		return collaboratorsOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, collaboratorOf)

	return collaboratorsOut{Collaborators: all}, err
}

type addCollaboratorIn struct {
	videoPath

	Body model.AddCollaboratorInput `body:"json"`
}

func addCollaborator(ctx context.Context, g Graph, in addCollaboratorIn) (collaboratorOut, error) {
	added, err := g.Mutation().AddCollaborator(ctx, in.ID, in.Body)
	if err != nil {
		return collaboratorOut{}, err
	}

	shape, err := collaboratorOf(ctx, g, added.Collaborator)

	return collaboratorOut{Collaborator: shape}, err
}

type updateCollaboratorIn struct {
	collaboratorPath

	Body model.UpdateCollaboratorInput `body:"json"`
}

func updateCollaborator(ctx context.Context, g Graph, in updateCollaboratorIn) (collaboratorOut, error) {
	changed, err := g.Mutation().UpdateCollaborator(ctx, in.ID, in.UserID, in.Body)
	if err != nil {
		return collaboratorOut{}, err
	}

	shape, err := collaboratorOf(ctx, g, changed.Collaborator)

	return collaboratorOut{Collaborator: shape}, err
}

func removeCollaborator(ctx context.Context, g Graph, in collaboratorPath) (ok, error) {
	_, err := g.Mutation().RemoveCollaborator(ctx, in.ID, in.UserID)

	return done(), err
}

type collaboratorOut struct {
	Collaborator collaborator `json:"collaborator"`
}

type collaborator struct {
	UserID string                  `json:"userId"`
	Name   string                  `json:"name"`
	Email  string                  `json:"email"`
	Role   values.CollaboratorRole `json:"role"`
}

func collaboratorOf(ctx context.Context, g Graph, c *model.Collaborator) (collaborator, error) {
	user, err := g.Collaborator().User(ctx, c)
	if err != nil {
		return collaborator{}, err
	}

	return collaborator{UserID: c.UserID, Name: user.Name, Email: user.Email, Role: c.Role}, nil
}
