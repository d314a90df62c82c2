package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// described asks for the address of signed media in a body in place of a redirect.
type described struct {
	Response *string `query:"response" check:"oneof=json"`
}

// stillIn is the query of a thumbnail.
type stillIn struct {
	model.StillQuery
	described

	// In a query a switch is there or not.
	Save *string `query:"download" check:"oneof=true"`
}

type stillOut struct {
	URL string `json:"url"`

	told bool
}

func (o stillOut) location() string {
	if o.told {
		return ""
	}

	return o.URL
}

func (in stillIn) out(url string, err error) (stillOut, error) {
	return stillOut{URL: url, told: in.Response != nil}, err
}

type getVideoThumbnailIn struct {
	videoPath
	stillIn
}

func getVideoThumbnail(ctx context.Context, g Graph, in getVideoThumbnailIn) (stillOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "revision", "durationMs")), in.ID)
	if err != nil {
		return stillOut{}, err
	}

	return in.out(g.Video().Still(ctx, v, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

type getClipThumbnailIn struct {
	clipPath
	stillIn
}

func getClipThumbnail(ctx context.Context, g Graph, in getClipThumbnailIn) (stillOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return stillOut{}, err
	}

	return in.out(g.Clip().Still(ctx, c, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

// clipSourcePath names a source of a clip.
type clipSourcePath struct {
	clipPath
	sourcePath
}

type getClipSourceThumbnailIn struct {
	clipSourcePath
	stillIn
}

func getClipSourceThumbnail(ctx context.Context, g Graph, in getClipSourceThumbnailIn) (stillOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return stillOut{}, err
	}

	return in.out(g.Clip().SourceStill(ctx, c, in.SourceID, in.Format, in.InpointMs, in.DurationMs, in.Width, in.Height, in.Save != nil))
}

// storyboardIn is the query of a storyboard.
type storyboardIn struct {
	model.StoryboardQuery
	described
}

type storyboardOut struct {
	URL        string `json:"url"`
	Columns    int    `json:"columns"`
	Rows       int    `json:"rows"`
	IntervalMs int64  `json:"intervalMs"`

	told bool
}

func (o storyboardOut) location() string {
	if o.told {
		return ""
	}

	return o.URL
}

func (in storyboardIn) out(s *model.Storyboard, err error) (storyboardOut, error) {
	if err != nil {
		return storyboardOut{}, err
	}

	return storyboardOut{URL: s.URL, Columns: s.Columns, Rows: s.Rows, IntervalMs: s.IntervalMs, told: in.Response != nil}, nil
}

type getVideoStoryboardIn struct {
	videoPath
	storyboardIn
}

func getVideoStoryboard(ctx context.Context, g Graph, in getVideoStoryboardIn) (storyboardOut, error) {
	v, err := g.Query().Video(asking(ctx, selection.Fields("id", "revision", "durationMs")), in.ID)
	if err != nil {
		return storyboardOut{}, err
	}

	return in.out(g.Video().Storyboard(ctx, v, in.StartTimeMs, in.DurationMs))
}

type getClipStoryboardIn struct {
	clipPath
	storyboardIn
}

func getClipStoryboard(ctx context.Context, g Graph, in getClipStoryboardIn) (storyboardOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return storyboardOut{}, err
	}

	return in.out(g.Clip().Storyboard(ctx, c, in.StartTimeMs, in.DurationMs))
}

type getSourceStoryboardIn struct {
	sourcePath
	storyboardIn
}

func getSourceStoryboard(ctx context.Context, g Graph, in getSourceStoryboardIn) (storyboardOut, error) {
	s, err := g.Query().Source(ctx, in.SourceID)
	if err != nil {
		return storyboardOut{}, err
	}

	return in.out(g.Source().Storyboard(ctx, s, in.StartTimeMs, in.DurationMs))
}

type waveformOut struct {
	Version         int   `json:"version"`
	Channels        int   `json:"channels"`
	SampleRate      int   `json:"sampleRate"`
	SamplesPerPixel int   `json:"samplesPerPixel"`
	Bits            int   `json:"bits"`
	Length          int   `json:"length"`
	Data            []int `json:"data"`
}

func getSourceWaveform(ctx context.Context, g Graph, in clipSourcePath) (waveformOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return waveformOut{}, err
	}

	w, err := g.Clip().Waveform(ctx, c, in.SourceID)
	if err != nil {
		return waveformOut{}, err
	}

	return waveformOut{
		Version: w.Version, Channels: w.Channels, SampleRate: w.SampleRate, SamplesPerPixel: w.SamplesPerPixel,
		Bits: w.Bits, Length: w.Length, Data: w.Data,
	}, nil
}

type autoCropIn struct {
	clipPath

	Body model.AutoCropInput `body:"json"`
}

type autoCropOut struct {
	Crop        *values.CropBox `json:"crop"`
	Confidence  float64         `json:"confidence"`
	AspectRatio string          `json:"aspectRatio"`
	InpointMs   int64           `json:"inpointMs"`
}

func autoCrop(ctx context.Context, g Graph, in autoCropIn) (autoCropOut, error) {
	found, err := g.Mutation().AutoCrop(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return autoCropOut{}, err
	}

	return autoCropOut{Crop: found.Crop, Confidence: found.Confidence, AspectRatio: found.AspectRatio, InpointMs: found.InpointMs}, nil
}
