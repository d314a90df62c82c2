package transcripts

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
)

// Limits for the words of a video: eleven hours of speech, and the size of the largest transcript file with
// corrections. They keep reading all words of a video affordable.
const (
	MaxWords = 100_000
	MaxText  = 8 << 20 // bytes of words and corrections together
)

// Rows runs a query. store.Store implements it.
type Rows interface {
	Query(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error
}

const roomSQL = `
SELECT coalesce(sum(cardinality(t.starts)), 0),
	coalesce(sum(octet_length(array_to_string(t.texts, '')) + octet_length(array_to_string(t.corrected, ''))), 0)
FROM transcripts t JOIN clips c ON c.id = t.clip_id WHERE c.video_id = $1 AND c.id <> ALL($2)`

// Overfull returns a message if a video has too many words, or an empty string if not. It also counts words that the
// current transaction has written. The caller can pass transcripts that it has already loaded. Overfull does not read
// these again.
func Overfull(ctx context.Context, db Rows, videoID string, has ...*ent.Transcript) (problem string, err error) {
	var words, text int64

	clips := make([]string, len(has))
	for i, t := range has {
		clips[i] = t.ClipID
	}

	err = db.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&words, &text) }, roomSQL, videoID, pq.Array(clips))

	for _, t := range has {
		words += int64(len(t.Texts))

		for _, one := range [][]string{t.Texts, t.Corrected} {
			for _, w := range one {
				text += int64(len(w))
			}
		}
	}

	switch {
	case err != nil:
		return "", fmt.Errorf("count the words of video %s: %w", videoID, err)
	case words > MaxWords:
		return fmt.Sprintf("The clips of the video would have %d words together; at most %d are allowed.", words, MaxWords), nil
	case text > MaxText:
		return fmt.Sprintf("The words of the video and their corrections would be %d bytes long; at most %d are allowed.", text, MaxText), nil
	default:
		return "", nil
	}
}
