package videos

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SetThumbnail chooses the picture that stands for a video: a frame, an uploaded image or a picture at an address. Each
// replaces the others, and an empty input restores the default. If nothing changes, the video keeps its revision.
func (svc Thumbnails) SetThumbnail(ctx context.Context, videoID string, in model.SetThumbnailInput) (*ent.Video, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	var image *ent.Source

	if id := in.SourceID.Value(); id != nil {
		var err error
		if image, err = svc.takeSource(ctx, videoID, *id, values.SourceKindImage); err != nil {
			return nil, err
		}
	}

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		was, err := svc.Listing.Rights().EditableVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		chosen, size, err := svc.choose(ctx, was, in.AtMs.Value(), image)
		if err != nil {
			return nil, err
		}

		settings := was.Settings
		settings.CustomThumbnailURL = optional.Deref(in.URL.Value())

		if settings.CustomThumbnailURL == was.Settings.CustomThumbnailURL && reflect.DeepEqual(chosen, was.Thumbnail) {
			return was, nil
		}

		update := svc.Store.Client(ctx).Video.UpdateOneID(videoID).AddRevision(1).SetUpdatedAt(svc.Store.Now()).SetSettings(settings)
		chooseThumbnail(update, chosen, size)

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update video: %w", err)
		}

		return changed, svc.replaceThumbnail(ctx, was, changed)
	})
}

// choose returns the choice of a frame or an image, and the size of the image. It returns nil if neither is given.
func (svc Thumbnails) choose(
	ctx context.Context, v *ent.Video, atMs *int64, image *ent.Source,
) (*values.ChosenThumbnail, plan.Size, error) {
	switch {
	case image != nil:
		size := plan.Size{Width: image.Width, Height: image.Height}

		return &values.ChosenThumbnail{SourceID: image.ID}, size, svc.Listing.Rights().HoldSource(ctx, image.ID, "source at sourceId")
	case atMs != nil:
		frame, err := svc.chooseFrame(ctx, v, *atMs)

		return frame, plan.Size{}, err
	default:
		return nil, plan.Size{}, nil
	}
}

// chooseFrame returns the frame at a playback time. It returns bad_request if the video ends before, and a conflict if
// the recordings that play then are still being uploaded.
func (svc Thumbnails) chooseFrame(ctx context.Context, v *ent.Video, atMs int64) (*values.ChosenThumbnail, error) {
	clips, err := svc.Listing.ClipsInOrder(ctx, v.ID)
	if err != nil {
		return nil, err
	}

	sequence := sequenceOf(clips)
	if mark, inside := sequence.Anchor(atMs); inside {
		return &values.ChosenThumbnail{ClipID: clips[mark.Clip].ID, AtMs: mark.AtMs}, nil
	}

	if err := listing.RefuseArriving(clips...); err != nil {
		return nil, err
	}

	return nil, fault.Invalid([]fault.Field{{
		Path: "atMs", Rule: fmt.Sprintf("must be before the end of the video, at %d ms", sequence.DurationMs()),
	}})
}

// chooseThumbnail replaces what was chosen as the thumbnail of a video, except the address in its settings.
func chooseThumbnail(update *ent.VideoUpdateOne, chosen *values.ChosenThumbnail, size plan.Size) {
	update.ClearThumbnailKey().ClearThumbnailFault().SetThumbnailWidth(size.Width).SetThumbnailHeight(size.Height)

	if chosen == nil {
		update.ClearThumbnail()
	} else {
		update.SetThumbnail(chosen)
	}
}

// replaceThumbnail queues the deletion of the copy of a picture that is no longer chosen, and the making of the new
// thumbnails.
func (svc *Service) replaceThumbnail(ctx context.Context, was, changed *ent.Video) error {
	var dropped error
	if was.ThumbnailKey != "" {
		dropped = svc.Jobs.Add(ctx, jobs.Discard{WorkspaceID: was.WorkspaceID, BlobKeys: []string{was.ThumbnailKey}})
	}

	return errors.Join(dropped, svc.prepareThumbnails(ctx, changed))
}

// prepareThumbnails queues the making of a video's thumbnails, before anybody asks for them, and the download of its
// custom thumbnail. Until that is done, the video's own picture is shown. A video whose recordings are still being
// uploaded has no thumbnails yet.
func (svc *Service) prepareThumbnails(ctx context.Context, v *ent.Video) error {
	var wanted []river.JobArgs

	if v.DurationMs > 0 {
		wanted = append(wanted, jobs.Posters{VideoID: v.ID})
	}

	if v.Settings.CustomThumbnailURL != "" {
		wanted = append(wanted, jobs.Thumbnail{VideoID: v.ID})
	}

	return svc.Jobs.Add(ctx, wanted...)
}

// copyChosen gives the copy of a video the same chosen frame or image. copies maps the ids of clips to those of their
// copies. If the copy does not have the clip of the frame, it has the default thumbnail.
func (svc *Service) copyChosen(ctx context.Context, v, made *ent.Video, copies map[string]string) (*ent.Video, error) {
	if v.Thumbnail == nil {
		return made, nil
	}

	chosen := *v.Thumbnail
	if chosen.ClipID != "" {
		if chosen.ClipID = copies[chosen.ClipID]; chosen.ClipID == "" {
			return made, nil
		}
	}

	copied, err := svc.Store.Client(ctx).Video.UpdateOneID(made.ID).SetThumbnail(&chosen).
		SetThumbnailWidth(v.ThumbnailWidth).SetThumbnailHeight(v.ThumbnailHeight).Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("copy thumbnail: %w", err)
	}

	return copied, nil
}

// ThumbnailOf returns the picture that was chosen to stand for a video. It returns nil if none was chosen.
func ThumbnailOf(v *ent.Video) *model.ChosenThumbnail {
	out := &model.ChosenThumbnail{Kind: model.ThumbnailKindFrame, Status: model.CustomThumbnailStatusReady, Video: v}

	switch custom := CustomThumbnail(v); {
	case custom != nil:
		out.Kind, out.URL, out.Status, out.Error = model.ThumbnailKindURL, &v.Settings.CustomThumbnailURL, custom.Status, custom.Error
	case v.Thumbnail == nil:
		return nil
	case v.Thumbnail.SourceID != "":
		out.Kind, out.SourceID = model.ThumbnailKindSource, &v.Thumbnail.SourceID
	}

	return out
}

// CustomThumbnail returns the state of the picture at the address that a user chose as the thumbnail of a video. It
// returns nil if none was chosen.
func CustomThumbnail(v *ent.Video) *model.CustomThumbnail {
	switch {
	case v.Settings.CustomThumbnailURL == "":
		return nil
	case v.ThumbnailKey != "":
		return &model.CustomThumbnail{Status: model.CustomThumbnailStatusReady}
	case v.ThumbnailFault != "":
		return &model.CustomThumbnail{Status: model.CustomThumbnailStatusFailed, Error: &v.ThumbnailFault}
	default:
		return &model.CustomThumbnail{Status: model.CustomThumbnailStatusPending}
	}
}

// FrameOf returns the playback time of the frame that was chosen as the thumbnail of a video. It returns nil if no frame
// was chosen or the frame is cut away.
func (svc Thumbnails) FrameOf(ctx context.Context, v *ent.Video) (*int64, error) {
	if v.Thumbnail == nil || v.Thumbnail.ClipID == "" {
		return nil, nil //nolint:nilnil // no frame was chosen
	}

	clips, err := svc.Listing.ClipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	i := slices.IndexFunc(clips, func(c *ent.Clip) bool { return c.ID == v.Thumbnail.ClipID })
	if i < 0 {
		return nil, nil //nolint:nilnil // its clip was deleted
	}

	clock := listing.ClockOf(clips[i])
	if clock.Cutout(v.Thumbnail.AtMs) {
		return nil, nil //nolint:nilnil // it is cut away
	}

	return new(sequenceOf(clips).StartMs(i) + clock.Play(v.Thumbnail.AtMs)), nil
}

// Pictures returns the pictures that pages and link previews of a video may show, the largest first.
func (svc Thumbnails) Pictures(v *ent.Video) (all []model.Picture) {
	shape := plan.Size{Width: v.Width, Height: v.Height}
	if v.ThumbnailWidth > 0 {
		shape = plan.Size{Width: v.ThumbnailWidth, Height: v.ThumbnailHeight}
	}

	for name, width := range values.ThumbnailWidths() {
		size := plan.Thumbnail(shape, width)
		all = append(all, model.Picture{
			Width: size.Width, Height: size.Height, URL: svc.Picture(v, name),
			Enlarged: size.Width > shape.Width || size.Height > shape.Height,
		})
	}

	slices.SortFunc(all, func(a, b model.Picture) int { return b.Width - a.Width })

	return all
}

// Picture returns the address of the picture that a page shows for a video, in the given size.
func (svc Thumbnails) Picture(v *ent.Video, size string) string { return svc.picture(v, size, "jpg") }

// Moving returns the address of a GIF of a video's first seconds, for e-mails.
func (svc Thumbnails) Moving(v *ent.Video) string { return svc.picture(v, "medium", "gif") }

func (svc Thumbnails) picture(v *ent.Video, size, format string) string {
	return svc.Addresses.Still(v.ID, listing.ThumbnailVersion(v), size, format, svc.Listing.Rights().ShowingUntil())
}
