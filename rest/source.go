package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type createSourceIn struct {
	Body createSourceInput `body:"json"`
}

// createSourceInput is the graph's input but for the name of the length, which is in seconds here as there.
type createSourceInput struct {
	model.SourceDeclared

	Duration *float64 `json:"duration" check:"gt=0,max=604800"`
}

type createSourceOut struct {
	SourceID  string   `json:"sourceId"`
	UploadURL string   `json:"uploadUrl"`
	ExpiresAt Datetime `json:"expiresAt"`
}

func createSource(ctx context.Context, g Graph, in createSourceIn) (createSourceOut, error) {
	declared := model.CreateSourceInput{SourceDeclared: in.Body.SourceDeclared, DurationSeconds: in.Body.Duration}

	made, err := g.Mutation().CreateSource(ctx, declared)
	if err != nil {
		return createSourceOut{}, err
	}

	return createSourceOut{SourceID: made.Source.ID, UploadURL: made.UploadURL, ExpiresAt: datetimeOf(made.ExpiresAt)}, nil
}

type sourcePath struct {
	SourceID string `path:"sourceId"`
}

func getSource(ctx context.Context, g Graph, in sourcePath) (sourceOut, error) {
	s, err := g.Query().Source(ctx, in.SourceID)
	if err != nil {
		return sourceOut{}, err
	}

	return sourceOutOf(ctx, g, s)
}

type listSourcesIn struct {
	Status []values.SourceStatus `query:"status" check:"items=1..5"`
	Kind   *values.SourceKind    `query:"kind"`
	Cursor *string               `query:"cursor" check:"chars=1..2048"`
	Limit  int                   `query:"limit" check:"min=1,max=100" default:"20"`
}

type sourcesOut struct {
	Pagination pagination `json:"pagination"`
	Sources    []source   `json:"sources"`
}

func listSources(ctx context.Context, g Graph, in listSourcesIn) (sourcesOut, error) {
	page, err := g.Query().Sources(ctx, in.Status, in.Kind, in.Limit, in.Cursor)
	if err != nil {
		return sourcesOut{}, err
	}

	all, err := shapes(ctx, g, page.Nodes, sourceOf)

	return sourcesOut{Pagination: paginationOf(page.PageInfo), Sources: all}, err
}

type updateSourceIn struct {
	sourcePath

	Body model.UpdateSourceInput `body:"json"`
}

func updateSource(ctx context.Context, g Graph, in updateSourceIn) (sourceOut, error) {
	changed, err := g.Mutation().UpdateSource(ctx, in.SourceID, in.Body)
	if err != nil {
		return sourceOut{}, err
	}

	return sourceOutOf(ctx, g, changed.Source)
}

func deleteSource(ctx context.Context, g Graph, in sourcePath) (ok, error) {
	_, err := g.Mutation().DeleteSource(ctx, in.SourceID)

	return done(), err
}

type completeSourceIn struct {
	sourcePath

	Body model.CompleteSourceInput `body:"json"`
}

func completeSource(ctx context.Context, g Graph, in completeSourceIn) (sourceOut, error) {
	done, err := g.Mutation().CompleteSource(ctx, in.SourceID, &in.Body)
	if err != nil {
		return sourceOut{}, err
	}

	return sourceOutOf(ctx, g, done.Source)
}

type sourceOut struct {
	Source source `json:"source"`
}

type source struct {
	ID              string              `json:"id"`
	Kind            values.SourceKind   `json:"kind"`
	Role            *values.SourceRole  `json:"role,omitempty"`
	Status          values.SourceStatus `json:"status"`
	Audio           *values.SourceAudio `json:"audio,omitempty"`
	UploadURL       *string             `json:"uploadUrl,omitempty"`
	ExpiresAt       Datetime            `json:"expiresAt,omitempty"`
	Name            string              `json:"name"`
	Width           *int                `json:"width,omitempty"`
	Height          *int                `json:"height,omitempty"`
	Dimensions      *values.Dimensions  `json:"dimensions,omitempty"`
	DurationSeconds *float64            `json:"durationSeconds,omitempty"`
	DurationMs      *int64              `json:"durationMs,omitempty"`
	FPS             *float64            `json:"fps,omitempty"`
	HasAudio        bool                `json:"hasAudio"`
	AudioTracks     []audioTrack        `json:"audioTracks"`
	Bytes           int64               `json:"bytes"`
	CreatedAt       Datetime            `json:"createdAt"`
	Interrupted     bool                `json:"interrupted,omitempty"`
	Error           *problem            `json:"error,omitempty"`
}

// audioTrack is one of the sounds of a recording.
type audioTrack struct {
	Index    int     `json:"index"`
	Channels int     `json:"channels"`
	Language *string `json:"language,omitempty"`
	Title    *string `json:"title,omitempty"`
	Silent   *bool   `json:"silent,omitempty"`
}

// problem is why an upload or an export failed.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// DescribeSource is the body that answers for a source, wherever one is answered for.
func DescribeSource(ctx context.Context, g Graph, s *model.Source) ([]byte, error) {
	out, err := sourceOutOf(ctx, g, s)
	if err != nil {
		return nil, err
	}

	return encode(out)
}

func sourceOutOf(ctx context.Context, g Graph, s *model.Source) (sourceOut, error) {
	shape, err := sourceOf(ctx, g, s)

	return sourceOut{Source: shape}, err
}

func sourceOf(ctx context.Context, g Graph, s *model.Source) (source, error) {
	var (
		of  = g.Source()
		err error
	)

	out := source{
		ID: s.ID, Kind: s.Kind, Role: s.Role, Status: s.Status, Audio: s.Audio, Name: s.Name,
		HasAudio: s.HasAudio, Bytes: s.Bytes, CreatedAt: datetimeOf(s.CreatedAt),
	}

	if out.UploadURL, err = of.UploadURL(ctx, s); err != nil {
		return source{}, err
	}

	until, err := of.ExpiresAt(ctx, s)
	if err != nil {
		return source{}, err
	}

	if until != nil {
		out.ExpiresAt = datetimeOf(*until)
	}

	if out.Width, err = of.Width(ctx, s); err != nil {
		return source{}, err
	}

	if out.Height, err = of.Height(ctx, s); err != nil {
		return source{}, err
	}

	if out.DurationSeconds, err = of.DurationSeconds(ctx, s); err != nil {
		return source{}, err
	}

	if out.FPS, err = of.Fps(ctx, s); err != nil {
		return source{}, err
	}

	tracks, err := of.AudioTracks(ctx, s)
	if err != nil {
		return source{}, err
	}

	out.AudioTracks = make([]audioTrack, len(tracks))
	for i, t := range tracks {
		out.AudioTracks[i] = audioTrack(*t)
	}

	if out.Width != nil && out.Height != nil {
		out.Dimensions = &values.Dimensions{Width: *out.Width, Height: *out.Height}
	}

	if out.DurationSeconds != nil {
		out.DurationMs = &s.DurationMs
	}

	if out.Interrupted, err = of.Interrupted(ctx, s); err != nil {
		return source{}, err
	}

	failed, err := of.Error(ctx, s)
	if err != nil {
		return source{}, err
	}

	if failed != nil {
		out.Error = &problem{Code: failed.Code, Message: failed.Message}
	}

	return out, nil
}
