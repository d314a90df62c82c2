package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/chapter"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
)

// heardClips lists a video's clips with the columns that chapters, the transcript and a chosen frame need.
const heardClips = "heard"

// heardBelow loads the rows that the chapters, transcripts and chosen frames of videos need, if those are selected.
func (svc Words) heardBelow(sel selection.Tree) (below []ReadBelow[*ent.Video]) {
	chapters, transcript := sel.Has("chapters"), sel.Has("transcript")

	if chapters {
		below = append(below, EachList[*ent.Video](wholeList("chapters", chapter.Table, chapter.FieldVideoID),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Chapter] {
				q := svc.Store.Client(ctx).Chapter.Query()
				q.Select(chapter.FieldID, chapter.FieldVideoID, chapter.FieldClipID, chapter.FieldAtMs, chapter.FieldTitle,
					chapter.FieldDescription)
				q.Modify(only)

				return q
			}))
	}

	if chapters || transcript || sel.Below("thumbnail").Has("atMs") {
		below = append(below, EachList[*ent.Video](wholeList(heardClips, clip.Table, clip.FieldVideoID, clipOrder()...),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Clip] {
				q := svc.Store.Client(ctx).Clip.Query()
				q.Select(clip.FieldID, clip.FieldVideoID, clip.FieldPosition, clip.FieldRecordingMs, clip.FieldDurationMs, clip.FieldCuts,
					clip.FieldTranscriptStatus, clip.FieldTranscriptLanguage, clip.FieldTranscriptError, clip.FieldHasMicrophone,
					clip.FieldHasSystemAudio)

				if asksWords(sel.Below("transcript")) {
					q.WithTranscript(svc.countRead)
				}

				q.Modify(only)

				return q
			}))
	}

	return below
}
