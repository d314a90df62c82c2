package exhaustive_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// spacingMs is the distance between the moments of a talk.
const spacingMs = 20_000

// answered are the videos that a mutation of many answers, with lists below them. A dearer request takes one statement more
// to be counted.
const answered = `videos { __typename id tags(first: 1) { nodes { id } } clips(first: 1) { nodes { id } } }`

// payloads are mutations that return lists. Their inputs come from talk. They run in the order of answering, each on
// the result of the one before.
var payloads = map[string]string{
	"replaceChapters": `mutation($video: ID!, $chapters: [ChapterInput!]!) {
		replaceChapters(videoId: $video, input: {chapters: $chapters}) { chapters { __typename title timestampSeconds description } } }`,
	"correctWords": `mutation($clip: ID!, $words: [CorrectWordInput!]!) {
		correctWords(clipId: $clip, input: {words: $words}) { words { __typename index text hidden startTimeMs } clip { transcript { status } } } }`,
	"autoZooms": `mutation($clip: ID!) { autoZooms(clipId: $clip) {
		zooms { __typename id startTimeMs durationMs } clip { effects(first: 1) { totalCount } } } }`,
	"autoLayouts": `mutation($clip: ID!) { autoLayouts(clipId: $clip, input: {style: TUTORIAL_ROUND}) {
		layouts { __typename id startTimeMs durationMs media { url } } editingStyle } }`,
	"applyVideoEdits": `mutation($video: ID!, $operations: [VideoEditOperation!]!) {
		applyVideoEdits(videoId: $video, input: {operations: $operations}) { results { __typename operationId type id } video { id } } }`,
	"addPlaylistVideos": `mutation($list: ID!, $many: [ID!]!) { addPlaylistVideos(playlistId: $list, videoIds: $many) { ` + answered + ` } }`,
	"tagVideos":         `mutation($many: [ID!]!, $tags: [ID!]!) { tagVideos(videoIds: $many, tagIds: $tags) { ` + answered + ` } }`,
	"untagVideos":       `mutation($many: [ID!]!, $tags: [ID!]!) { untagVideos(videoIds: $many, tagIds: $tags) { ` + answered + ` } }`,
	"restoreVideos":     `mutation($many: [ID!]!) { restoreVideos(ids: $many) { ` + answered + ` } }`,
}

// preparing are mutations that run before a payload and are not counted.
var preparing = map[string]string{
	"restoreVideos": `mutation($many: [ID!]!) { trashVideos(ids: $many) { deletedIds } }`,
}

// answering is the order in which payloads run.
var answering = []string{"replaceChapters", "correctWords", "autoZooms", "autoLayouts", "applyVideoEdits", "restoreVideos", "addPlaylistVideos", "tagVideos", "untagVideos"}

// A mutation that returns a list of written items takes as many statements for 100 items as for one.
func TestStatementsOfPayloadsDoNotGrow(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	schema := graph.Schema()

	for _, f := range schema.Mutation.Fields {
		for _, below := range schema.Types[f.Type.Name()].Fields {
			if below.Name == "skipped" { // it comes from the request
				continue
			}

			if below.Type.Elem != nil && !schema.Types[below.Type.Name()].IsLeafType() {
				require.Contains(t, payloads[f.Name], below.Name+" { __typename", "the statements of this list of %s are not counted", f.Name)
			}
		}
	}

	sizes := someAndMany()
	counts, items := map[string][]int64{}, map[string][]int{}

	for _, n := range sizes {
		given := talk(t, s, m, n)
		ready(t, s)

		for _, name := range answering {
			if first := preparing[name]; first != "" {
				g := s.Ask(t, m.Key, first, given)
				require.Empty(t, g.Errors, "%s %s", name, g.Body)
			}

			before := wire.Count()
			g := s.Ask(t, m.Key, payloads[name], given)
			require.Empty(t, g.Errors, "%s %s", name, g.Body)

			counts[name] = append(counts[name], wire.Count()-before)
			items[name] = append(items[name], strings.Count(g.Body, `"__typename"`))
		}
	}

	require.Len(t, counts, len(payloads))

	for name, by := range counts {
		for i, n := range sizes {
			require.Equal(t, by[0], by[i], "%s: %v", name, by)
			require.GreaterOrEqual(t, items[name][i], n, name)
		}

		t.Logf("%-16s %d statements", name, by[0])
	}
}

// talk creates a video with n moments, each a click followed by speech, and returns the inputs of payloads.
func talk(t *testing.T, s *api.Server, m testkit.Member, n int) map[string]any {
	t.Helper()

	long := testkit.SourceOpts{HasAudio: true, DurationMs: int64(n+1) * spacingMs}
	screen := testkit.NewSource(t, s.Store, m, long)
	long.Role = values.SourceRoleCamera
	camera := testkit.NewSource(t, s.Store, m, long)

	list, tag := ids.New(ids.Playlist), ids.New(ids.Tag)

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Playlist.Create().SetID(list).SetUserID(m.UserID).SetName("P").ExecX(ctx)
		db.Tag.Create().SetID(tag).SetUserID(m.UserID).SetName(tag).SetNameKey(tag).SetColor("#000000FF").ExecX(ctx)
	})

	var (
		pointed, chapters, words, operations []map[string]any
		many                                 []string
		file                                 = &strings.Builder{}
	)

	for i := range n {
		begin := i * spacingMs

		many = append(many, testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{}).ID)
		pointed = append(pointed, map[string]any{"timeMs": begin, "xPct": 1, "yPct": 2, "type": "CLICK"})
		chapters = append(chapters, map[string]any{"timestampSeconds": begin / 1000, "title": "Moment"})
		words = append(words, map[string]any{"index": i, "text": fmt.Sprint("word", i)})

		minutes, seconds := begin/60_000, begin/1000%60
		fmt.Fprintf(file, "%d\n00:%02d:%02d,000 --> 00:%02d:%02d,000\nword\n\n", i+1, minutes, seconds+5, minutes, seconds+19)
	}

	made := s.Ask(t, m.Key, `mutation($screen: ID!, $camera: ID!, $pointed: [MouseEventInput!]) {
		createVideo(input: {sourceId: $screen, cameraSourceId: $camera, mouseEvents: $pointed}) { video { id clips(first: 1) { nodes { id } } } } }`,
		map[string]any{"screen": screen.ID, "camera": camera.ID, "pointed": pointed})
	require.Empty(t, made.Errors, made.Body)

	video := api.Dig(made.Data, "createVideo", "video")
	clip := api.Dig(video, "clips", "nodes").([]any)[0].(map[string]any)["id"]

	for i := range n {
		operations = append(operations, map[string]any{"add": map[string]any{"operationId": fmt.Sprint(i), "clipId": clip, "effect": blurAt(i * spacingMs)}})
	}

	given := map[string]any{
		"video": api.Dig(video, "id"), "clip": clip, "chapters": chapters, "words": words, "operations": operations, "file": file.String(),
		"many": many, "list": list, "tags": []string{tag},
	}

	put := s.Ask(t, m.Key, `mutation($clip: ID!, $file: String!) {
		putTranscript(clipId: $clip, input: {format: SRT, text: $file}) { clip { words(first: 1) { totalCount } } } }`, given)
	require.Empty(t, put.Errors, put.Body)

	return given
}

// Edits of many clips that also change base layouts take as many statements as edits of one.
func TestStatementsOfEditsDoNotGrow(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	counts := map[string][]int64{}
	sizes := someAndMany()

	for _, n := range sizes {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
		one := v.Edges.Clips[0]

		m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			for i := 1; i < n; i++ {
				db.Clip.Create().SetVideo(v).SetName("C").SetPosition(i).SetScreenSourceID(*one.ScreenSourceID).
					SetRecordingMs(one.RecordingMs).SetDurationMs(one.DurationMs).SetCuts(values.Cuts{}).SetBackground(one.Background).
					SetHasMicrophone(false).SetHasSystemAudio(false).SetTranscriptStatus(values.TranscriptStatusReady).ExecX(ctx)
			}
		})

		bases := s.Ask(t, m.Key, `{ video(id: "`+v.ID+`") { clips(first: 100) { nodes { id baseLayout { id } } } } }`, nil)
		require.Empty(t, bases.Errors, bases.Body)

		ready(t, s)

		// Setting the default base layout stores null.
		for _, step := range [][2]string{{"MIDDLE", "base_layout->>'kind' = 'middle'"}, {"FULLSCREEN", "base_layout IS NULL"}} {
			kind, stored := step[0], step[1]

			var operations []map[string]any

			for i, c := range api.Dig(bases.Data, "video", "clips", "nodes").([]any) {
				effect := map[string]any{"layout": map[string]any{"layout": map[string]any{"kind": kind}}}
				operations = append(operations, map[string]any{"update": map[string]any{
					"operationId": fmt.Sprint("base", i), "id": api.Dig(c, "baseLayout", "id"), "effect": effect,
				}}, map[string]any{"add": map[string]any{"operationId": fmt.Sprint("blur", i), "clipId": api.Dig(c, "id"), "effect": blurAt(0)}})
			}

			before, begun := wire.Count(), time.Now()
			g := s.Ask(t, m.Key, payloads["applyVideoEdits"], map[string]any{"video": v.ID, "operations": operations})
			require.Empty(t, g.Errors, g.Body)

			counts[kind] = append(counts[kind], wire.Count()-before)

			var written int
			require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM clips WHERE video_id = $1 AND updated_at >= $2 AND `+stored,
				v.ID, begun.Truncate(time.Millisecond)).Scan(&written))
			require.Equal(t, n, written, kind)
		}
	}

	for kind, by := range counts {
		for i := range sizes {
			require.Equal(t, by[0], by[i], "%s: %v", kind, by)
		}
	}
}

// blurAt returns a blur of a tenth of a second.
func blurAt(ms int) map[string]any {
	return map[string]any{"blur": map[string]any{
		"startTimeMs": ms, "durationMs": 100,
		"dimensions": map[string]any{"widthPct": 10, "heightPct": 10}, "point": map[string]any{"xPct": 0, "yPct": 0},
	}}
}
