package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// exportPath is the path of an export of a video.
type exportPath struct {
	videoPath

	ExportID string `path:"exportId"`
}

// within returns a context in which the export must belong to the video.
func (p exportPath) within(ctx context.Context) context.Context {
	return model.Below(ctx, model.Place{VideoID: p.ID})
}

type startExportIn struct {
	videoPath

	Body startExportBody `body:"json"`
}

type startExportBody struct {
	FPS         *values.FPS        `json:"fps"`
	Granularity *granularity       `json:"granularity"`
	Resolution  *values.Resolution `json:"resolution"`
	Speed       *values.Speed      `json:"speed"`
	Subtitles   *bool              `json:"subtitles"`
}

// granularity is values.Granularity with two more names, which the contract requires.
type granularity string

// Values lists the accepted values, for package input.
func (granularity) Values() []string {
	return append(values.Granularity("").Values(), "video", "clips")
}

func (g granularity) plain() values.Granularity {
	switch g {
	case "video":
		return values.GranularityStory
	case "clips":
		return values.GranularityScenes
	default:
		return values.Granularity(g)
	}
}

func startExport(ctx context.Context, g Graph, in startExportIn) (shape.ExportOut, error) {
	b := in.Body
	input := model.StartExportInput{Fps: b.FPS, Resolution: b.Resolution, Speed: b.Speed, Subtitles: b.Subtitles}

	if b.Granularity != nil {
		plain := b.Granularity.plain()
		input.Granularity = &plain
	}

	started, err := g.Mutation().StartExport(ctx, in.ID, &input)
	if err != nil {
		return shape.ExportOut{}, err
	}

	return shape.ExportOutOf(ctx, g, started.Export)
}

func listExports(ctx context.Context, g Graph, in videoPath) (shape.ExportsOut, error) {
	page, err := g.Query().Exports(asking(ctx, selection.Page(shape.ExportFields())), in.ID, shape.Everything, nil)
	if err != nil {
		return shape.ExportsOut{}, err
	}

	all, err := shape.Shapes(ctx, g, page.Nodes, shape.ExportOf)

	return shape.ExportsOut{Exports: all}, err
}

func getExport(ctx context.Context, g Graph, in exportPath) (shape.ExportOut, error) {
	e, err := g.Query().Export(in.within(ctx), in.ExportID)
	if err != nil {
		return shape.ExportOut{}, err
	}

	return shape.ExportOutOf(ctx, g, e)
}

func cancelExport(ctx context.Context, g Graph, in exportPath) (shape.ExportOut, error) {
	canceled, err := g.Mutation().CancelExport(in.within(ctx), in.ExportID)
	if err != nil {
		return shape.ExportOut{}, err
	}

	return shape.ExportOutOf(ctx, g, canceled.Export)
}
