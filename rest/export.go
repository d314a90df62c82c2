package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// exportPath names an export of a video.
type exportPath struct {
	videoPath

	ExportID string `path:"exportId"`
}

// within is the request's context, in which the export has to be the video's.
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

// granularity is what REST accepts for values.Granularity: the contract has two more names for two
// of its values.
type granularity string

// Values implements the enums of package input.
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

func startExport(ctx context.Context, g Graph, in startExportIn) (exportOut, error) {
	b := in.Body
	input := model.StartExportInput{Fps: b.FPS, Resolution: b.Resolution, Speed: b.Speed, Subtitles: b.Subtitles}

	if b.Granularity != nil {
		plain := b.Granularity.plain()
		input.Granularity = &plain
	}

	started, err := g.Mutation().StartExport(ctx, in.ID, &input)
	if err != nil {
		return exportOut{}, err
	}

	return exportOutOf(ctx, g, started.Export)
}

type exportsOut struct {
	Exports []export `json:"exports"`
}

func listExports(ctx context.Context, g Graph, in videoPath) (exportsOut, error) {
	page, err := g.Query().Exports(asking(ctx, selection.Page(exportFields())), in.ID, everything, nil)
	if err != nil {
		return exportsOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, exportOf)

	return exportsOut{Exports: all}, err
}

func getExport(ctx context.Context, g Graph, in exportPath) (exportOut, error) {
	e, err := g.Query().Export(in.within(ctx), in.ExportID)
	if err != nil {
		return exportOut{}, err
	}

	return exportOutOf(ctx, g, e)
}

func cancelExport(ctx context.Context, g Graph, in exportPath) (exportOut, error) {
	canceled, err := g.Mutation().CancelExport(in.within(ctx), in.ExportID)
	if err != nil {
		return exportOut{}, err
	}

	return exportOutOf(ctx, g, canceled.Export)
}

type exportOut struct {
	Export export `json:"export"`
}

type export struct {
	ExportID    string              `json:"exportId"`
	Status      values.ExportStatus `json:"status"`
	Progress    int                 `json:"progress"`
	DownloadURL *string             `json:"downloadUrl,omitempty"`
	Granularity values.Granularity  `json:"granularity"`
	Resolution  values.Resolution   `json:"resolution"`
	FPS         values.FPS          `json:"fps"`
	Speed       values.Speed        `json:"speed"`
	Subtitles   bool                `json:"subtitles"`
	Revision    int64               `json:"revision"`
	Error       *problem            `json:"error,omitempty"`
	CreatedAt   Datetime            `json:"createdAt"`
	UpdatedAt   Datetime            `json:"updatedAt"`
}

func exportFields() selection.Tree {
	return selection.Fields("id", "status", "progress", "downloadUrl", "granularity", "resolution", "fps", "speed",
		"subtitles", "revision", "error", "createdAt", "updatedAt")
}

func exportOutOf(ctx context.Context, g Graph, e *model.Export) (exportOut, error) {
	shape, err := exportOf(ctx, g, e)

	return exportOut{Export: shape}, err
}

func exportOf(ctx context.Context, g Graph, e *model.Export) (export, error) {
	address, err := g.Export().DownloadURL(ctx, e)
	if err != nil {
		return export{}, err
	}

	failed, err := g.Export().Error(ctx, e)
	if err != nil {
		return export{}, err
	}

	out := export{
		ExportID: e.ID, Status: e.Status, Progress: e.Progress, DownloadURL: address, Granularity: e.Granularity,
		Resolution: e.Resolution, FPS: e.Fps, Speed: e.Speed, Subtitles: e.Subtitles, Revision: e.Revision,
		CreatedAt: datetimeOf(e.CreatedAt), UpdatedAt: datetimeOf(e.UpdatedAt),
	}

	if failed != nil {
		out.Error = &problem{Code: failed.Code, Message: failed.Message}
	}

	return out, nil
}
