package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/transcript"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// countRead counts the words of whole transcripts before they are read: a document may name many videos with eleven
// hours of speech each.
func (svc Words) countRead(q *ent.TranscriptQuery) {
	q.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, query ent.Query) (ent.Value, error) {
			if whole, is := query.(*ent.TranscriptQuery); is && transcripts.Bounded(ctx) {
				if err := spendWords(ctx, whole); err != nil {
					return nil, err
				}
			}

			return next.Query(ctx, query)
		})
	}))
}

func spendWords(ctx context.Context, q *ent.TranscriptQuery) error {
	var found []struct {
		Words  int `json:"words"`
		Videos int `json:"videos"`
	}

	err := q.Clone().Modify(func(s *sql.Selector) {
		clips := sql.Table(clip.Table)
		s.Join(clips).On(s.C(transcript.FieldClipID), clips.C(clip.FieldID))
		s.Select("coalesce(sum(cardinality("+s.C(transcript.FieldStarts)+")), 0) AS words",
			"count(DISTINCT "+clips.C(clip.FieldVideoID)+") AS videos")
	}).Scan(transcripts.Unbounded(ctx), &found)
	if err != nil || len(found) == 0 {
		return err //nolint:wrapcheck // the query says what was attempted
	}

	return transcripts.Spend(ctx, found[0].Words, found[0].Videos) //nolint:wrapcheck // a fault
}

// placesIn returns the words that places would read, from a whole transcript.
func placesIn(clock timeline.Clock, all *ent.Transcript, set model.WordSet, from, size int) *somePlaces {
	some := &somePlaces{counts: true}

	for i, w := range transcripts.All(all) {
		if set == model.WordSetHeard && isCut(clock, w) {
			continue
		}

		some.total++

		if i >= from && len(some.words) <= size {
			some.places, some.words = append(some.places, i), append(some.words, w)
		}
	}

	return some
}

// SameWords reports whether a clip's words are the same as the given words of a file. It returns false if any of the
// clip's words is corrected or hidden.
func SameWords(was *ent.Transcript, words []words.Word) bool {
	if transcripts.Count(was) != len(words) {
		return false
	}

	for i, row := range transcripts.All(was) {
		w := words[i]
		if row.Corrected != "" || row.Hidden || row.Text != w.Text || row.StartMs != w.StartMs || row.EndMs != w.EndMs || row.Cue != w.Cue {
			return false
		}
	}

	return true
}
