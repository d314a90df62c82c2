package transcripts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/transcript"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// Words of any content are read as they were written, with and without corrections. Columns without values stay
// empty.
func TestWordsAreKept(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})
	clip := testkit.NewVideo(t, s, m, testkit.VideoOpts{}).Edges.Clips[0]
	now := time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC)

	words := []transcripts.Word{
		{Text: `"quoted", {braces} \ and NULL`, EndMs: 5}, {Text: "NULL", StartMs: 5, EndMs: 5, Cue: 3}, {Text: "é\n🎬", StartMs: 6, EndMs: 7},
	}

	read := func(ctx context.Context, db *ent.Client) *ent.Transcript {
		return db.Transcript.Query().Where(transcript.ClipID(clip.ID)).OnlyX(ctx)
	}
	all := func(row *ent.Transcript) (all []transcripts.Word) {
		for i, w := range transcripts.All(row) {
			require.Equal(t, transcripts.At(row, i), w)
			all = append(all, w)
		}

		return all
	}

	m.Do(t, s, func(ctx context.Context, db *ent.Client) {
		require.NoError(t, replaced(ctx, db, clip, []transcripts.Word{{Text: "before", Confidence: 0.5}}, now))
		require.NoError(t, replaced(ctx, db, clip, words, now))

		row := read(ctx, db)
		require.Equal(t, words, all(row))
		require.Empty(t, row.Corrected)
		require.Empty(t, row.Hidden)
		require.Empty(t, row.Confidence)
		require.Len(t, row.Cues, 2)

		words[1].Corrected, words[1].Hidden = "null, and \"void\"", true
		transcripts.Correct(row, 1, words[1])
		require.NoError(t, transcripts.Save(ctx, db, row, now))
		require.Equal(t, words, all(read(ctx, db)))
		require.Equal(t, "null, and \"void\"", words[1].Said())

		words[1].Corrected, words[1].Hidden = "", false
		transcripts.Correct(row, 1, words[1])
		require.NoError(t, transcripts.Save(ctx, db, row, now))
		require.Equal(t, words, all(read(ctx, db)))

		require.NoError(t, replaced(ctx, db, clip, nil, now))
		require.Zero(t, transcripts.Count(read(ctx, db)))
	})
	require.Zero(t, transcripts.Count(nil))
}

func replaced(ctx context.Context, db *ent.Client, c *ent.Clip, words []transcripts.Word, now time.Time) error {
	_, err := transcripts.Replace(ctx, db, c, words, now)

	return err
}
