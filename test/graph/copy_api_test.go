package graph_test

import (
	"context"
	stdsql "database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// columns returns the columns of a table, except those that differ in a copy.
func columns(t *testing.T, s *api.Server, table string) string {
	t.Helper()

	var list string

	require.NoError(t, s.Store.DB.QueryRow(`SELECT string_agg(quote_ident(column_name), ', ' ORDER BY column_name) FROM information_schema.columns
		WHERE table_name = $1 AND column_name NOT IN ('id', 'clip_id', 'video_id', 'created_at', 'updated_at', 'position', 'name')`, table).Scan(&list))

	return list
}

// Copying a clip copies every column of its parts, including columns added later.
func TestCopiesHaveEveryColumn(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	clip := video.Edges.Clips[0]

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		testkit.Words(ctx, db, clip, transcripts.Word{Text: "hm", Corrected: "Hm.", Hidden: true, StartMs: 1, EndMs: 2, Cue: 3, Confidence: 0.25})
		db.Chapter.Create().SetVideo(video).SetClip(clip).SetAtMs(500).SetTitle("A").SetDescription("b").ExecX(ctx)
		db.Effect.Create().SetClip(clip).SetKind(values.EffectKindZoom).SetStartMs(5).SetEndMs(900).SetZ(3).
			SetParams(values.EffectParams{Zoom: &values.ZoomParams{Type: values.ZoomTypeManualZoom, Scale: 1.1, Focus: &values.Point{XPct: 0.1, YPct: 99.7}}}).ExecX(ctx)
	})

	g := s.Ask(t, owner.Key, `mutation { duplicateVideo(id: "`+video.ID+`") { video { id clips { nodes { id } } } } }`, nil)
	require.Empty(t, g.Errors, g.Body)

	made := api.Dig(g.Data, "duplicateVideo", "video", "clips", "nodes").([]any)[0].(map[string]any)["id"].(string)

	for _, table := range []string{"clips", "effects", "transcripts", "chapters"} {
		key := "clip_id"
		if table == "clips" {
			key = "id"
		}

		read := func(clip string) string {
			var row stdsql.NullString

			require.NoError(t, s.Store.DB.QueryRow(`SELECT string_agg(to_jsonb(r)::text, ',') FROM (SELECT `+columns(t, s, table)+
				` FROM `+table+` WHERE `+key+` = $1) r`, clip).Scan(&row))

			return row.String
		}

		require.NotEmpty(t, read(clip.ID), table)
		require.Equal(t, read(clip.ID), read(made), table)
	}
}

// Queries use the indexes that ent does not know. A scan would slow down with the number of all videos.
func TestQueriesReadIndexes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	for index, query := range map[string]string{
		"video_music_source":     `SELECT id FROM videos WHERE background_music->>'sourceId' = 'src_x'`,
		"video_search":           `SELECT id FROM videos WHERE search_document(workspace_id, search_fold(name)) @@ (quote_literal('ws_x')::tsquery && search_words('Café'))`,
		"clip_background_source": `SELECT id FROM clips WHERE background->>'sourceId' = 'src_x'`,
		"clip_text_search":       `SELECT clip_id FROM clip_texts WHERE document @@ (quote_literal('ws_x')::tsquery && search_words('Café'))`,
	} {
		tx, err := s.Store.DB.Begin()
		require.NoError(t, err)

		_, err = tx.Exec(`SET LOCAL enable_seqscan = off`) // the tables are empty, so Postgres would scan them
		require.NoError(t, err)

		rows, err := tx.Query("EXPLAIN " + query) //nolint:sqlclosecheck // rows are read to the end
		require.NoError(t, err)

		var plan strings.Builder

		for rows.Next() {
			var line string

			require.NoError(t, rows.Scan(&line))
			plan.WriteString(line + "\n")
		}

		require.NoError(t, rows.Err())
		require.NoError(t, tx.Rollback())
		require.Contains(t, plan.String(), index)
	}
}
