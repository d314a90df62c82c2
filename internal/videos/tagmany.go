package videos

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/videotag"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
)

// tagsAtOnce is how many tags one statement puts on videos, to stay below the Postgres limit of 65,535 arguments.
const tagsAtOnce = 2000

// TagVideos adds each of the tags to each of the videos, or changes nothing if the caller may not edit one of the videos
// or see one of the tags. Videos that have a tag already keep it.
func (svc Tags) TagVideos(ctx context.Context, in model.TaggedVideos) ([]*ent.Video, error) {
	return svc.retag(ctx, in, func(ctx context.Context, videos []*ent.Video, tags []*ent.Tag) error {
		rows, above, err := svc.missingTags(ctx, videos, tags)
		if err != nil {
			return err
		}

		ctx, err = schema.Proven(ctx, svc.Store.Client(ctx), above...)
		if err != nil {
			return fmt.Errorf("tag videos: %w", err)
		}

		for some := range slices.Chunk(rows, tagsAtOnce) {
			if err := svc.Store.Client(ctx).VideoTag.CreateBulk(some...).Exec(ctx); err != nil {
				return fmt.Errorf("tag videos: %w", err)
			}
		}

		return nil
	})
}

// missingTags returns the rows of the tags that the videos lack, and the ids of all these videos and tags.
func (svc Tags) missingTags(
	ctx context.Context, videos []*ent.Video, tags []*ent.Tag,
) (rows []*ent.VideoTagCreate, above []string, err error) {
	there, err := svc.Store.Client(ctx).VideoTag.Query().Where(worn(videos, tags)...).All(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read tags: %w", err)
	}

	type pair struct{ video, tag string }

	has := make(map[pair]bool, len(there))
	for _, row := range there {
		has[pair{row.VideoID, row.TagID}] = true
	}

	for _, v := range videos {
		above = append(above, v.ID)

		for _, t := range tags {
			if !has[pair{v.ID, t.ID}] {
				rows = append(rows, svc.Store.Client(ctx).VideoTag.Create().SetVideo(v).SetTag(t).SetCreatedAt(svc.Store.Now()))
			}
		}
	}

	return rows, append(above, tagIDs(tags)...), nil
}

// UntagVideos removes each of the tags from each of the videos that has it. It changes nothing if the caller may not
// edit one of the videos or see one of the tags.
func (svc Tags) UntagVideos(ctx context.Context, in model.TaggedVideos) ([]*ent.Video, error) {
	return svc.retag(ctx, in, func(ctx context.Context, videos []*ent.Video, tags []*ent.Tag) error {
		if _, err := svc.Store.Client(ctx).VideoTag.Delete().Where(worn(videos, tags)...).Exec(ctx); err != nil {
			return fmt.Errorf("untag videos: %w", err)
		}

		return nil
	})
}

// worn finds which of the videos have which of the tags.
func worn(videos []*ent.Video, tags []*ent.Tag) []predicate.VideoTag {
	return []predicate.VideoTag{videotag.VideoIDIn(idsOf(videos)...), videotag.TagIDIn(tagIDs(tags)...)}
}

// retag locks the videos, checks the caller's rights, and applies a change. It returns the videos with the selected
// fields.
func (svc Tags) retag(
	ctx context.Context, in model.TaggedVideos, change func(ctx context.Context, videos []*ent.Video, tags []*ent.Tag) error,
) ([]*ent.Video, error) {
	sel := selection.Of(ctx).Below("videos")

	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) ([]*ent.Video, error) {
		named := rights.Named{Argument: "videoIds", IDs: in.VideoIDs}

		chosen, err := svc.Listing.Rights().LockedVideos(ctx, named)
		if err != nil {
			return nil, err
		}

		tags, err := svc.heldTags(ctx, rights.Named{Argument: "tagIds", IDs: in.TagIDs})
		if err != nil {
			return nil, err
		}

		for _, v := range chosen {
			if err := svc.Listing.Rights().RefuseEdit(ctx, v); err != nil {
				return nil, named.Refused(v.ID, err)
			}
		}

		if err := change(ctx, chosen, tags); err != nil {
			return nil, err
		}

		return svc.Listing.VideosAgain(ctx, chosen, sel)
	})
}

// heldTags returns tags that the caller may see and locks them against being deleted, or returns not_found for the first
// that the caller may not see.
func (svc Tags) heldTags(ctx context.Context, named rights.Named) ([]*ent.Tag, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	found, err := svc.Store.Client(ctx).Tag.Query().Where(tag.IDIn(named.IDs...), listing.VisibleTag(who)).
		Order(ent.Asc(tag.FieldID)).ForShare(sql.WithLockTables(tag.Table)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read tags: %w", err)
	}

	seen := tagIDs(found)

	return found, named.Missing("tag", func(id string) bool { return slices.Contains(seen, id) })
}

func tagIDs(tags []*ent.Tag) []string {
	named := make([]string, len(tags))
	for i, t := range tags {
		named[i] = t.ID
	}

	return named
}
