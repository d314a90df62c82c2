package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateSourceOut is the response with a new source and its upload address.
type CreateSourceOut struct {
	SourceID  string   `json:"sourceId"`
	UploadURL string   `json:"uploadUrl"`
	ExpiresAt Datetime `json:"expiresAt"`
}

// SourcesOut is the response with a list of sources.
type SourcesOut struct {
	Pagination pagination `json:"pagination"`
	Sources    []source   `json:"sources"`
}

// SourceOut is the response with one source.
type SourceOut struct {
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

// audioTrack is one audio track of a recording.
type audioTrack struct {
	Index    int     `json:"index"`
	Channels int     `json:"channels"`
	Language *string `json:"language,omitempty"`
	Title    *string `json:"title,omitempty"`
	Silent   *bool   `json:"silent,omitempty"`
}

// problem is the reason why an upload or an export failed.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// DescribeSource returns the JSON of a source. It is for responses of handlers that are not in the table of
// operations.
func DescribeSource(ctx context.Context, g Graph, s *model.Source) ([]byte, error) {
	out, err := SourceOutOf(ctx, g, s)
	if err != nil {
		return nil, err
	}

	return Encode(out)
}

// SourceOutOf returns the response for a source.
func SourceOutOf(ctx context.Context, g Graph, s *model.Source) (SourceOut, error) {
	shape, err := SourceOf(ctx, g, s)

	return SourceOut{Source: shape}, err
}

// SourceOf converts a source to its JSON form.
func SourceOf(ctx context.Context, g Graph, s *model.Source) (source, error) {
	var (
		of  = g.Source()
		err error
	)

	out := source{
		ID: s.ID, Kind: s.Kind, Role: s.Role, Status: s.Status, Audio: s.Audio, Name: s.Name,
		HasAudio: s.HasAudio, Bytes: s.Bytes, CreatedAt: DatetimeOf(s.CreatedAt),
	}

	if out.UploadURL, err = of.UploadURL(ctx, s); err != nil {
		return source{}, err
	}

	until, err := of.ExpiresAt(ctx, s)
	if err != nil {
		return source{}, err
	}

	if until != nil {
		out.ExpiresAt = DatetimeOf(*until)
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
