package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// collaboratorPath is the path of a collaborator of a video.
type collaboratorPath struct {
	videoPath

	UserID string `path:"userId"`
}

func listCollaborators(ctx context.Context, g Graph, in videoPath) (shape.CollaboratorsOut, error) {
	fields := selection.Fields("id").
		UnderWith("collaborators", map[string]any{"first": shape.Everything}, selection.Page(selection.Fields("user")))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return shape.CollaboratorsOut{}, err
	}

	page, err := g.Video().Collaborators(ctx, v, shape.Everything, nil)
	if err != nil {
		return shape.CollaboratorsOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.CollaboratorOf)

	return shape.CollaboratorsOut{Collaborators: all}, err
}

type addCollaboratorIn struct {
	videoPath

	Body model.AddCollaboratorInput `body:"json"`
}

func addCollaborator(ctx context.Context, g Graph, in addCollaboratorIn) (shape.CollaboratorOut, error) {
	added, err := g.Mutation().AddCollaborator(ctx, in.ID, in.Body)
	if err != nil {
		return shape.CollaboratorOut{}, err
	}

	who, err := shape.CollaboratorOf(ctx, g, added.Collaborator)

	return shape.CollaboratorOut{Collaborator: who}, err
}

type updateCollaboratorIn struct {
	collaboratorPath

	Body model.UpdateCollaboratorInput `body:"json"`
}

func updateCollaborator(ctx context.Context, g Graph, in updateCollaboratorIn) (shape.CollaboratorOut, error) {
	changed, err := g.Mutation().UpdateCollaborator(ctx, in.ID, in.UserID, in.Body)
	if err != nil {
		return shape.CollaboratorOut{}, err
	}

	who, err := shape.CollaboratorOf(ctx, g, changed.Collaborator)

	return shape.CollaboratorOut{Collaborator: who}, err
}

func removeCollaborator(ctx context.Context, g Graph, in collaboratorPath) (shape.Ok, error) {
	_, err := g.Mutation().RemoveCollaborator(ctx, in.ID, in.UserID)

	return shape.Done(), err
}
