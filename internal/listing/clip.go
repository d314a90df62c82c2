package listing

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ClipsInOrder returns all clips of a video in their order.
func (svc *Service) ClipsInOrder(ctx context.Context, videoID string) ([]*ent.Clip, error) {
	all, err := svc.Store.Client(ctx).Clip.Query().Where(clip.VideoID(videoID)).
		Order(ent.Asc(clip.FieldPosition, clip.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	return all, nil
}

// SceneType returns the scene type of a clip. It depends on whether the clip has a screen recording and a camera
// recording.
func SceneType(c *ent.Clip) values.LayoutSceneType {
	return values.SceneType(c.ScreenSourceID != nil, c.CameraSourceID != nil)
}

// WithSources limits a query of effects to those that show or play a source.
func WithSources(q *ent.EffectQuery) { q.Where(effect.SourceIDNotNil()) }

// recordedOf returns the sources that a clip was made of: screen, camera, microphone, pointer.
func recordedOf(c *ent.Clip) []string {
	var named []string

	for _, id := range []*string{c.ScreenSourceID, c.CameraSourceID, c.MicrophoneSourceID, c.MouseSourceID} {
		if id != nil {
			named = append(named, *id)
		}
	}

	return optional.Unique(nil, named)
}

// SourcesOf returns the ids of the sources that a clip uses: its recordings, the source of its background, and the
// sources of the effects that were loaded with the clip.
func SourcesOf(c *ent.Clip) []string {
	named := recordedOf(c)

	if id := c.Background.SourceID; id != "" {
		named = append(named, id)
	}

	for _, e := range c.Edges.Effects {
		if e.SourceID != nil {
			named = append(named, *e.SourceID)
		}
	}

	return named
}

// ClockOf returns the clock that converts between the clip's recording time and playback time.
func ClockOf(c *ent.Clip) timeline.Clock { return timeline.NewClock(c.RecordingMs, c.Cuts) }

// ClipOf returns a clip of the given video, or not_found. It does not check rights: the caller must have read the
// video before.
func (svc *Service) ClipOf(ctx context.Context, videoID, id string) (*ent.Clip, error) {
	if !ids.Is(ids.Clip, id) {
		return nil, fault.NotFound("clip")
	}

	found, err := svc.Store.Client(ctx).Clip.Query().Where(clip.ID(id), clip.VideoID(videoID)).WithVideo().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("clip")
	}

	if err != nil {
		return nil, fmt.Errorf("read clip: %w", err)
	}

	return found, nil
}

// VideoOf returns the video of a clip. If the video was not loaded with the clip, VideoOf reads it.
func (svc *Service) VideoOf(ctx context.Context, c *ent.Clip) (*ent.Video, error) {
	if c.Edges.Video != nil {
		return c.Edges.Video, nil
	}

	v, err := svc.Store.Client(ctx).Video.Get(ctx, c.VideoID)
	if err != nil {
		return nil, fmt.Errorf("read video of clip: %w", err)
	}

	c.Edges.Video = v

	return v, nil
}

// Artboard returns the size of a video's drawing area.
func Artboard(v *ent.Video) values.Dimensions {
	return values.Dimensions{Width: v.Width, Height: v.Height}
}
