package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ClipsOut is the response with a list of clips.
type ClipsOut struct {
	Clips []clip `json:"clips"`
}

// ClipFields returns the fields to select when a response contains a clip. Other fields may not be loaded.
func ClipFields() selection.Tree {
	return selection.Fields("id", "videoId", "name", "order", "createdAt", "updatedAt", "cuts", "durationSeconds", "maxDurationSeconds",
		"layoutSceneType", "background", "borderStyle", "corners", "crop", "transition", "studioSound", "animatedCursor",
		"microphoneVolume", "systemAudioVolume")
}

// ClipOut is the response with one clip.
type ClipOut struct {
	Clip clip `json:"clip"`

	rev int64
}

// Revision returns the revision of the clip's video.
func (o ClipOut) Revision() int64 { return o.rev }

// Unsigned implements Signed.
func (o ClipOut) Unsigned() any {
	if o.Clip.Background != nil {
		b := *o.Clip.Background
		b.ImageURL, b.VideoURL = unsignedAddress(b.ImageURL), unsignedAddress(b.VideoURL)
		o.Clip.Background = &b
	}

	return o
}

type clip struct {
	ID                 string                   `json:"id"`
	VideoID            string                   `json:"videoId"`
	Name               string                   `json:"name"`
	Order              int                      `json:"order"`
	CreatedAt          Datetime                 `json:"createdAt"`
	UpdatedAt          Datetime                 `json:"updatedAt"`
	Cuts               []*model.Cut             `json:"cuts"`
	DurationSeconds    float64                  `json:"durationSeconds"`
	MaxDurationSeconds float64                  `json:"maxDurationSeconds"`
	LayoutSceneType    values.LayoutSceneType   `json:"layoutSceneType"`
	Background         *model.Background        `json:"background"`
	BorderStyle        values.BorderStyle       `json:"borderStyle"`
	Corners            values.Corners           `json:"corners"`
	Crop               Optional[values.CropBox] `json:"crop"`
	Transition         values.ClipTransition    `json:"transition"`
	StudioSound        bool                     `json:"studioSound"`
	AnimatedCursor     *bool                    `json:"animatedCursor,omitempty"`
	MicrophoneVolume   Optional[float64]        `json:"microphoneVolume,omitzero"`
	SystemAudioVolume  Optional[float64]        `json:"systemAudioVolume,omitzero"`
}

// ClipOutOf returns the response for a clip of a video.
func ClipOutOf(ctx context.Context, g Graph, c *model.Clip, v *model.Video) (ClipOut, error) {
	if v != nil {
		c.Edges.Video = v
	}

	shape, err := ClipOf(ctx, g, c)
	if err != nil {
		return ClipOut{}, err
	}

	return ClipOut{Clip: shape, rev: c.Edges.Video.Revision}, nil
}

// ClipOf converts a clip to its JSON form.
func ClipOf(ctx context.Context, g Graph, c *model.Clip) (clip, error) {
	var (
		of  = g.Clip()
		err error
	)

	out := clip{
		ID: c.ID, VideoID: c.VideoID, Name: c.Name, Order: c.Position,
		CreatedAt: DatetimeOf(c.CreatedAt), UpdatedAt: DatetimeOf(c.UpdatedAt),
		DurationSeconds: model.Seconds(c.DurationMs), MaxDurationSeconds: model.Seconds(c.RecordingMs),
		Crop: SomeOrNull(c.Crop), Transition: c.Transition,
	}

	if out.Cuts, err = of.Cuts(ctx, c); err != nil {
		return out, err
	}

	if out.LayoutSceneType, err = of.LayoutSceneType(ctx, c); err != nil {
		return out, err
	}

	if out.Background, err = of.Background(ctx, c); err != nil {
		return out, err
	}

	if out.BorderStyle, err = of.BorderStyle(ctx, c); err != nil {
		return out, err
	}

	if out.Corners, err = of.Corners(ctx, c); err != nil {
		return out, err
	}

	if out.StudioSound, err = of.StudioSound(ctx, c); err != nil {
		return out, err
	}

	if out.AnimatedCursor, err = of.AnimatedCursor(ctx, c); err != nil {
		return out, err
	}

	if out.MicrophoneVolume, err = volumeOf(of.MicrophoneVolume(ctx, c)); err != nil {
		return out, err
	}

	out.SystemAudioVolume, err = volumeOf(of.SystemAudioVolume(ctx, c))

	return out, err
}

// volumeOf has the three states of the contract: absent without such a sound, null if it follows the video, or the
// clip's own volume.
func volumeOf(v *model.Volume, err error) (Optional[float64], error) {
	if v == nil || err != nil {
		return Optional[float64]{}, err
	}

	return SomeOrNull(v.Override), nil
}
