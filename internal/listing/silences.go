package listing

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SilencesOf returns the silences of a clip, in playback time. A clip without sound has no silences.
func (svc Words) SilencesOf(ctx context.Context, c *ent.Clip, filter model.SilenceFilter) ([]values.Span, error) {
	if err := input.Validate(&filter); err != nil {
		return nil, err
	}

	measured, err := svc.MeasuredSilences(ctx, c)
	if err != nil {
		return nil, err
	}

	return ClockOf(c).Silences(measured, filter.MinDurationMs), nil
}

// MeasuredSilences returns the silences of a clip's sound, in recording time. It may take a while if they have not
// been measured yet.
func (svc Words) MeasuredSilences(ctx context.Context, c *ent.Clip) ([]values.Span, error) {
	if multitrack.Waiting(c) { // no sound has been uploaded yet
		return nil, nil
	}

	tracks, err := svc.TracksOf(ctx, c)
	if err != nil {
		return nil, err
	}

	sound := tracks.Speech(c.Offsets)
	if sound.Source == nil {
		return nil, nil
	}

	return svc.SilencesIn(ctx, c, sound)
}

// measuredBefore is the name under which clips hold the reader of silences that were measured before.
const measuredBefore = "silences"

// findSilences makes a query of clips also find, in one statement, the silences that were measured before. Other
// silences are measured clip by clip.
func (svc Words) findSilences() ent.Interceptor {
	return ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			found, err := next.Query(ctx, q)

			clips, are := found.([]*ent.Clip)
			if err != nil || !are {
				return found, err //nolint:wrapcheck // the list's reader says what was attempted
			}

			sounds := make([]*ent.Source, 0, len(clips))

			for _, c := range clips {
				if sound := multitrack.Listened(c).Source; sound != nil && !multitrack.Waiting(c) {
					sounds = append(sounds, sound)
				}
			}

			if len(sounds) == 0 {
				return found, nil
			}

			known, err := svc.Media.MeasuredSilences(ctx, sounds)
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

// SilencesIn returns the silences of a clip's sound. If the sound begins later than the clip or ends earlier than the
// clip, the time without sound counts as silence.
func (svc Words) SilencesIn(ctx context.Context, c *ent.Clip, sound multitrack.Sound) ([]values.Span, error) {
	silences, err := svc.soundSilences(ctx, c, sound.Source)
	if err != nil {
		return nil, err
	}

	quiet := []values.Span{{EndMs: sound.OffsetMs}}
	for _, s := range silences {
		quiet = append(quiet, values.Span{StartMs: s.StartMs + sound.OffsetMs, EndMs: s.EndMs + sound.OffsetMs})
	}

	quiet = append(quiet, values.Span{StartMs: sound.Source.DurationMs + sound.OffsetMs, EndMs: c.RecordingMs})

	return values.Normalise(c.RecordingMs, quiet), nil
}

// soundSilences returns the silences that were found with the clip, and otherwise has them measured.
func (svc Words) soundSilences(ctx context.Context, c *ent.Clip, sound *ent.Source) ([]values.Span, error) {
	for _, list := range c.Extra.Lists {
		if found, are := list.Rows.(map[string]extracts.ReadSilences); are && list.Name == measuredBefore && found[sound.ID] != nil {
			return found[sound.ID](ctx)
		}
	}

	return svc.Media.Silences(ctx, sound) //nolint:wrapcheck // already wrapped
}
