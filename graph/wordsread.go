package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/transcript"
	"github.com/reelgraph/reelgraph/internal/heard"
)

// countRead has whole transcripts counted before they are read: a document may name many videos, and each of them
// eleven hours of speech.
func (r *Resolver) countRead(q *ent.TranscriptQuery) {
	q.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, query ent.Query) (ent.Value, error) {
			if whole, is := query.(*ent.TranscriptQuery); is && heard.Bounded(ctx) {
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
	}).Scan(heard.Unbounded(ctx), &found)
	if err != nil || len(found) == 0 {
		return err //nolint:wrapcheck // the query says what was attempted
	}

	return heard.Spend(ctx, found[0].Words, found[0].Videos) //nolint:wrapcheck // a fault
}
