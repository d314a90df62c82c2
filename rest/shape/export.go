package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ExportsOut is the response with a list of exports.
type ExportsOut struct {
	Exports []export `json:"exports"`
}

// ExportOut is the response with one export.
type ExportOut struct {
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

// ExportFields returns the fields to select for an export.
func ExportFields() selection.Tree {
	return selection.Fields("id", "status", "progress", "downloadUrl", "granularity", "resolution", "fps", "speed",
		"subtitles", "revision", "error", "createdAt", "updatedAt")
}

// ExportOutOf returns the response for an export.
func ExportOutOf(ctx context.Context, g Graph, e *model.Export) (ExportOut, error) {
	shape, err := ExportOf(ctx, g, e)

	return ExportOut{Export: shape}, err
}

// ExportOf converts an export to its JSON form.
func ExportOf(ctx context.Context, g Graph, e *model.Export) (export, error) {
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
		CreatedAt: DatetimeOf(e.CreatedAt), UpdatedAt: DatetimeOf(e.UpdatedAt),
	}

	if failed != nil {
		out.Error = &problem{Code: failed.Code, Message: failed.Message}
	}

	return out, nil
}
