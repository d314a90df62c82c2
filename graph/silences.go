package graph

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/recorded"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// silenceKeptMs is what is left of a silence on each side, and silenceStepMs what the length of each cut is a multiple of.
const (
	silenceKeptMs = 100
	silenceStepMs = 100
)

// silencesOf are the silences of a clip, in playback time. A clip without sound has none.
func (r *Resolver) silencesOf(ctx context.Context, c *ent.Clip, filter model.SilenceFilter) ([]timeline.Span, error) {
	if err := input.Validate(&filter); err != nil {
		return nil, err
	}

	measured, err := r.measuredSilences(ctx, c)
	if err != nil {
		return nil, err
	}

	return clockOf(c).Silences(measured, filter.MinDurationMs), nil
}

// measuredSilences are those of a clip's sound, in recording time. It may take a while.
func (r *Resolver) measuredSilences(ctx context.Context, c *ent.Clip) ([]timeline.Span, error) {
	if recorded.Waiting(c) { // all of it is still to come
		return nil, nil
	}

	tracks, err := r.tracksOf(ctx, c)
	if err != nil {
		return nil, err
	}

	sound := tracks.Speech(c.Offsets)
	if sound.Source == nil {
		return nil, nil
	}

	return r.silencesIn(ctx, c, sound)
}

// measuredBefore is the name under which clips bear how the silences of their sounds are read that were measured before.
const measuredBefore = "silences"

// findSilences has a query of clips find, in one statement for all of them, the silences that were measured before. The
// others are measured for each clip.
func (r *Resolver) findSilences() ent.Interceptor {
	return ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			found, err := next.Query(ctx, q)

			clips, are := found.([]*ent.Clip)
			if err != nil || !are {
				return found, err //nolint:wrapcheck // the list that was asked for says what was attempted
			}

			sounds := make([]*ent.Source, 0, len(clips))

			for _, c := range clips {
				if sound := recorded.Listened(c).Source; sound != nil && !recorded.Waiting(c) {
					sounds = append(sounds, sound)
				}
			}

			if len(sounds) == 0 {
				return found, nil
			}

			known, err := r.Media.MeasuredSilences(ctx, sounds)
			if err != nil {
				return nil, fmt.Errorf("find silences: %w", err)
			}

			for _, c := range clips {
				c.Extra.Lists = append(c.Extra.Lists, ent.List{Name: measuredBefore, Rows: known})
			}

			return found, nil
		})
	})
}

// silencesIn are those of a clip's sound, which may begin after the clip does and end before it: nothing is heard of the rest.
func (r *Resolver) silencesIn(ctx context.Context, c *ent.Clip, sound recorded.Sound) ([]timeline.Span, error) {
	silences, err := r.soundSilences(ctx, c, sound.Source)
	if err != nil {
		return nil, err
	}

	quiet := []timeline.Span{{EndMs: sound.OffsetMs}}
	for _, s := range silences {
		quiet = append(quiet, timeline.Span{StartMs: s.StartMs + sound.OffsetMs, EndMs: s.EndMs + sound.OffsetMs})
	}

	quiet = append(quiet, timeline.Span{StartMs: sound.Source.DurationMs + sound.OffsetMs, EndMs: c.RecordingMs})

	return timeline.Normalise(c.RecordingMs, quiet), nil
}

// soundSilences are those that were found with the clip, else they are asked for.
func (r *Resolver) soundSilences(ctx context.Context, c *ent.Clip, sound *ent.Source) ([]timeline.Span, error) {
	for _, list := range c.Extra.Lists {
		if found, are := list.Rows.(map[string]ReadSilences); are && list.Name == measuredBefore && found[sound.ID] != nil {
			return found[sound.ID](ctx)
		}
	}

	return r.Media.Silences(ctx, sound) //nolint:wrapcheck // it says what it is
}

// removeSilences shortens the silences that are longer than the mode allows. They are measured, which
// takes a while, before the video is locked.
func (r *Resolver) removeSilences(ctx context.Context, videoID, id string, in model.RemoveSilencesInput) (*ent.Clip, error) {
	v, err := r.readableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	c, err := r.clipOf(ctx, videoID, id)
	if err != nil {
		return nil, err
	}

	if err := r.refuseEdit(ctx, v); err != nil {
		return nil, err
	}

	if err := refuseArriving(c); err != nil {
		return nil, err
	}

	measured, err := r.measuredSilences(ctx, c)
	if err != nil {
		return nil, err
	}

	return r.editClip(ctx, videoID, id, nil, func(_ context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		silences := clockOf(c).Silences(measured, 2*silenceKeptMs)

		tight := timeline.Tighten(silences, in.Mode.OverMs(), silenceKeptMs, silenceStepMs)
		if len(tight) == 0 {
			return nil
		}

		cuts, err := clockOf(c).Cut(tight)
		if err != nil {
			return cutFault(err, "toMs", "fromMs")
		}

		setCuts(c, cuts, m)

		return nil
	})
}
