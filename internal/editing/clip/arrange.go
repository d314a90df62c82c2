package clip

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/transcripts"
)

// AddClip appends a clip to a video. The clip is made from the sources in the input.
func (s *Service) AddClip(ctx context.Context, videoID string, in model.AddClipInput) (*ent.Clip, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	v, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Tree{})
	if err != nil {
		return nil, err
	}

	unusable, err := s.Videos.FindSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	// Check whether the caller may do this at all before reporting the state of the sources.
	if err := s.Listing.Rights().RefuseEdit(ctx, v, unusable); err != nil {
		return nil, err
	}

	who, err := access.Creator(ctx)
	if err != nil {
		return nil, err
	}

	taken, err := s.Videos.TakeSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	return s.rearrange(ctx, videoID, nil, func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error) {
		if err := taken.Keep(ctx, s.Videos, who.UserID); err != nil {
			return nil, err
		}

		number := nextNumber(v, all)

		name, next := fmt.Sprint("Clip ", number), number+1
		if given := in.Name.Value(); given != nil {
			name, next = *given, number
		}

		made, err := s.Videos.InsertClip(ctx, v, name, len(all), taken.Clip())
		if err != nil {
			return nil, err
		}

		if err := s.Store.Client(ctx).Video.UpdateOneID(v.ID).SetNextClipNumber(next).Exec(ctx); err != nil {
			return nil, fmt.Errorf("count clips: %w", err)
		}

		return made, nil
	})
}

// nextNumber returns a number that is higher than all numbers that clips of the video have ever been given, and
// higher than all numbers in the names of clips.
func nextNumber(v *ent.Video, all []*ent.Clip) int {
	next := v.NextClipNumber

	for _, c := range all {
		digits, is := strings.CutPrefix(c.Name, "Clip ")
		if n, err := strconv.Atoi(digits); is && err == nil && n >= next && n < math.MaxInt32 {
			next = n + 1
		}
	}

	return next
}

// rearrange runs change on the clips, in order, of a video that the caller may edit. The new clips count as one edit of
// the video and determine its length and the status of its transcript.
func (s *Service) rearrange(ctx context.Context, videoID string, input any,
	change func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error),
) (*ent.Clip, error) {
	return store.Write(ctx, s.Store, input, func(ctx context.Context) (*ent.Clip, error) {
		v, err := s.Listing.Rights().EditableVideo(ctx, videoID)
		if err != nil {
			return nil, err
		}

		all, err := s.Listing.ClipsInOrder(ctx, videoID)
		if err != nil {
			return nil, err
		}

		before := transcripts.Of(all)

		changed, err := change(ctx, v, all)
		if err != nil {
			return nil, err
		}

		now, err := s.Listing.ClipsInOrder(ctx, videoID)
		if err != nil {
			return nil, err
		}

		var lengthMs int64
		for _, c := range now {
			lengthMs += c.DurationMs
		}

		if changed.Edges.Video, err = s.Videos.TouchVideo(ctx, v, lengthMs-v.DurationMs); err != nil {
			return nil, err
		}

		return changed, transcripts.Tell(ctx, s.Jobs, v, before, transcripts.Of(now))
	})
}

// DeleteClip deletes a clip and everything that belongs to it. Its sources are kept, so that they can be used for a
// new clip.
func (s *Service) DeleteClip(ctx context.Context, videoID, id string) (*ent.Video, error) {
	gone, err := s.rearrangeAround(ctx, videoID, id, nil, func(
		ctx context.Context, v *ent.Video, all []*ent.Clip, c *ent.Clip,
	) (*ent.Clip, error) {
		if len(all) == 1 {
			return nil, fault.Conflict("This is the video's last clip. A video has at least one.")
		}

		effects, err := s.Store.Client(ctx).Effect.Query().Where(effect.ClipID(id), effect.SourceIDNotNil()).All(ctx)
		if err != nil {
			return nil, fmt.Errorf("read effects: %w", err)
		}

		dropped := make([]string, len(effects))
		for i, e := range effects {
			dropped[i] = *e.SourceID
		}

		if err := s.Library.DiscardCopies(ctx, v, dropped); err != nil {
			return nil, err
		}

		if err := s.Store.Client(ctx).Clip.DeleteOneID(id).Exec(ctx); err != nil {
			return nil, fmt.Errorf("delete clip: %w", err)
		}

		all = slices.DeleteFunc(all, func(other *ent.Clip) bool { return other.ID == id })

		return c, s.number(ctx, all)
	})
	if err != nil {
		return nil, err
	}

	return gone.Edges.Video, nil
}

// rearrangeAround is rearrange for a change to one of the clips.
func (s *Service) rearrangeAround(ctx context.Context, videoID, id string, input any,
	change func(ctx context.Context, v *ent.Video, all []*ent.Clip, c *ent.Clip) (*ent.Clip, error),
) (*ent.Clip, error) {
	// Report an unknown clip before reporting that the caller may not edit.
	if _, err := s.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id")); err != nil {
		return nil, err
	}

	if _, err := s.Listing.ClipOf(ctx, videoID, id); err != nil {
		return nil, err
	}

	return s.rearrange(ctx, videoID, input, func(ctx context.Context, v *ent.Video, all []*ent.Clip) (*ent.Clip, error) {
		i := slices.IndexFunc(all, func(c *ent.Clip) bool { return c.ID == id })
		if i < 0 {
			return nil, fault.NotFound("clip")
		}

		return change(ctx, v, all, all[i])
	})
}

// DuplicateClip copies a clip with everything that belongs to it.
func (s *Service) DuplicateClip(ctx context.Context, videoID, id string, in model.DuplicateClipInput) (*ent.Clip, error) {
	return s.rearrangeAround(ctx, videoID, id, nil, func(ctx context.Context, _ *ent.Video, all []*ent.Clip, c *ent.Clip) (*ent.Clip, error) {
		at := c.Position + 1
		if order := in.Order.Value(); order != nil {
			at = min(*order, len(all))
		}

		name := c.Name
		optional.Give(&name, in.Name)

		made := ids.New(ids.Clip)
		if err := s.Videos.CopyClips(ctx, videoID, map[string]string{id: made}); err != nil {
			return nil, err
		}

		if err := s.Listing.Words().RefuseMoreWords(ctx, videoID); err != nil {
			return nil, err
		}

		err := s.Store.Client(ctx).Clip.UpdateOneID(made).SetName(name).SetPosition(at).SetUpdatedAt(s.Store.Now()).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("name copy of clip: %w", err)
		}

		if err := s.number(ctx, slices.Insert(all, at, &ent.Clip{ID: made, Position: at})); err != nil {
			return nil, err
		}

		return s.Store.Client(ctx).Clip.Get(ctx, made)
	})
}

// ReorderClip moves a clip to a position in its video.
func (s *Service) ReorderClip(ctx context.Context, videoID, id string, in model.ReorderClipInput) (*ent.Clip, error) {
	return s.Videos.EditClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		return s.reorder(ctx, c, in.Order, m)
	})
}

// reorder moves a clip to a position in its video; a position beyond the end means last. Positions stay 0 to n-1.
func (s *Service) reorder(ctx context.Context, c *ent.Clip, to int, m *ent.ClipMutation) error {
	all, err := s.Listing.ClipsInOrder(ctx, c.VideoID)
	if err != nil {
		return err
	}

	all = slices.DeleteFunc(all, func(other *ent.Clip) bool { return other.ID == c.ID })
	to = min(to, len(all))

	if c.Position != to {
		m.SetPosition(to)
	}

	return s.number(ctx, slices.Insert(all, to, &ent.Clip{ID: c.ID, Position: to}))
}

// number sets the positions of clips to their order in the slice.
func (s *Service) number(ctx context.Context, all []*ent.Clip) error {
	for i, c := range all {
		if c.Position == i {
			continue
		}

		if err := s.Store.Client(ctx).Clip.UpdateOneID(c.ID).SetPosition(i).SetUpdatedAt(s.Store.Now()).Exec(ctx); err != nil {
			return fmt.Errorf("move clip: %w", err)
		}
	}

	return nil
}
