package exports

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Still returns the address of a frame of a video.
func (svc *Service) Still(ctx context.Context, of extracts.Picture, q model.StillQuery) (string, error) {
	if err := input.Validate(&q); err != nil {
		return "", err
	}

	if err := listing.RefuseArrivingPicture(of); err != nil {
		return "", err
	}

	if err := reaches(q.InpointMs, of.LengthMs); err != nil {
		return "", err
	}

	return svc.Media.Still(ctx, of, q)
}

// PictureOfVideo returns the Picture that stands for the edited video. Pass it to the functions that make pictures.
func (svc *Service) PictureOfVideo(v *ent.Video) extracts.Picture {
	return extracts.Picture{VideoID: v.ID, LengthMs: v.DurationMs, Plan: func(ctx context.Context) (plan.ExportPlan, error) {
		return svc.seenIn(ctx, v.ID, func(timeline.Clip) bool { return true })
	}}
}

// PictureOfClip returns the Picture that stands for the edited clip. Pass it to the functions that make pictures.
func (svc *Service) PictureOfClip(c *ent.Clip) extracts.Picture {
	return extracts.Picture{VideoID: c.VideoID, LengthMs: c.DurationMs, Plan: func(ctx context.Context) (plan.ExportPlan, error) {
		return svc.seenIn(ctx, c.VideoID, func(other timeline.Clip) bool { return other.ID == c.ID })
	}}
}

// ThumbnailByID returns what a thumbnail file of a video shows, such as small.jpg. Moving thumbnails show the film, and
// still ones what was chosen to stand for it. It is called for requests with the signed address of a thumbnail.
func (svc *Service) ThumbnailByID(ctx context.Context, id, name string) (extracts.Picture, error) {
	v, err := svc.Store.Client(ctx).Video.Get(ctx, id)
	if ent.IsNotFound(err) {
		return extracts.Picture{}, fault.NotFound("file")
	}

	if err != nil {
		return extracts.Picture{}, fmt.Errorf("read video: %w", err)
	}

	if extracts.Moves(name) {
		return svc.PictureOfVideo(v), nil
	}

	return svc.thumbnailOf(ctx, v)
}

// thumbnailOf returns the picture that stands for a video: what was chosen, or the first frame.
func (svc *Service) thumbnailOf(ctx context.Context, v *ent.Video) (extracts.Picture, error) {
	film := svc.PictureOfVideo(v)

	switch {
	case v.ThumbnailKey != "":
		return extracts.Picture{VideoID: v.ID, Copy: v.ThumbnailKey}, nil
	case v.Thumbnail == nil:
		return film, nil
	case v.Thumbnail.SourceID != "":
		image, err := svc.Store.Client(ctx).Source.Get(ctx, v.Thumbnail.SourceID)
		if err != nil {
			return film, fmt.Errorf("read source: %w", err)
		}

		return extracts.Picture{Source: image}, nil
	}

	at, err := svc.Videos.Thumbnails().FrameOf(ctx, v)
	if at != nil {
		film.FromMs = *at
	}

	return film, err
}

// PrepareThumbnails requests the still thumbnails of a video, so that they are there when somebody first looks at it. It
// returns a conflict if the video cannot be shown yet.
func (svc *Service) PrepareThumbnails(ctx context.Context, id string) error {
	of, err := svc.ThumbnailByID(ctx, id, "")
	if err != nil {
		return err
	}

	return svc.Media.Prepare(ctx, of)
}

// seenIn returns the plan of some clips of a video without sounds and names, since they do not change the picture.
func (svc *Service) seenIn(ctx context.Context, videoID string, shown func(timeline.Clip) bool) (plan.ExportPlan, error) {
	v, err := svc.Store.Client(ctx).Video.Get(ctx, videoID)
	if err != nil {
		return plan.ExportPlan{}, fmt.Errorf("read video: %w", err)
	}

	planned, err := svc.planOf(ctx, v, v.Editing.SubtitlesEnabled)
	if err != nil {
		return plan.ExportPlan{}, err
	}

	planned.Timeline.Music = nil
	all, looks := planned.Timeline.Clips, planned.Look.Clips
	planned.Timeline.Clips, planned.Look.Clips = nil, nil

	for i, c := range all {
		if shown(c) {
			planned.Timeline.Clips = append(planned.Timeline.Clips, c)
			planned.Look.Clips = append(planned.Look.Clips, looks[i])
		}
	}

	for i := range planned.Timeline.Clips {
		c := &planned.Timeline.Clips[i]
		c.Name, c.Sounds, c.Cues = "", nil, nil
		c.Smooth = c.Smooth && i > 0
	}

	return planned, nil
}

// reaches refuses a frame time past the end.
func reaches(inpointMs, lengthMs int64) error {
	if inpointMs > lengthMs {
		return fault.Invalid([]fault.Field{{
			Path: "inpointMs", Rule: fmt.Sprintf("must not be after the end, which is at %d ms", lengthMs),
		}})
	}

	return nil
}

// Storyboard returns a contact sheet: one image with many small pictures of a video.
func (svc *Service) Storyboard(ctx context.Context, of extracts.Picture, q model.StoryboardQuery) (*model.Storyboard, error) {
	if err := input.Validate(&q); err != nil {
		return nil, err
	}

	if err := listing.RefuseArrivingPicture(of); err != nil {
		return nil, err
	}

	if q.StartTimeMs >= of.LengthMs {
		return nil, fault.Invalid([]fault.Field{{
			Path: "startTimeMs", Rule: fmt.Sprintf("must be before the end, which is at %d ms", of.LengthMs),
		}})
	}

	q.DurationMs = min(q.DurationMs, of.LengthMs-q.StartTimeMs)

	return svc.Media.Storyboard(ctx, of, q)
}

// SourceStoryboard returns a contact sheet of a video source. While the source is being uploaded, it covers the part
// that can be decoded.
func (svc *Service) SourceStoryboard(ctx context.Context, s *ent.Source, q model.StoryboardQuery) (*model.Storyboard, error) {
	if err := input.Validate(&q); err != nil {
		return nil, err
	}

	if err := svc.Listing.Rights().RefuseUse(ctx, s, "source"); err != nil {
		return nil, err
	}

	if s.Kind != values.SourceKindVideo {
		return nil, fault.NotImplemented("A source of kind " + string(s.Kind) + " has no storyboard.")
	}

	s, err := svc.reached(ctx, s)
	if err != nil {
		return nil, err
	}

	arriving := s.Status != values.SourceStatusReady && s.Status != values.SourceStatusFailed

	switch {
	case s.Status == values.SourceStatusFailed:
		return nil, fault.Conflict("The source has failed, so it cannot be shown.")
	case s.DurationMs == 0:
		return nil, fault.Conflict("No part of the source can be shown yet.")
	case arriving && q.StartTimeMs >= s.DurationMs:
		return nil, fault.Conflict("The source has not been uploaded up to startTimeMs yet.")
	}

	return svc.Storyboard(ctx, extracts.Picture{Source: s, LengthMs: s.DurationMs}, q)
}

// reached returns a source with the length that can be decoded now. If all its bytes are uploaded, it waits for the
// probe.
func (svc *Service) reached(ctx context.Context, s *ent.Source) (*ent.Source, error) {
	switch s.Status {
	case values.SourceStatusProcessing:
		return svc.Upload.LookedAt(ctx, s.ID, "sourceId")
	case values.SourceStatusPending, values.SourceStatusUploading:
	default:
		return s, nil
	}

	bytes, err := svc.Upload.Intake().Arrived(ctx, s)
	if err != nil || bytes == 0 {
		return s, err
	}

	lengthMs, err := svc.Media.Reach(ctx, s, bytes)
	if err != nil {
		return nil, err
	}

	now := *s
	now.UploadOffset, now.DurationMs = bytes, lengthMs

	return &now, nil
}

// sourceIn returns a source that a clip was made of, or not_found.
func (svc *Service) sourceIn(ctx context.Context, c *ent.Clip, id string) (*ent.Source, error) {
	all, err := svc.Videos.ClipSources(ctx, c)
	if err != nil {
		return nil, err
	}

	if i := slices.IndexFunc(all, func(s *ent.Source) bool { return s.ID == id }); i >= 0 {
		return all[i], nil
	}

	return nil, fault.NotFound("source")
}

// SourceStill returns the address of a picture of a source without any edits. The picture always has the source's
// aspect ratio.
func (svc *Service) SourceStill(ctx context.Context, c *ent.Clip, sourceID string, q model.StillQuery) (string, error) {
	if err := input.Validate(&q); err != nil {
		return "", err
	}

	s, err := svc.sourceIn(ctx, c, sourceID)
	if err != nil {
		return "", err
	}

	if err := svc.Listing.Rights().RefuseUse(ctx, s, "source"); err != nil {
		return "", err
	}

	if s.Kind != values.SourceKindVideo {
		return "", fault.NotFound("thumbnail: the source has no pictures")
	}

	if q.Width != nil && q.Height != nil && s.Width > 0 {
		if own := float64(*q.Width) * float64(s.Height) / float64(s.Width); math.Abs(own-float64(*q.Height)) > 1 {
			return "", fault.Invalid([]fault.Field{{Path: "height", Rule: fmt.Sprintf(
				"must keep the aspect ratio of the source, which is %d:%d", s.Width, s.Height)}})
		}
	}

	return svc.Still(ctx, extracts.Picture{Source: s, LengthMs: s.DurationMs}, q)
}

// Waveform returns the waveform of one of a clip's sources.
func (svc *Service) Waveform(ctx context.Context, c *ent.Clip, sourceID string) (*model.Waveform, error) {
	s, err := svc.sourceIn(ctx, c, sourceID)
	if err != nil {
		return nil, err
	}

	if err := svc.Listing.Rights().RefuseUse(ctx, s, "source"); err != nil {
		return nil, err
	}

	if !s.HasAudio {
		return nil, fault.NotFound("waveform: the source has no sound")
	}

	return svc.Media.Waveform(ctx, s)
}

// foundWindow is the result of autoCrop and the clip to which it was applied.
type foundWindow struct {
	values.FoundWindow

	clip *ent.Clip
}

// CroppedClip finds the window in a clip's screen recording, crops the clip to it, and returns the result.
func (svc *Service) CroppedClip(ctx context.Context, videoID, clipID string, in model.AutoCropInput) (*model.AutoCropPayload, error) {
	found, err := svc.autoCrop(ctx, videoID, clipID, in)
	if err != nil {
		return nil, err
	}

	shape, err := svc.shapeOf(ctx, found.clip, found.Box)
	if err != nil {
		return nil, err
	}

	v, err := svc.Listing.VideoOf(ctx, found.clip)
	if err != nil {
		return nil, err
	}

	return &model.AutoCropPayload{
		Crop: &found.Box, Confidence: found.Confidence, AspectRatio: shape, InpointMs: in.InpointMs, Clip: found.clip, Video: v,
	}, nil
}

// autoCrop crops a clip to the window that its screen recording shows. The search takes a while, so it runs before the
// video is locked.
func (svc *Service) autoCrop(ctx context.Context, videoID, id string, in model.AutoCropInput) (foundWindow, error) {
	v, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return foundWindow{}, err
	}

	c, err := svc.Listing.ClipOf(ctx, videoID, id)
	if err != nil {
		return foundWindow{}, err
	}

	if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
		return foundWindow{}, err
	}

	if c.ScreenSourceID == nil {
		return foundWindow{}, fault.BadRequest("The clip has no screen recording to crop.")
	}

	if err := listing.RefuseArriving(c); err != nil {
		return foundWindow{}, err
	}

	if err := reaches(in.InpointMs, c.DurationMs); err != nil {
		return foundWindow{}, err
	}

	screen, err := svc.sourceIn(ctx, c, *c.ScreenSourceID)
	if err != nil {
		return foundWindow{}, err
	}

	found := foundWindow{clip: c}

	found.FoundWindow, err = svc.Media.Window(ctx, screen, listing.ClockOf(c).RecordStart(in.InpointMs))
	if err != nil || found.Confidence == 0 {
		return found, err
	}

	crop := func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if c.Crop == nil || *c.Crop != found.Box {
			m.SetCrop(&found.Box)
		}

		return nil
	}

	found.clip, err = svc.Videos.EditClip(ctx, videoID, id, nil, crop)

	return found, err
}

// shapeOf returns the aspect ratio of the cropped screen recording of a clip.
func (svc *Service) shapeOf(ctx context.Context, c *ent.Clip, box values.CropBox) (string, error) {
	screen, err := svc.sourceIn(ctx, c, *c.ScreenSourceID)
	if err != nil {
		return "", err
	}

	return listing.AspectRatio(values.Dimensions{
		Width:  int(math.Round(float64(screen.Width) * box.WidthPct / 100)),
		Height: int(math.Round(float64(screen.Height) * box.HeightPct / 100)),
	}), nil
}
