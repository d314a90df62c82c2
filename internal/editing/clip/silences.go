package clip

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// silenceKeptMs is how much of a silence is kept on each side. Each cut is a multiple of silenceStepMs long.
const (
	silenceKeptMs = 100
	silenceStepMs = 100
)

// RemoveSilences shortens the silences that are longer than the mode allows. It finds the silences before it locks
// the video, because this takes a while.
func (s *Service) RemoveSilences(ctx context.Context, videoID, id string, in model.RemoveSilencesInput) (*ent.Clip, error) {
	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	c, err := s.Listing.ClipOf(ctx, videoID, id)
	if err != nil {
		return nil, err
	}

	if err := s.Listing.Rights().RefuseEdit(ctx, v); err != nil {
		return nil, err
	}

	if err := listing.RefuseArriving(c); err != nil {
		return nil, err
	}

	measured, err := s.Listing.Words().MeasuredSilences(ctx, c)
	if err != nil {
		return nil, err
	}

	return s.Videos.EditClip(ctx, videoID, id, nil, func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		silences := listing.ClockOf(c).Silences(measured, 2*silenceKeptMs)

		tight := timeline.Tighten(silences, in.Mode.OverMs(), silenceKeptMs, silenceStepMs)
		if len(tight) == 0 {
			return nil
		}

		cuts, err := listing.ClockOf(c).Cut(tight)
		if err != nil {
			return cutFault(err, "toMs", "fromMs")
		}

		SetCuts(c, cuts, m)

		return nil
	})
}
