package sharing

import (
	"encoding/json"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// recordingsOf returns the recordings of a video with the parts that its edit keeps, for playback until there is a
// film. It returns nil when a browser cannot play them, or when the edit hides something that they would show.
func (svc *Service) recordingsOf(v *ent.Video, clips []*ent.Clip) []model.StreamClip {
	var all []model.StreamClip

	for _, c := range clips {
		if hides(c) {
			return nil
		}

		tracks := multitrack.Of(c)
		if !playedTogether(tracks, c.Offsets) {
			return nil
		}

		played := model.StreamClip{Main: svc.trackOf(v, c, tracks.Main())}
		if tracks.Screen != nil && tracks.Camera != nil {
			played.Companion = new(svc.trackOf(v, c, tracks.Camera))
		}

		for _, kept := range listing.ClockOf(c).Kept() {
			played.Spans = append(played.Spans, [2]int64{kept.StartMs, kept.EndMs})
		}

		all = append(all, played)
	}

	return all
}

// playedTogether reports whether a page can play the tracks of a clip side by side as uploaded: a screen and a camera
// that began at the same time.
func playedTogether(t multitrack.Tracks, o values.Offsets) bool {
	if t.Main() == nil || t.Microphone != nil || o.Camera.Ms != 0 {
		return false
	}

	return (t.Screen == nil || playable(t.Screen)) && (t.Camera == nil || playable(t.Camera))
}

// hides reports whether the clip shows less than was recorded, always or for a while.
func hides(c *ent.Clip) bool {
	screen, camera := c.ScreenSourceID != nil, c.CameraSourceID != nil

	return c.Crop != nil || plan.LeavesOut(*listing.BaseShape(c), screen, camera) ||
		slices.ContainsFunc(c.Edges.Effects, func(e *ent.Effect) bool {
			k, _ := effect.Of(e.Kind)

			return k.Hides ||
				e.Params.Layout != nil && (e.SourceID != nil || plan.LeavesOut(e.Params.Layout.Shape, screen, camera))
		})
}

// playable reports whether browsers can play a recording as uploaded.
func playable(s *ent.Source) bool {
	var probe struct {
		Format string `json:"format"`
		Video  *struct {
			Codec  string `json:"codec"`
			Fields string `json:"fields"`
		} `json:"video"`
		Audio *struct {
			Side   string     `json:"side"`
			Tracks []struct{} `json:"tracks"`
		} `json:"audio"`
	}

	if s.Status != values.SourceStatusReady || json.Unmarshal(s.Probe, &probe) != nil || probe.Video == nil {
		return false
	}

	// Browsers show interlaced video with comb artifacts, and differ in which audio track they choose.
	if probe.Video.Fields != "" || probe.Audio != nil && (len(probe.Audio.Tracks) > 1 || probe.Audio.Side != "") {
		return false
	}

	mp4, webm := probe.Format == "mov", probe.Format == "matroska"

	switch probe.Video.Codec {
	case "h264":
		return mp4
	case "vp8", "vp9", "av1":
		return mp4 || webm
	default:
		return false
	}
}

func (svc *Service) trackOf(v *ent.Video, c *ent.Clip, s *ent.Source) model.Track {
	t := model.Track{URL: svc.Addresses.Media(s.ID, svc.Listing.Rights().ShowingUntil())}

	for _, sound := range exports.SoundsOf(v, c) {
		if sound.Source == s.ID {
			t.Volume = sound.Volume
		}
	}

	return t
}

// downloadsOf returns the files that the viewers of a video may download.
func (svc *Service) downloadsOf(v *ent.Video, f film, clips []*ent.Clip) []model.Download {
	var files []model.Download

	if v.Settings.DownloadsEnabled && f.export != nil {
		files = append(files, model.Download{URL: svc.Addresses.Download(f.export.ID, svc.Listing.Rights().ShowingUntil())})
	}

	if !v.Settings.DownloadsEnabled || !v.Settings.RawDownloadsEnabled {
		return files
	}

	seen := map[string]bool{}

	for _, c := range clips {
		for _, s := range multitrack.Of(c).All() {
			if !seen[s.ID] && s.Status == values.SourceStatusReady {
				seen[s.ID] = true
				files = append(files, model.Download{Name: s.Name, URL: svc.Addresses.SavedMedia(s.ID, svc.Listing.Rights().ShowingUntil())})
			}
		}
	}

	return files
}
