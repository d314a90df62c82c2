package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// still is the address of a picture.
func (r *Resolver) still(ctx context.Context, of Picture, q model.StillQuery) (string, error) {
	if err := input.Validate(&q); err != nil {
		return "", err
	}

	if err := of.refuseArriving(); err != nil {
		return "", err
	}

	if err := reaches(q.InpointMs, of.LengthMs); err != nil {
		return "", err
	}

	return r.Media.Still(ctx, of, q)
}

// videoPlayed is a video as it is played, to be pictured.
func (r *Resolver) videoPlayed(v *ent.Video) Picture {
	return Picture{VideoID: v.ID, LengthMs: v.DurationMs, Plan: func(ctx context.Context) (values.ExportPlan, error) {
		return r.seenIn(ctx, v.ID, func(timeline.Clip) bool { return true })
	}}
}

// clipPlayed is a clip as it is played, to be pictured.
func (r *Resolver) clipPlayed(c *ent.Clip) Picture {
	return Picture{VideoID: c.VideoID, LengthMs: c.DurationMs, Plan: func(ctx context.Context) (values.ExportPlan, error) {
		return r.seenIn(ctx, c.VideoID, func(other timeline.Clip) bool { return other.ID == c.ID })
	}}
}

// VideoPlayed is a video to be pictured for whoever holds the signed address of its thumbnails.
func (r *Resolver) VideoPlayed(ctx context.Context, id string) (Picture, error) {
	v, err := r.Store.Client(ctx).Video.Get(ctx, id)
	if ent.IsNotFound(err) {
		return Picture{}, fault.NotFound("file")
	}

	if err != nil {
		return Picture{}, fmt.Errorf("read video: %w", err)
	}

	return r.videoPlayed(v), nil
}

// seenIn is what some clips of a video show. What is only heard, and names, are left out: they make no
// other picture.
func (r *Resolver) seenIn(ctx context.Context, videoID string, shown func(timeline.Clip) bool) (values.ExportPlan, error) {
	v, err := r.Store.Client(ctx).Video.Get(ctx, videoID)
	if err != nil {
		return values.ExportPlan{}, fmt.Errorf("read video: %w", err)
	}

	plan, err := r.planOf(ctx, v, v.Editing.SubtitlesEnabled)
	if err != nil {
		return values.ExportPlan{}, err
	}

	plan.Timeline.Music = nil
	all, looks := plan.Timeline.Clips, plan.Look.Clips
	plan.Timeline.Clips, plan.Look.Clips = nil, nil

	for i, c := range all {
		if shown(c) {
			plan.Timeline.Clips = append(plan.Timeline.Clips, c)
			plan.Look.Clips = append(plan.Look.Clips, looks[i])
		}
	}

	for i := range plan.Timeline.Clips {
		c := &plan.Timeline.Clips[i]
		c.Name, c.Sounds, c.Cues = "", nil, nil
		c.Smooth = c.Smooth && i > 0
	}

	return plan, nil
}

// reaches refuses the time of a frame that is past the end.
func reaches(inpointMs, lengthMs int64) error {
	if inpointMs > lengthMs {
		return fault.Invalid([]fault.Field{{Path: "inpointMs", Rule: fmt.Sprintf("must not be past the end, at %d ms", lengthMs)}})
	}

	return nil
}

// storyboard is a sheet of pictures.
func (r *Resolver) storyboard(ctx context.Context, of Picture, q model.StoryboardQuery) (*model.Storyboard, error) {
	if err := input.Validate(&q); err != nil {
		return nil, err
	}

	if err := of.refuseArriving(); err != nil {
		return nil, err
	}

	if q.StartTimeMs >= of.LengthMs {
		return nil, fault.Invalid([]fault.Field{{Path: "startTimeMs", Rule: fmt.Sprintf("must be before the end, at %d ms", of.LengthMs)}})
	}

	q.DurationMs = min(q.DurationMs, of.LengthMs-q.StartTimeMs)

	return r.Media.Storyboard(ctx, of, q)
}

// sourceStoryboard is a sheet of pictures of a video source, of as much of it as can be read.
func (r *Resolver) sourceStoryboard(ctx context.Context, s *ent.Source, q model.StoryboardQuery) (*model.Storyboard, error) {
	if err := input.Validate(&q); err != nil {
		return nil, err
	}

	if err := r.refuseUse(ctx, s, "source"); err != nil {
		return nil, err
	}

	if s.Kind != values.SourceKindVideo {
		return nil, fault.NotImplemented("A source of kind " + string(s.Kind) + " has no storyboard.")
	}

	s, err := r.reached(ctx, s)
	if err != nil {
		return nil, err
	}

	arriving := s.Status != values.SourceStatusReady && s.Status != values.SourceStatusFailed

	switch {
	case s.Status == values.SourceStatusFailed:
		return nil, fault.Conflict("The source has failed: there is nothing to show of it.")
	case s.DurationMs == 0:
		return nil, fault.Conflict("Nothing of the source can be shown yet.")
	case arriving && q.StartTimeMs >= s.DurationMs:
		return nil, fault.Conflict("The source has not arrived as far as startTimeMs.")
	}

	return r.storyboard(ctx, Picture{Source: s, LengthMs: s.DurationMs}, q)
}

// reached is a source with the length of what can be decoded of it now. One whose bytes are complete is
// waited for until it was looked at.
func (r *Resolver) reached(ctx context.Context, s *ent.Source) (*ent.Source, error) {
	switch s.Status {
	case values.SourceStatusProcessing:
		return r.lookedAt(ctx, s.ID, "sourceId")
	case values.SourceStatusPending, values.SourceStatusUploading:
	default:
		return s, nil
	}

	bytes, err := r.Intake().Arrived(ctx, s)
	if err != nil || bytes == 0 {
		return s, err
	}

	lengthMs, err := r.Media.Reach(ctx, s, bytes)
	if err != nil {
		return nil, err
	}

	now := *s
	now.UploadOffset, now.DurationMs = bytes, lengthMs

	return &now, nil
}

// sourceIn is a source that a clip was made of, or not_found.
func (r *Resolver) sourceIn(ctx context.Context, c *ent.Clip, id string) (*ent.Source, error) {
	all, err := r.clipSources(ctx, c)
	if err != nil {
		return nil, err
	}

	if i := slices.IndexFunc(all, func(s *ent.Source) bool { return s.ID == id }); i >= 0 {
		return all[i], nil
	}

	return nil, fault.NotFound("source")
}

// sourceStill is the address of a picture of a source as it was recorded, never of another shape.
func (r *Resolver) sourceStill(ctx context.Context, c *ent.Clip, sourceID string, q model.StillQuery) (string, error) {
	if err := input.Validate(&q); err != nil {
		return "", err
	}

	s, err := r.sourceIn(ctx, c, sourceID)
	if err != nil {
		return "", err
	}

	if err := r.refuseUse(ctx, s, "source"); err != nil {
		return "", err
	}

	if s.Kind != values.SourceKindVideo {
		return "", fault.NotFound("thumbnail: the source has no pictures")
	}

	if q.Width != nil && q.Height != nil && s.Width > 0 {
		if own := float64(*q.Width) * float64(s.Height) / float64(s.Width); math.Abs(own-float64(*q.Height)) > 1 {
			return "", fault.Invalid([]fault.Field{{Path: "height", Rule: fmt.Sprintf(
				"must keep the aspect of the source, which is %d to %d", s.Width, s.Height)}})
		}
	}

	return r.still(ctx, Picture{Source: s, LengthMs: s.DurationMs}, q)
}

// waveform is the shape of the sound of one of a clip's sources.
func (r *Resolver) waveform(ctx context.Context, c *ent.Clip, sourceID string) (*model.Waveform, error) {
	s, err := r.sourceIn(ctx, c, sourceID)
	if err != nil {
		return nil, err
	}

	if err := r.refuseUse(ctx, s, "source"); err != nil {
		return nil, err
	}

	if !s.HasAudio {
		return nil, fault.NotFound("waveform: the source has no sound")
	}

	return r.Media.Waveform(ctx, s)
}

// foundWindow is what autoCrop found, and the clip it was applied to.
type foundWindow struct {
	values.FoundWindow

	clip *ent.Clip
}

// croppedClip crops a clip to the window its screen recording shows, and says what was found.
func (r *Resolver) croppedClip(ctx context.Context, videoID, clipID string, in model.AutoCropInput) (*model.AutoCropPayload, error) {
	found, err := r.autoCrop(ctx, videoID, clipID, in)
	if err != nil {
		return nil, err
	}

	shape, err := r.shapeOf(ctx, found.clip, found.Box)
	if err != nil {
		return nil, err
	}

	v, err := r.videoOf(ctx, found.clip)
	if err != nil {
		return nil, err
	}

	return &model.AutoCropPayload{
		Crop: &found.Box, Confidence: found.Confidence, AspectRatio: shape, InpointMs: in.InpointMs, Clip: found.clip, Video: v,
	}, nil
}

// autoCrop crops a clip to the window its screen recording shows. The search, which takes a while, is
// made before the video is locked.
func (r *Resolver) autoCrop(ctx context.Context, videoID, id string, in model.AutoCropInput) (foundWindow, error) {
	v, err := r.readableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return foundWindow{}, err
	}

	c, err := r.clipOf(ctx, videoID, id)
	if err != nil {
		return foundWindow{}, err
	}

	if err := r.refuseEdit(ctx, v); err != nil {
		return foundWindow{}, err
	}

	if c.ScreenSourceID == nil {
		return foundWindow{}, fault.BadRequest("The clip has no screen recording to crop.")
	}

	if err := refuseArriving(c); err != nil {
		return foundWindow{}, err
	}

	if err := reaches(in.InpointMs, c.DurationMs); err != nil {
		return foundWindow{}, err
	}

	screen, err := r.sourceIn(ctx, c, *c.ScreenSourceID)
	if err != nil {
		return foundWindow{}, err
	}

	found := foundWindow{clip: c}
	if found.FoundWindow, err = r.Media.Window(ctx, screen, clockOf(c).RecordStart(in.InpointMs)); err != nil || found.Confidence == 0 {
		return found, err
	}

	found.clip, err = r.editClip(ctx, videoID, id, nil, func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if c.Crop == nil || *c.Crop != found.Box {
			m.SetCrop(&found.Box)
		}

		return nil
	})

	return found, err
}

// shapeOf is the aspect ratio of what a crop leaves of a clip's screen recording.
func (r *Resolver) shapeOf(ctx context.Context, c *ent.Clip, box values.CropBox) (string, error) {
	screen, err := r.sourceIn(ctx, c, *c.ScreenSourceID)
	if err != nil {
		return "", err
	}

	return aspectRatio(values.Dimensions{
		Width:  int(math.Round(float64(screen.Width) * box.WidthPct / 100)),
		Height: int(math.Round(float64(screen.Height) * box.HeightPct / 100)),
	}), nil
}
