package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// videoPath is the path of a video.
type videoPath struct {
	ID string `path:"id"`
}

type listVideosIn struct {
	Cursor     *string  `query:"cursor" check:"chars=1..2048"`
	Limit      int      `query:"limit" check:"min=1,max=100" default:"20"`
	PlaylistID *string  `query:"playlistId" check:"chars=1..255"`
	TagIDs     []string `query:"tagIds" check:"items=1..50" each:"chars=1..255"`
}

// Check implements input.Checker.
func (in *listVideosIn) Check() []fault.Field {
	if in.PlaylistID != nil && len(in.TagIDs) > 0 {
		return []fault.Field{{Path: "tagIds", Rule: "must not be given together with playlistId"}}
	}

	return nil
}

func listVideos(ctx context.Context, g Graph, in listVideosIn) (shape.VideosOut, error) {
	page, err := g.Query().Videos(asking(ctx, shape.ListItemFields()), in.Limit, in.Cursor, in.PlaylistID, in.TagIDs, nil, nil)
	if err != nil {
		return shape.VideosOut{}, err
	}

	items, err := shape.Shapes(ctx, g, page.Nodes, shape.VideoListItemOf)

	return shape.VideosOut{Pagination: shape.PaginationOf(page.PageInfo), Videos: items}, err
}

type createVideoIn struct {
	Body model.CreateVideoInput `body:"json"`
}

func createVideo(ctx context.Context, g Graph, in createVideoIn) (shape.VideoOut, error) {
	made, err := g.Mutation().CreateVideo(ctx, in.Body)
	if err != nil {
		return shape.VideoOut{}, err
	}

	return shape.VideoOutOf(ctx, g, made.Video)
}

func getVideo(ctx context.Context, g Graph, in videoPath) (shape.VideoOut, error) {
	v, err := g.Query().Video(asking(ctx, shape.DetailFields()), in.ID)
	if err != nil {
		return shape.VideoOut{}, err
	}

	return shape.VideoOutOf(ctx, g, v)
}

type updateVideoIn struct {
	videoPath

	Body model.UpdateVideoInput `body:"json"`
}

func updateVideo(ctx context.Context, g Graph, in updateVideoIn) (shape.VideoOut, error) {
	changed, err := g.Mutation().UpdateVideo(ctx, in.ID, in.Body, nil)
	if err != nil {
		return shape.VideoOut{}, err
	}

	return shape.VideoOutOf(ctx, g, changed.Video)
}

func deleteVideo(ctx context.Context, g Graph, in videoPath) (shape.Ok, error) {
	_, err := g.Mutation().DeleteVideo(ctx, in.ID)

	return shape.Done(), err
}

type duplicateVideoIn struct {
	videoPath

	Body duplicateVideoInput `body:"json"`
}

type duplicateVideoInput struct {
	Name graphql.Omittable[*string]    `json:"name" check:"chars=1..255,notblank"`
	Trim graphql.Omittable[*trimInput] `json:"trim"`
}

// trimInput is the graph's TrimInput with the names of REST; both are in seconds.
type trimInput struct {
	StartTime    *float64 `json:"startTime" check:"min=0,max=9007199254740"`
	EndTime      *float64 `json:"endTime" check:"gt=0,max=9007199254740"`
	ChapterIndex *int     `json:"chapterIndex" check:"min=0"`
}

func (t *trimInput) inGraph() *model.TrimInput {
	return &model.TrimInput{StartSeconds: t.StartTime, EndSeconds: t.EndTime, ChapterIndex: t.ChapterIndex}
}

// Check implements input.Checker with the rules of the graph's input.
func (t *trimInput) Check() []fault.Field { return trimNames(t.inGraph().Check()) }

// trimNames changes the names in errors of the graph's input to those of REST.
func trimNames(faults []fault.Field) []fault.Field {
	names := strings.NewReplacer("startSeconds", "startTime", "endSeconds", "endTime")
	named := slices.Clone(faults)

	for i := range named {
		named[i].Path, named[i].Rule = names.Replace(named[i].Path), names.Replace(named[i].Rule)
	}

	return named
}

func duplicateVideo(ctx context.Context, g Graph, in duplicateVideoIn) (shape.VideoOut, error) {
	asked := model.DuplicateVideoInput{Name: in.Body.Name}
	if trim := in.Body.Trim.Value(); trim != nil {
		asked.Trim = graphql.OmittableOf(trim.inGraph())
	}

	made, err := g.Mutation().DuplicateVideo(ctx, in.ID, &asked)
	if wrong, is := fault.As(err); is && wrong.Fields != nil {
		return shape.VideoOut{}, fault.Invalid(trimNames(wrong.Fields))
	}

	if err != nil {
		return shape.VideoOut{}, err
	}

	return shape.VideoOutOf(ctx, g, made.Video)
}
