package videos

import (
	"context"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// copyThumbnail queues a download of the picture that was chosen for a video, if any. Until it is done, the video's
// pages show the video's own picture.
func (svc *Service) copyThumbnail(ctx context.Context, v *ent.Video) error {
	if v.Settings.CustomThumbnailURL == "" {
		return nil
	}

	return svc.Jobs.Add(ctx, jobs.Thumbnail{VideoID: v.ID})
}

// dropThumbnail queues the deletion of the copy of a picture that is no longer chosen.
func (svc *Service) dropThumbnail(ctx context.Context, was *ent.Video) error {
	if was.ThumbnailKey == "" {
		return nil
	}

	return svc.Jobs.Add(ctx, jobs.Discard{WorkspaceID: was.WorkspaceID, BlobKeys: []string{was.ThumbnailKey}})
}

// CustomThumbnail returns the state of the picture that a user chose as the thumbnail of a video. It returns nil if
// none was chosen.
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

// Pictures returns the pictures that pages and link previews of a video may show, the largest first.
func (svc *Service) Pictures(v *ent.Video) (all []model.Picture) {
	if v.ThumbnailKey != "" {
		return []model.Picture{{Width: v.ThumbnailWidth, Height: v.ThumbnailHeight, URL: svc.Picture(v, signedurl.Chosen)}}
	}

	for name, width := range values.ThumbnailWidths() {
		size := plan.Thumbnail(plan.Size{Width: v.Width, Height: v.Height}, width)
		all = append(all, model.Picture{Width: size.Width, Height: size.Height, URL: svc.Picture(v, name)})
	}

	slices.SortFunc(all, func(a, b model.Picture) int { return b.Width - a.Width })

	return all
}

// Picture returns the address of the picture that a page shows for a video. It is the picture that a user chose if it
// has been downloaded, and otherwise a frame of the video in the given size.
func (svc *Service) Picture(v *ent.Video, size string) string {
	if v.ThumbnailKey != "" {
		size = signedurl.Chosen
	}

	return svc.Addresses.Still(v.ID, listing.ThumbnailVersion(v), size, "jpg", svc.Listing.Rights().ShowingUntil())
}
