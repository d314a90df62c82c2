package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// tagPath is the path of a tag.
type tagPath struct {
	ID string `path:"id"`
}

func listTags(ctx context.Context, g Graph, _ shape.Nothing) (shape.TagsOut, error) {
	page, err := g.Query().Tags(ctx, shape.Everything, nil)
	if err != nil {
		return shape.TagsOut{}, err
	}

	return shape.TagsOut{Tags: shape.Each(page.Nodes, shape.TagOf)}, nil
}

func getTag(ctx context.Context, g Graph, in tagPath) (shape.TagOut, error) {
	found, err := g.Query().Tag(ctx, in.ID)
	if err != nil {
		return shape.TagOut{}, err
	}

	return shape.TagOut{Tag: shape.TagOf(found)}, nil
}

type createTagIn struct {
	Body model.CreateTagInput `body:"json"`
}

func createTag(ctx context.Context, g Graph, in createTagIn) (shape.TagOut, error) {
	made, err := g.Mutation().CreateTag(ctx, in.Body)
	if err != nil {
		return shape.TagOut{}, err
	}

	return shape.TagOut{Tag: shape.TagOf(made.Tag)}, nil
}

type updateTagIn struct {
	tagPath

	Body model.UpdateTagInput `body:"json"`
}

func updateTag(ctx context.Context, g Graph, in updateTagIn) (shape.TagOut, error) {
	changed, err := g.Mutation().UpdateTag(ctx, in.ID, in.Body)
	if err != nil {
		return shape.TagOut{}, err
	}

	return shape.TagOut{Tag: shape.TagOf(changed.Tag)}, nil
}

func deleteTag(ctx context.Context, g Graph, in tagPath) (shape.Ok, error) {
	_, err := g.Mutation().DeleteTag(ctx, in.ID)

	return shape.Done(), err
}

func listVideoTags(ctx context.Context, g Graph, in videoPath) (shape.TagsOut, error) {
	shown := selection.Fields("id", "name", "color", "scope", "description", "createdAt", "updatedAt")
	fields := selection.Fields("id").UnderWith("tags", map[string]any{"first": shape.Everything}, selection.Page(shown))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return shape.TagsOut{}, err
	}

	page, err := g.Video().Tags(ctx, v, shape.Everything, nil)
	if err != nil {
		return shape.TagsOut{}, err
	}

	return shape.TagsOut{Tags: shape.Each(page.Nodes, shape.TagOf)}, nil
}

type tagVideoIn struct {
	videoPath

	Body tagVideoBody `body:"json"`
}

type tagVideoBody struct {
	TagID string `json:"tagId" check:"required,chars=1.."`
}

func tagVideo(ctx context.Context, g Graph, in tagVideoIn) (shape.Ok, error) {
	_, err := g.Mutation().TagVideo(ctx, in.ID, in.Body.TagID)

	return shape.Done(), err
}

type videoTagPath struct {
	videoPath

	TagID string `path:"tagId"`
}

func untagVideo(ctx context.Context, g Graph, in videoTagPath) (shape.Ok, error) {
	_, err := g.Mutation().UntagVideo(ctx, in.ID, in.TagID)

	return shape.Done(), err
}
