package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// The previous version stores each word as a row. This version reads those rows, and writes them too for up to an hour
// of speech. The statements below are those of the previous version.
func TestPreviousVersionSharesWords(t *testing.T) {
	t.Parallel()

	const (
		insert = `INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, hidden, cue, confidence)
			SELECT w.id, now(), $1, $2, w.position, w.text, w.start_ms, w.end_ms, false, 1, 0
			FROM unnest($3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[]) w(id, position, text, start_ms, end_ms)`
		correct = `INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, hidden, corrected)
			SELECT id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms, false, 'Globe' FROM words WHERE clip_id = $1 AND position = 1
			ON CONFLICT (id) DO UPDATE SET hidden = excluded.hidden, corrected = excluded.corrected`
	)

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	clip := video.Edges.Clips[0].ID
	path := "/v1/videos/" + video.ID + "/clips/" + clip

	said := func() string {
		t.Helper()

		g := s.Ask(t, owner.Key, `{ clip(id: "`+clip+`") { words { nodes { text hidden } } } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		var words []string
		for _, w := range api.Dig(g.Data, "clip", "words", "nodes").([]any) {
			words = append(words, fmt.Sprint(w.(map[string]any)["text"], map[bool]string{true: "-"}[w.(map[string]any)["hidden"].(bool)]))
		}

		return strings.Join(words, " ")
	}
	rows := func() (all string) {
		t.Helper()
		require.NoError(t, s.Store.DB.QueryRow(`SELECT coalesce(string_agg(coalesce(corrected, text) || CASE WHEN hidden THEN '-' ELSE '' END, ' '
			ORDER BY position), '') FROM words WHERE clip_id = $1`, clip).Scan(&all))

		return all
	}
	found := func(query string) bool {
		t.Helper()

		return strings.Contains(s.Call(t, owner.Key, http.MethodGet, "/v1/videos/search?searchIn=transcript&query="+query, "").Body, video.ID)
	}
	exec := func(query string, args ...any) {
		t.Helper()

		_, err := s.Store.DB.Exec(query, args...)
		require.NoError(t, err)
	}

	exec(insert, owner.WorkspaceID, clip, "{wd_a,wd_b,wd_c}", "{0,1,2}", "{Hello,wrold,again}", "{0,100,200}", "{100,200,300}")
	require.Equal(t, "Hello wrold again", said())
	require.True(t, found("wrold"))

	exec(correct, clip)
	require.Equal(t, "Hello Globe again", said())
	require.True(t, found("globe"))
	require.False(t, found("wrold"))

	a := s.Call(t, owner.Key, http.MethodPatch, path+"/transcript/words", `{"words":[{"index":0,"text":"Bye"},{"index":2,"hidden":true}]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, "Bye Globe again-", said())
	require.Equal(t, "Bye Globe again-", rows())

	// It replaces words by deleting the rows and inserting new ones.
	exec(`DELETE FROM words WHERE clip_id = $1`, clip)
	require.Empty(t, said())
	require.False(t, found("globe"))
	exec(insert, owner.WorkspaceID, clip, "{wd_d}", "{0}", "{anew}", "{0}", "{100}")
	require.Equal(t, "anew", said())

	// It copies clips together with their words.
	exec(`INSERT INTO clips SELECT (jsonb_populate_record(NULL::clips, to_jsonb(c) || '{"id":"cl_copy"}')).* FROM clips c WHERE id = $1`, clip)
	exec(`INSERT INTO words SELECT (jsonb_populate_record(NULL::words, to_jsonb(w) || '{"id":"wd_copy","clip_id":"cl_copy"}')).* FROM words w WHERE clip_id = $1`, clip)

	var copied string
	require.NoError(t, s.Store.DB.QueryRow(`SELECT texts::text FROM transcripts WHERE clip_id = 'cl_copy'`).Scan(&copied))
	require.Equal(t, "{anew}", copied)

	// Stored words are in the rows too, unless there are too many.
	put := func(n int) {
		t.Helper()

		a := s.Call(t, owner.Key, http.MethodPut, path+"/transcript", "WEBVTT\n\n00:00.000 --> 00:09.000\n"+strings.Repeat("w ", n), "Content-Type", "text/vtt")
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		var shown struct{ Words []struct{ Text string } }
		require.NoError(t, json.Unmarshal([]byte(a.Body), &shown))
		require.Len(t, shown.Words, n)
	}

	put(10_000)
	require.Len(t, strings.Fields(rows()), 10_000)
	put(10_001)
	require.Empty(t, rows())
	put(2)
	require.Equal(t, "w w", rows())

	exec(`DELETE FROM clips WHERE id = 'cl_copy'`)

	for _, table := range []string{"words", "transcripts", "clip_texts"} {
		var left int
		require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM `+table+` WHERE clip_id = 'cl_copy'`).Scan(&left))
		require.Zero(t, left, table)
	}
}

// Pages of words are cut out of long transcripts, in each set, with their totals. Search quotes words deep inside and
// follows corrections and cuts.
func TestLongTranscripts(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Source: testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{DurationMs: 40_000_000})})
	clip := video.Edges.Clips[0].ID
	path := "/v1/videos/" + video.ID + "/clips/" + clip

	const n = 30_000 // words of 900 ms, one a second

	var file strings.Builder

	file.WriteString("WEBVTT\n\n")

	for i := range n {
		fmt.Fprintf(&file, "%02d:%02d:%02d.000 --> %02d:%02d:%02d.900\nnumber%d\n\n", i/3600, i/60%60, i%60, i/3600, i/60%60, i%60, i)
	}

	a := s.Call(t, owner.Key, http.MethodPut, path+"/transcript", file.String(), "Content-Type", "text/vtt")
	require.Equal(t, http.StatusOK, a.Status)

	a = s.Call(t, owner.Key, http.MethodPatch, path, `{"cuts":[{"startTimeMs":1000,"durationMs":20000000},{"startTimeMs":20002000,"durationMs":500}]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	page := func(arguments string) (texts []any, total any, cursor string) {
		t.Helper()

		g := s.Ask(t, owner.Key, `{ clip(id: "`+clip+`") { words(`+arguments+`) { totalCount nodes { text index startTimeMs } pageInfo { endCursor } } }
			video(id: "`+video.ID+`") { clips { nodes { words(`+arguments+`) { totalCount nodes { text index startTimeMs } } } } } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		words := api.Dig(g.Data, "clip", "words").(map[string]any)
		nested := api.Dig(g.Data, "video", "clips", "nodes").([]any)[0].(map[string]any)["words"].(map[string]any)
		require.Equal(t, words["nodes"], nested["nodes"])
		require.Equal(t, words["totalCount"], nested["totalCount"])

		for _, w := range words["nodes"].([]any) {
			texts = append(texts, w.(map[string]any)["text"])
		}

		return texts, words["totalCount"], words["pageInfo"].(map[string]any)["endCursor"].(string)
	}

	texts, total, cursor := page(`first: 2`)
	require.Equal(t, []any{"number0", "number1"}, texts)
	require.EqualValues(t, n, total)

	texts, _, _ = page(`first: 2, after: "` + cursor + `"`)
	require.Equal(t, []any{"number2", "number3"}, texts)

	texts, total, cursor = page(`first: 2, of: HEARD`)
	require.Equal(t, []any{"number0", "number20001"}, texts)
	require.EqualValues(t, n-20_000, total, "including one that is cut in part")

	texts, _, _ = page(`first: 2, of: HEARD, after: "` + cursor + `"`)
	require.Equal(t, []any{"number20002", "number20003"}, texts)

	texts, total, _ = page(`first: 1, of: RECORDED`)
	require.Equal(t, []any{"number0"}, texts)
	require.EqualValues(t, n, total)

	search := func(query string) string {
		t.Helper()

		return s.Call(t, owner.Key, http.MethodGet, "/v1/videos/search?searchIn=transcript&query="+query, "").Body
	}

	require.Contains(t, search("number29500"), `"snippet":"number29492 number29493 number29494 number29495 number29496 number29497 number29498 number29499 number29500 number29501`)
	require.Contains(t, search("number29500"), `"startSeconds":9499.5`)
	require.Contains(t, search("number20003"), `"snippet":"number0 number20001 number20002 number20003 number20004`, "over a long cut")
	require.Contains(t, search("number0"), `"snippet":"number0 number20001 number20002 number20003`, "over a long cut")
	require.Contains(t, search("number777"), `"results":[]`, "it is cut")

	a = s.Call(t, owner.Key, http.MethodPatch, path+"/transcript/words", `{"words":[{"index":29500,"text":"Ünïque"}]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Contains(t, search("unique"), "number29499 Ünïque number29501")
	require.Contains(t, search("number29500"), `"results":[]`)
}
