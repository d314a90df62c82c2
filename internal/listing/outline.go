package listing

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// outlineBelow loads the rows that an outline needs: the clips of all videos in one statement, their effects in a
// second, and the effects' sources in a third.
func (svc Effects) outlineBelow(who auth.Viewer, timeline Asked) ReadBelow[*ent.Video] {
	return EachList[*ent.Video](FirstPage(timeline, clip.Table, clip.FieldVideoID, clipOrder()),
		func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Clip] {
			q := svc.Store.Client(ctx).Clip.Query()
			svc.outlined(who, q, timeline.Tree.Below("clips"))
			q.Modify(only)

			return q
		})
}

func (svc Effects) outlined(who auth.Viewer, q *ent.ClipQuery, sel selection.Tree) {
	if sel.Has("words") {
		q.Modify(rights.TellUncut(who))
		q.WithTranscript(svc.Words().countRead)
	}

	if !sel.Has("counts") && !sel.Has("effects") {
		return
	}

	q.WithEffects(func(q *ent.EffectQuery) {
		q.Order(ent.Asc(effect.FieldStartMs, effect.FieldZ, effect.FieldID))

		if sel.Has("effects") {
			q.WithSource(rights.WithUsable(who))
		}
	})
}

// Outline returns the playback times of the clips and effects of a video. named limits the result to the clips with
// these ids; nil means all clips.
func (svc Effects) Outline(ctx context.Context, v *ent.Video, named []string) (*model.Timeline, error) {
	sel := selection.Of(ctx).Below("clips")

	clips, known := ListBelow[*ent.Clip](v, ListName("timeline", 0))
	if !known {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		q := svc.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID)).Order(ent.Asc(clip.FieldPosition, clip.FieldID))
		svc.outlined(who, q, sel)

		if clips, err = q.All(ctx); err != nil {
			return nil, fmt.Errorf("read clips: %w", err)
		}
	}

	for i, id := range named {
		if !slices.ContainsFunc(clips, func(c *ent.Clip) bool { return c.ID == id }) {
			return nil, fault.NotFound(fmt.Sprintf("clip at clipIds[%d]", i))
		}
	}

	out := &model.Timeline{VideoID: v.ID, Revision: v.Revision, Dimensions: Artboard(v), Clips: []*model.TimelineClip{}}

	for _, c := range clips {
		if named == nil || slices.Contains(named, c.ID) {
			shown, err := svc.outlineOf(ctx, c, sel)
			if err != nil {
				return nil, err
			}

			shown.StartTimeMs = out.DurationMs
			out.Clips = append(out.Clips, shown)
		}

		out.DurationMs += c.DurationMs
	}

	return out, nil
}

// outlineOf returns the selected parts of a clip's outline.
func (svc Effects) outlineOf(ctx context.Context, all *ent.Clip, sel selection.Tree) (*model.TimelineClip, error) {
	kept := *all // copied, because other resolvers read the clip at the same time
	kept.Edges.Effects = SeenOf(all, all.Edges.Effects)
	c := &kept

	out := &model.TimelineClip{
		ID: c.ID, Name: c.Name, Order: c.Position, DurationMs: c.DurationMs, LayoutSceneType: SceneType(c), Counts: countsOf(c),
	}

	if sel.Has("cuts") {
		out.Cuts = ShownCuts(c)
	}

	if sel.Has("words") {
		words, err := svc.playedWords(ctx, c)
		if err != nil {
			return nil, err
		}

		out.Words = words
	}

	if sel.Has("effects") {
		out.Effects = effects.Sorted(BaseLayout(c), svc.EffectsOf(c, c.Edges.Effects))
	}

	return out, nil
}

// ShownCuts returns a clip's cuts in the format of the API.
func ShownCuts(c *ent.Clip) []*model.Cut {
	cuts := make([]*model.Cut, len(c.Cuts))
	for i, cut := range c.Cuts {
		cuts[i] = &model.Cut{StartTimeMs: cut.StartMs, DurationMs: cut.LengthMs()}
	}

	return cuts
}

// playedWords returns the words that were loaded with a clip, in playback time. It is empty until the transcript is
// ready.
func (svc Effects) playedWords(ctx context.Context, c *ent.Clip) ([]*model.Word, error) {
	if c.TranscriptStatus != values.TranscriptStatusReady {
		return []*model.Word{}, nil
	}

	words, _ := wordsFrom(ClockOf(c), c.Edges.Transcript, model.WordSetAll, 0, transcripts.Count(c.Edges.Transcript))

	return words, svc.Words().hideCut(ctx, c, words)
}

// countsOf counts the effects that were loaded with a clip, by kind.
func countsOf(c *ent.Clip) *effects.TimelineCounts {
	n := map[values.EffectKind]int{}
	for _, e := range c.Edges.Effects {
		n[e.Kind]++
	}

	return effects.CountsOf(n, len(c.Cuts))
}
