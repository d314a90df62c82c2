package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// described has the option to return the address of signed media in a body instead of a redirect.
type described struct {
	Response *string `query:"response" check:"oneof=json"`
}

// stillIn is the query of a thumbnail.
type stillIn struct {
	model.StillQuery
	described

	// Switches in a query are present or absent.
	Save *string `query:"download" check:"oneof=true"`
}

func (in stillIn) out(url string, err error) (shape.StillOut, error) {
	return shape.StillOut{URL: url, InBody: in.Response != nil}, err
}

type getVideoThumbnailIn struct {
	videoPath
	stillIn
}

func getVideoThumbnail(ctx context.Context, g Graph, in getVideoThumbnailIn) (shape.StillOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "revision", "durationMs")), in.ID)
	if err != nil {
		return shape.StillOut{}, err
	}

	return in.out(g.Video().Still(ctx, v, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

type getClipThumbnailIn struct {
	clipPath
	stillIn
}

func getClipThumbnail(ctx context.Context, g Graph, in getClipThumbnailIn) (shape.StillOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.StillOut{}, err
	}

	return in.out(g.Clip().Still(ctx, c, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

// clipSourcePath is the path of a source of a clip.
type clipSourcePath struct {
	clipPath
	sourcePath
}

type getClipSourceThumbnailIn struct {
	clipSourcePath
	stillIn
}

func getClipSourceThumbnail(ctx context.Context, g Graph, in getClipSourceThumbnailIn) (shape.StillOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.StillOut{}, err
	}

	return in.out(g.Clip().SourceStill(ctx, c, in.SourceID, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

// storyboardIn is the query of a storyboard.
type storyboardIn struct {
	model.StoryboardQuery
	described
}

func (in storyboardIn) out(s *model.Storyboard, err error) (shape.StoryboardOut, error) {
	if err != nil {
		return shape.StoryboardOut{}, err
	}

	return shape.StoryboardOut{URL: s.URL, Columns: s.Columns, Rows: s.Rows, IntervalMs: s.IntervalMs, InBody: in.Response != nil}, nil
}

type getVideoStoryboardIn struct {
	videoPath
	storyboardIn
}

func getVideoStoryboard(ctx context.Context, g Graph, in getVideoStoryboardIn) (shape.StoryboardOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "revision", "durationMs")), in.ID)
	if err != nil {
		return shape.StoryboardOut{}, err
	}

	return in.out(g.Video().Storyboard(ctx, v, in.StartTimeMs, in.DurationMs))
}

type getClipStoryboardIn struct {
	clipPath
	storyboardIn
}

func getClipStoryboard(ctx context.Context, g Graph, in getClipStoryboardIn) (shape.StoryboardOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.StoryboardOut{}, err
	}

	return in.out(g.Clip().Storyboard(ctx, c, in.StartTimeMs, in.DurationMs))
}

type getSourceStoryboardIn struct {
	sourcePath
	storyboardIn
}

func getSourceStoryboard(ctx context.Context, g Graph, in getSourceStoryboardIn) (shape.StoryboardOut, error) {
	s, err := g.Query().Source(ctx, in.SourceID)
	if err != nil {
		return shape.StoryboardOut{}, err
	}

	return in.out(g.Source().Storyboard(ctx, s, in.StartTimeMs, in.DurationMs))
}

func getSourceWaveform(ctx context.Context, g Graph, in clipSourcePath) (shape.WaveformOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.WaveformOut{}, err
	}

	w, err := g.Clip().Waveform(ctx, c, in.SourceID)
	if err != nil {
		return shape.WaveformOut{}, err
	}

	return shape.WaveformOut{
		Version: w.Version, Channels: w.Channels, SampleRate: w.SampleRate, SamplesPerPixel: w.SamplesPerPixel,
		Bits: w.Bits, Length: w.Length, Data: w.Data,
	}, nil
}

type autoCropIn struct {
	clipPath

	Body model.AutoCropInput `body:"json"`
}

func autoCrop(ctx context.Context, g Graph, in autoCropIn) (shape.AutoCropOut, error) {
	found, err := g.Mutation().AutoCrop(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return shape.AutoCropOut{}, err
	}

	return shape.AutoCropOut{Crop: found.Crop, Confidence: found.Confidence, AspectRatio: found.AspectRatio, InpointMs: found.InpointMs}, nil
}
