package heard

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/word"
	"github.com/reelgraph/reelgraph/internal/ids"
)

// Word is a word and when it is heard, in recording time.
type Word struct {
	Text           string
	StartMs, EndMs int64
	Cue            int     // which caption of a file it stands in, from 1; 0 is none
	Confidence     float64 // 0 to 1; 0 when nobody says
}

const insertAllWords = `
INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, hidden, cue, confidence)
SELECT w.id, $1, $2, $3, w.position, w.text, w.start_ms, w.end_ms, false, w.cue, w.confidence
FROM unnest($4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::float8[])
  w(id, position, text, start_ms, end_ms, cue, confidence)`

// Replace puts words in the place of a clip's, in one statement however many they are. The client is that
// of a transaction in which the clip's video is locked.
func Replace(ctx context.Context, client *ent.Client, c *ent.Clip, words []Word, now time.Time) error {
	if _, err := client.Word.Delete().Where(word.ClipID(c.ID)).Exec(ctx); err != nil {
		return fmt.Errorf("clear words: %w", err)
	}

	var (
		made, texts          = make([]string, len(words)), make([]string, len(words))
		places, starts, ends = make([]int64, len(words)), make([]int64, len(words)), make([]int64, len(words))
		cues                 = make([]int64, len(words))
		confidence           = make([]float64, len(words))
	)

	for i, w := range words {
		made[i], places[i], texts[i] = ids.New(ids.Word), int64(i), w.Text
		starts[i], ends[i], cues[i], confidence[i] = w.StartMs, w.EndMs, int64(w.Cue), w.Confidence
	}

	_, err := client.ExecContext(ctx, insertAllWords, now, c.WorkspaceID, c.ID,
		pq.Array(made), pq.Array(places), pq.Array(texts), pq.Array(starts), pq.Array(ends), pq.Array(cues), pq.Array(confidence))
	if err != nil {
		return fmt.Errorf("create words: %w", err)
	}

	return nil
}
