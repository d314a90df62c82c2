package listing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// trackSigned is how long the recording addresses that editors of a video receive are valid.
const trackSigned = time.Hour

// ClipTracks returns the recordings that a clip was made from. Everyone who may read the clip may see them. Only
// editors of the clip's video get the addresses of the files.
func (svc *Service) ClipTracks(ctx context.Context, c *ent.Clip) ([]*model.ClipTrack, error) {
	t, err := svc.TracksOf(ctx, c)
	if err != nil {
		return nil, err
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	edits, err := svc.Rights().mayEditClip(ctx, who, c)
	if err != nil {
		return nil, err
	}

	all := []*model.ClipTrack{}

	for _, one := range []model.ClipTrack{
		{Medium: values.TrackMediumScreen, Source: t.Screen},
		{Medium: values.TrackMediumCamera, Source: t.Camera, OffsetMs: c.Offsets.Camera.Ms},
		{Medium: values.TrackMediumMicrophone, Source: t.Microphone, OffsetMs: c.Offsets.Microphone.Ms},
		{Medium: values.TrackMediumMouse, Source: t.Mouse, OffsetMs: c.Offsets.Mouse.Ms},
	} {
		if one.Source == nil {
			continue
		}

		if edits && one.Source.Status == values.SourceStatusReady {
			one.URL = new(svc.Addresses.Media(one.Source.ID, svc.Store.Now().Add(trackSigned)))
		}

		all = append(all, &one)
	}

	return all, nil
}

// editableVideos is the name under which clips hold the ids of their videos that the caller may edit.
const editableVideos = "editable"

// findEditable makes a query of clips also find, in one statement, which of their videos the viewer may edit.
func (svc Rights) findEditable(who auth.Viewer) ent.Interceptor {
	return ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			found, err := next.Query(ctx, q)

			clips, are := found.([]*ent.Clip)
			if err != nil || !are || len(clips) == 0 {
				return found, err //nolint:wrapcheck // the list's reader says what was attempted
			}

			var named []string
			for _, c := range clips {
				named = append(named, c.VideoID)
			}

			edited, err := svc.Store.Client(ctx).Video.Query().Where(video.IDIn(optional.Unique(nil, named)...), rights.Editable(who)).IDs(ctx)
			if err != nil {
				return nil, fmt.Errorf("find videos to edit: %w", err)
			}

			for _, c := range clips {
				c.Extra.Lists = append(c.Extra.Lists, ent.List{Name: editableVideos, Rows: edited})
			}

			return found, nil
		})
	})
}

// mayEditClip reports whether the viewer, who may read a clip, may edit its video.
func (svc Rights) mayEditClip(ctx context.Context, who auth.Viewer, c *ent.Clip) (bool, error) {
	if who.Role.Governs() {
		return true, nil
	}

	for _, list := range c.Extra.Lists {
		if edited, are := list.Rows.([]string); are && list.Name == editableVideos {
			return slices.Contains(edited, c.VideoID), nil
		}
	}

	v, err := svc.listing.VideoOf(ctx, c)
	if err != nil {
		return false, err
	}

	return svc.MayEdit(ctx, who, v)
}

// RefuseArriving returns a conflict while recordings of one of the clips are still being uploaded, because the length
// of the clip is not known yet. It also returns a conflict if all recordings of a clip have failed.
func RefuseArriving(clips ...*ent.Clip) error {
	for _, c := range clips {
		switch {
		case multitrack.Failed(c):
			return fault.Conflict("The recordings of the clip " + c.Name + " cannot be used: none of them could be read. Delete the clip, " +
				"or the video if this is its only clip.")
		case multitrack.Waiting(c):
			return arriving(multitrack.Of(c).All()...)
		}
	}

	return nil
}

// RefuseArrivingPicture returns a conflict if the subject of a picture is a video or clip that has no length yet,
// because its recordings are still being uploaded.
func RefuseArrivingPicture(p extracts.Picture) error {
	if p.Source == nil && p.LengthMs == 0 {
		return arriving()
	}

	return nil
}

// arriving returns the conflict. It names the sources that are known to be missing.
func arriving(of ...*ent.Source) error {
	said := []string{"The recordings of this video are still being uploaded or processed"}

	for _, s := range of {
		if s.Status != values.SourceStatusReady {
			said = append(said, fmt.Sprintf("%s (%q) is %s", s.ID, s.Name, s.Status))
		}
	}

	late := fault.Conflict(strings.Join(said, "; ") + ".")
	late.RetryAfter = time.Second

	return late
}

// TracksOf returns the tracks of a clip. It reads the tracks that were not loaded with the clip.
func (svc *Service) TracksOf(ctx context.Context, c *ent.Clip) (multitrack.Tracks, error) {
	t := multitrack.Of(c)

	var missing []string

	tracks := []struct {
		id     *string
		loaded **ent.Source
	}{
		{c.ScreenSourceID, &t.Screen}, {c.CameraSourceID, &t.Camera}, {c.MicrophoneSourceID, &t.Microphone}, {c.MouseSourceID, &t.Mouse},
	}

	for _, track := range tracks {
		if track.id != nil && *track.loaded == nil {
			missing = append(missing, *track.id)
		}
	}

	if len(missing) == 0 {
		return t, nil
	}

	q := svc.Store.Client(ctx).Source.Query().Where(source.IDIn(missing...))
	if who, asked := auth.From(ctx); asked {
		q.Modify(rights.TellUsable(who))
	}

	rows, err := q.All(ctx)
	if err != nil {
		return t, fmt.Errorf("read sources of clip: %w", err)
	}

	for _, row := range rows {
		for _, track := range tracks {
			if track.id != nil && *track.id == row.ID {
				*track.loaded = row
			}
		}
	}

	return t, nil
}
