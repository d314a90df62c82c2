package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// tagPath names a tag.
type tagPath struct {
	ID string `path:"id"`
}

// nothing is the input of an operation that takes none.
type nothing struct{}

type tagsOut struct {
	Tags []tag `json:"tags"`
}

func listTags(ctx context.Context, g Graph, _ nothing) (tagsOut, error) {
	page, err := g.Query().Tags(ctx, everything, nil)
	if err != nil {
		return tagsOut{}, err
	}

	return tagsOut{Tags: each(page.Nodes, tagOf)}, nil
}

func getTag(ctx context.Context, g Graph, in tagPath) (tagOut, error) {
	found, err := g.Query().Tag(ctx, in.ID)
	if err != nil {
		return tagOut{}, err
	}

	return tagOut{Tag: tagOf(found)}, nil
}

type createTagIn struct {
	Body model.CreateTagInput `body:"json"`
}

func createTag(ctx context.Context, g Graph, in createTagIn) (tagOut, error) {
	made, err := g.Mutation().CreateTag(ctx, in.Body)
	if err != nil {
		return tagOut{}, err
	}

	return tagOut{Tag: tagOf(made.Tag)}, nil
}

type updateTagIn struct {
	tagPath

	Body model.UpdateTagInput `body:"json"`
}

func updateTag(ctx context.Context, g Graph, in updateTagIn) (tagOut, error) {
	changed, err := g.Mutation().UpdateTag(ctx, in.ID, in.Body)
	if err != nil {
		return tagOut{}, err
	}

	return tagOut{Tag: tagOf(changed.Tag)}, nil
}

func deleteTag(ctx context.Context, g Graph, in tagPath) (ok, error) {
	_, err := g.Mutation().DeleteTag(ctx, in.ID)

	return done(), err
}

func listVideoTags(ctx context.Context, g Graph, in videoPath) (tagsOut, error) {
	shown := selection.Fields("id", "name", "color", "scope", "description", "createdAt", "updatedAt")
	fields := selection.Fields("id").UnderWith("tags", map[string]any{"first": everything}, selection.Page(shown))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return tagsOut{}, err
	}

	page, err := g.Video().Tags(ctx, v, everything, nil)
	if err != nil {
		return tagsOut{}, err
	}

	return tagsOut{Tags: each(page.Nodes, tagOf)}, nil
}

type tagVideoIn struct {
	videoPath

	Body tagVideoBody `body:"json"`
}

type tagVideoBody struct {
	TagID string `json:"tagId" check:"required,chars=1.."`
}

func tagVideo(ctx context.Context, g Graph, in tagVideoIn) (ok, error) {
	_, err := g.Mutation().TagVideo(ctx, in.ID, in.Body.TagID)

	return done(), err
}

type videoTagPath struct {
	videoPath

	TagID string `path:"tagId"`
}

func untagVideo(ctx context.Context, g Graph, in videoTagPath) (ok, error) {
	_, err := g.Mutation().UntagVideo(ctx, in.ID, in.TagID)

	return done(), err
}

type tagOut struct {
	Tag tag `json:"tag"`
}

type tag struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Color       values.Color    `json:"color"`
	Scope       values.TagScope `json:"scope"`
	Description string          `json:"description"`
	CreatedAt   Datetime        `json:"createdAt"`
	UpdatedAt   Datetime        `json:"updatedAt"`
}

func tagOf(t *model.Tag) tag {
	return tag{
		ID: t.ID, Name: t.Name, Color: t.Color, Scope: t.Scope, Description: t.Description,
		CreatedAt: datetimeOf(t.CreatedAt), UpdatedAt: datetimeOf(t.UpdatedAt),
	}
}
