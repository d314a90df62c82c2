package exhaustive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/operations"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// trash moves the video to the trash, as its creator.
func (p *people) trash(t *testing.T) {
	t.Helper()

	g := p.api.Ask(t, p.creator.Key, `mutation ($id: ID!) { trashVideos(ids: [$id]) { deletedIds } }`, map[string]any{"id": p.video.ID})
	require.Equal(t, []any{p.video.ID}, api.Dig(g.Data, "trashVideos", "deletedIds"), g.Body)
}

// everyone returns the actors, in the order of asking.
func (p *people) everyone() []testkit.Member {
	return []testkit.Member{p.viewer, p.member, p.editor, p.creator, p.admin, p.owner}
}

// Every operation about a video in the trash answers not_found to everybody, in REST and in the graph, whatever they
// could do before. Only those who may delete the video may still do so. All other operations neither name it nor count it.
func TestNoOperationSeesTheTrash(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	doc := rest.Describe(api.BaseURL)
	_, sections := operations.Read()

	for _, path := range doc.Paths {
		for _, method := range path.Value {
			o, verb := method.Value, strings.ToUpper(method.Name)

			t.Run(o.OperationID, func(t *testing.T) {
				t.Parallel()

				who := gather(t, s, doc)
				example, kind := exampleOf(t, o)
				target := who.in(t, path.Name)
				bodies := make([]string, len(asking))

				for i, m := range who.everyone() {
					bodies[i] = who.own(t, m, o.OperationID, example)
				}

				who.trash(t)

				for i, m := range who.everyone() {
					where := asking[i] + " " + target + "\n" + bodies[i]
					about := strings.Contains(target+bodies[i], who.video.ID)
					document := sections[o.OperationID].Graph
					g := s.Ask(t, m.Key, document.Document, who.variables(t, m, o.OperationID, target, document.Variables))

					if !about {
						require.NotContains(t, g.Body, who.video.Edges.Clips[0].ID, where)
					}

					a := s.Call(t, m.Key, verb, target+who.query(o), bodies[i], "Content-Type", kind)

					switch {
					case o.OperationID == "deleteVideo" && i >= slices.Index(asking, "creator"):
						require.Equal(t, http.StatusNotFound, a.Status, "the graph deleted it\n%s", where)
						require.Equal(t, who.video.ID, api.Dig(g.Data, "deleteVideo", "deletedId"), "%s\n%s", where, g.Body)

						who.film(t)
						who.trash(t)

						target = "/v1/videos/" + who.video.ID
					case o.OperationID == "deleteSource" && asking[i] == "creator":
						require.Equal(t, http.StatusConflict, a.Status, a.Body)
						require.Contains(t, a.Body, fmt.Sprintf(`(%s) in the trash`, who.video.ID))
					case about:
						require.Equal(t, http.StatusNotFound, a.Status, "%s\n%s", where, a.Body)
						require.Equal(t, "not_found", g.Code(), "%s\n%s", where, g.Body)
					case strings.Contains(target, who.source.ID) && asking[i] != "creator":
						require.Equal(t, http.StatusNotFound, a.Status, "a source that only the trash uses\n%s\n%s", where, a.Body)
						require.Equal(t, "not_found", g.Code(), "%s\n%s", where, g.Body)
					default:
						require.NotContains(t, a.Body, who.video.ID, where)
						require.NotContains(t, g.Body, who.video.ID, where)
					}
				}
			})
		}
	}
}

// variables returns the example variables of a document with the ids of this request.
func (p *people) variables(t *testing.T, m testkit.Member, operation, target string, example json.RawMessage) map[string]any {
	t.Helper()

	const tail = "_01jz8x3mpv0000000000000000"

	text := string(example)

	for segment := range strings.SplitSeq(target, "/") {
		if kind, is := ids.KindOf(segment); is {
			text = strings.ReplaceAll(text, string(kind)+tail, segment)
		}
	}

	variables := map[string]any{}

	if text != "" {
		require.NoError(t, json.Unmarshal([]byte(p.own(t, m, operation, text)), &variables))
	}

	return variables
}

// beyondREST are the fields of the graph about a video that have no operation of REST, with requests about one in the trash.
var beyondREST = map[string][]string{
	"node": {
		`{ node(id: "VIDEO") { id } }`, `{ node(id: "CLIP") { id } }`, `{ node(id: "EFFECT") { id } }`, `{ node(id: "EXPORT") { id } }`,
		`{ node(id: "COMMENT") { id } }`,
	},
	"addComment":           {`mutation { addComment(videoId: "VIDEO", input: {body: "b"}) { comment { id } } }`},
	"addPlaylistVideos":    {`mutation { addPlaylistVideos(playlistId: "PLAYLIST", videoIds: ["OTHER", "VIDEO"]) { videos { id } } }`},
	"removePlaylistVideos": {`mutation { removePlaylistVideos(playlistId: "PLAYLIST", videoIds: ["OTHER", "VIDEO"]) { deletedIds } }`},
	"tagVideos":            {`mutation { tagVideos(videoIds: ["OTHER", "VIDEO"], tagIds: ["TAG"]) { videos { id } } }`},
	"untagVideos":          {`mutation { untagVideos(videoIds: ["OTHER", "VIDEO"], tagIds: ["TAG"]) { videos { id } } }`},
	"addEffect":            {`mutation { addEffect(clipId: "CLIP", input: {zoom: {type: MANUAL_ZOOM, scale: 2, startTimeMs: 1, durationMs: 900}}) { video { id } } }`},
	"comments":             {`{ comments(videoId: "VIDEO") { totalCount nodes { id } } }`},
	"commentsUpdated":      {`subscription { commentsUpdated(videoId: "VIDEO") { gone } }`},
	"resolveComment":       {`mutation { resolveComment(id: "COMMENT", input: {}) { comment { id } } }`},
	"setThumbnail":         {`mutation { setThumbnail(videoId: "VIDEO", input: {atMs: 1}) { video { id } } }`},
	"updateComment":        {`mutation { updateComment(id: "COMMENT", input: {body: "b"}) { comment { id } } }`},
	"deleteComment":        {`mutation { deleteComment(id: "COMMENT") { deletedId } }`},
	"exportProgress":       {`subscription { exportProgress(id: "EXPORT") { id } }`},
	"movePlaylistVideo": {
		`mutation { movePlaylistVideo(playlistId: "PLAYLIST", videoId: "VIDEO") { video { id } } }`,
		`mutation { movePlaylistVideo(playlistId: "PLAYLIST", videoId: "OTHER", before: "VIDEO") { video { id } } }`,
	},
	"removeEffect":    {`mutation { removeEffect(id: "EFFECT") { video { id } } }`},
	"transcriptReady": {`subscription { transcriptReady(videoId: "VIDEO") { text } }`},
	"trashVideos":     {`mutation { trashVideos(ids: ["VIDEO"]) { deletedIds } }`},
	"updateEffect":    {`mutation { updateEffect(id: "EFFECT", input: {blur: {startTimeMs: 1}}) { video { id } } }`},
	"videoUpdated":    {`subscription { videoUpdated(id: "VIDEO") { id } }`},
}

// aboutOthers are the fields of the graph whose ids are never those of a video or its parts, restoreVideos, and nodes, which
// answers null.
var aboutOthers = []string{
	"endSession", "nodes", "removeMember", "renewInvitation", "restoreVideos", "revokeApiKey", "revokeInvitation", "sourceUpdated",
	"switchWorkspace", "updateMember", "webhookAttempts",
}

// Every field of the graph that takes an id answers not_found about a video in the trash and its parts, also to its
// creator and to the author of a comment.
func TestNoFieldSeesTheTrash(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	doc := rest.Describe(api.BaseURL)
	who := gather(t, s, doc)
	names := map[string]string{"VIDEO": who.video.ID, "CLIP": who.video.Edges.Clips[0].ID, "TAG": who.tag}

	who.creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		other := db.Video.Create().SetUserID(who.creator.UserID).SetName("Other").SetWidth(16).SetHeight(16).
			SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
		list := db.Playlist.Create().SetUserID(who.creator.UserID).SetName("P").SetVisibility(values.VisibilityOrg).SaveX(ctx)
		names["OTHER"], names["PLAYLIST"] = other.ID, list.ID

		for i, id := range []string{who.video.ID, other.ID} {
			db.PlaylistVideo.Create().SetPlaylist(list).SetVideoID(id).SetPosition(i).ExecX(ctx)
		}

		names["EFFECT"] = db.Effect.Create().SetClipID(names["CLIP"]).SetKind(values.EffectKindBlur).SetStartMs(0).SetEndMs(1000).
			SetParams(values.EffectParams{Mask: &values.MaskParams{Dimensions: values.Extent{WidthPct: 10, HeightPct: 10}}}).SaveX(ctx).ID
		names["COMMENT"] = db.Comment.Create().SetVideoID(who.video.ID).SetUserID(who.member.UserID).SetAuthor("A").SetBody("b").SaveX(ctx).ID
		names["EXPORT"] = db.Export.Create().SetVideoID(who.video.ID).SetUserID(who.creator.UserID).SetGranularity(values.GranularityStory).
			SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).
			SetPlan(json.RawMessage(`{}`)).SetPlanHash("").SaveX(ctx).ID
	})

	for _, field := range []string{"node", "comments"} { // they are there
		for _, document := range beyondREST[field] {
			g := s.Ask(t, who.member.Key, replaced(document, names), nil)
			if field != "node" || !strings.Contains(document, "EXPORT") { // which a member may not see
				require.Empty(t, g.Errors, g.Body)
			}
		}
	}

	who.trash(t)

	for _, documents := range beyondREST {
		for _, document := range documents {
			for i, m := range who.everyone() {
				answer := s.Call(t, m.Key, http.MethodPost, "/graphql", asked(t, replaced(document, names)), "Accept", "text/event-stream, application/json")
				require.Contains(t, answer.Body, `"code":"not_found"`, "%s: %s", asking[i], document)
			}
		}
	}

	for i, m := range who.everyone() {
		g := s.Ask(t, m.Key, replaced(`{ nodes(ids: ["VIDEO", "CLIP", "EFFECT", "EXPORT", "COMMENT"]) { id } }`, names), nil)
		require.Equal(t, []any{nil, nil, nil, nil, nil}, g.Data["nodes"], "%s: %s", asking[i], g.Body)
	}

	known := walkedFields(t)

	for _, root := range []*ast.Definition{graph.Schema().Query, graph.Schema().Mutation, graph.Schema().Subscription} {
		for _, field := range root.Fields {
			if slices.ContainsFunc(field.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.Name() == "ID" }) {
				_, told := beyondREST[field.Name]
				require.True(t, told || known[field.Name] || slices.Contains(aboutOthers, field.Name), "%s: what does it say about the trash?", field.Name)
			}
		}
	}
}

// walkedFields returns the fields that the documents of REST's operations use.
func walkedFields(t *testing.T) map[string]bool {
	t.Helper()

	_, sections := operations.Read()
	used := map[string]bool{}

	for _, section := range sections {
		document, err := parser.ParseQuery(&ast.Source{Input: section.Graph.Document})
		require.NoError(t, err)

		for _, operation := range document.Operations {
			for _, selection := range operation.SelectionSet {
				if field, is := selection.(*ast.Field); is {
					used[field.Name] = true
				}
			}
		}
	}

	return used
}

func replaced(document string, names map[string]string) string {
	for name, id := range names {
		document = strings.ReplaceAll(document, `"`+name+`"`, `"`+id+`"`)
	}

	return document
}

func asked(t *testing.T, document string) string {
	t.Helper()

	body, err := json.Marshal(map[string]string{"query": document})
	require.NoError(t, err)

	return string(body)
}

// The trash is told from nothing: a video in it and one that never existed get the same answers.
func TestTheTrashIsToldFromNothing(t *testing.T) {
	t.Parallel()

	now := time.Now()
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	who := gather(t, s, rest.Describe(api.BaseURL))
	nothing := ids.New(ids.Video)

	who.trash(t)

	for _, m := range append(who.everyone(), who.stranger) {
		for _, document := range []string{
			`{ video(id: "ID") { id } }`, `{ node(id: "ID") { id } }`, `mutation { updateVideo(id: "ID", input: {name: "x"}) { video { id } } }`,
			`mutation { trashVideos(ids: ["ID"]) { deletedIds } }`,
		} {
			in, no := s.Ask(t, m.Key, strings.ReplaceAll(document, `"ID"`, `"`+who.video.ID+`"`), nil), s.Ask(t, m.Key, strings.ReplaceAll(document, `"ID"`, `"`+nothing+`"`), nil)
			require.Equal(t, no.Code(), in.Code(), document)
			require.Equal(t, no.Errors[0].Message, in.Errors[0].Message, document)
		}
	}

	for _, m := range []testkit.Member{who.member, who.editor, who.stranger} { // who may not delete it
		for _, document := range []string{
			`mutation { restoreVideos(ids: ["ID"]) { videos { id } } }`, `mutation { deleteVideo(id: "ID") { deletedId } }`,
		} {
			in, no := s.Ask(t, m.Key, strings.ReplaceAll(document, `"ID"`, `"`+who.video.ID+`"`), nil), s.Ask(t, m.Key, strings.ReplaceAll(document, `"ID"`, `"`+nothing+`"`), nil)
			require.Equal(t, "not_found", in.Code(), in.Body)
			require.Equal(t, no.Errors[0].Message, in.Errors[0].Message, document)
		}
	}
}
