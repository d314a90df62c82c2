package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// based maps each mutation that can raise a video's revision to arguments with which it does. VIDEO, CLIP, OTHER, FXID
// (a zoom) and BASE stand for ids.
var based = map[string]string{
	"addClip":               `videoId: "VIDEO", input: {sourceId: "SOURCE"}`,
	"addEffect":             `clipId: "CLIP", input: {zoom: {type: MANUAL_ZOOM, scale: 2, focusPoint: {xPct: 1, yPct: 1}, startTimeMs: 3000, durationMs: 500}}`,
	"applySubtitlePreset":   `videoId: "VIDEO", presetId: "light"`,
	"applyVideoEdits":       `videoId: "VIDEO", input: {operations: [{remove: {operationId: "a", id: "FXID"}}, {update: {operationId: "b", id: "BASE", effect: {layout: {layout: {kind: MIDDLE}}}}}]}`,
	"autoCrop":              `clipId: "CLIP"`,
	"autoLayouts":           `clipId: "CLIP", input: {style: TUTORIAL_ROUND}`,
	"autoZooms":             `clipId: "CLIP"`,
	"correctWords":          `clipId: "CLIP", input: {words: [{index: 0, text: "Um"}]}`,
	"cutClip":               `id: "CLIP", input: {cuts: [{fromMs: 100, toMs: 200}]}`,
	"cutClipByTranscript":   `id: "CLIP", input: {wordRanges: [{fromWordIndex: 1, toWordIndex: 1}]}`,
	"deleteClip":            `id: "OTHER"`,
	"duplicateClip":         `id: "CLIP"`,
	"putTranscript":         `clipId: "CLIP", input: {format: VTT, text: "WEBVTT\n\n00:01.000 --> 00:02.000\nnew words"}`,
	"removeBackgroundMusic": `videoId: "VIDEO"`,
	"removeEffect":          `id: "FXID"`,
	"removeFillers":         `clipId: "CLIP"`,
	"removeSilences":        `clipId: "CLIP"`,
	"reorderClip":           `id: "CLIP", input: {order: 1}`,
	"replaceChapters":       `videoId: "VIDEO", input: {chapters: [{timestampSeconds: 1, title: "One"}]}`,
	"setBackgroundMusic":    `videoId: "VIDEO", input: {sourceId: "SOUND"}`,
	"setThumbnail":          `videoId: "VIDEO", input: {atMs: 500}`,
	"updateClip":            `id: "CLIP", input: {name: "Renamed"}`,
	"updateEffect":          `id: "FXID", input: {zoom: {scale: 3}}`,
	"updateVideo":           `id: "VIDEO", input: {name: "Renamed"}`,
}

// unbuilt are mutations that only a worker can finish, or that find nothing to do in this video.
var unbuilt = map[string]bool{"autoCrop": true, "autoLayouts": true, "autoZooms": true, "removeSilences": true, "removeBackgroundMusic": true}

// Every mutation that can raise a video's revision takes baseRevision. With a different revision it is refused and
// changes nothing; with the current one it succeeds and raises the revision by one.
func TestEveryEditChecksBaseRevision(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for _, f := range graph.Schema().Mutation.Fields {
		_, listed := based[f.Name]
		require.Equal(t, f.Arguments.ForName("baseRevision") != nil, listed, "%s: add arguments to based with which it raises a revision", f.Name)
	}

	for name, arguments := range based {
		values := edited(t, s, m)
		revision := func() int {
			g := s.Ask(t, m.Key, api.Replace(`{ video(id: "VIDEO") { revision } }`, values), nil)

			return int(api.Dig(g.Data, "video", "revision").(float64))
		}
		ask := func(base string) api.Graph {
			return s.Ask(t, m.Key, api.Replace(fmt.Sprintf(`mutation { %s(%s, baseRevision: %s) { __typename } }`, name, arguments, base), values), nil)
		}
		was := revision()

		for _, stale := range []int{was - 1, was + 1} {
			g := ask(fmt.Sprint(stale))
			require.Equal(t, "edit_conflict", g.Code(), "%s: %s", name, g.Body)
			require.Equal(t, was, revision(), name)
		}

		if unbuilt[name] {
			continue
		}

		g := ask(fmt.Sprint(was))
		require.Empty(t, g.Errors, "%s: %s", name, g.Body)
		require.Equal(t, was+1, revision(), name)

		g = ask("null")
		require.NotEqual(t, "edit_conflict", g.Code(), "%s: %s", name, g.Body)
	}
}

// edited creates a video with two clips, words and a zoom, and returns their ids.
func edited(t *testing.T, s *api.Server, m testkit.Member) map[string]string {
	t.Helper()

	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	c := v.Edges.Clips[0]
	values := map[string]string{
		"VIDEO": v.ID, "CLIP": c.ID, "BASE": "fx" + strings.TrimPrefix(c.ID, "cl"),
		"SOURCE": testkit.NewSource(t, s.Store, m, testkit.SourceOpts{}).ID,
		"SOUND":  testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true}).ID,
	}

	put := s.Ask(t, m.Key, api.Replace(`mutation {
		putTranscript(clipId: "CLIP", input: {format: VTT, text: "WEBVTT\n\n00:01.000 --> 00:02.000\num well yes"}) { video { revision } }
		addEffect(clipId: "CLIP", input: {zoom: {type: MANUAL_ZOOM, scale: 2, focusPoint: {xPct: 1, yPct: 1}, startTimeMs: 500, durationMs: 500}}) { effect { ... on Zoom { id } } }
		duplicateClip(id: "CLIP") { clip { id } }
	}`, values), nil)
	require.Empty(t, put.Errors, put.Body)

	values["FXID"] = api.Dig(put.Data, "addEffect", "effect", "id").(string)
	values["OTHER"] = api.Dig(put.Data, "duplicateClip", "clip", "id").(string)

	return values
}

// Parts of a video are identified by their id alone. An id is found in any video that the caller can read, and nowhere
// else.
func TestIDsAloneIdentify(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m, stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{}), testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	reader := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	values := edited(t, s, m)

	for document, noun := range map[string]string{
		`{ clip(id: "CLIP") { id } }`: "clip",
		`mutation { updateClip(id: "CLIP", input: {name: "x"}) { clip { id } } }`:          "clip",
		`mutation { removeEffect(id: "FXID") { deletedId } }`:                              "effect",
		`mutation { removeEffect(id: "BASE") { deletedId } }`:                              "effect",
		`mutation { updateEffect(id: "FXID", input: {zoom: {scale: 3}}) { clip { id } } }`: "effect",
		`mutation { updateEffect(id: "base", input: {zoom: {scale: 3}}) { clip { id } } }`: "effect",
		`mutation { removeEffect(id: "CLIP") { deletedId } }`:                              "effect",
		`mutation { addEffect(clipId: "FXID", input: {zoom: {type: MANUAL_ZOOM, scale: 2, focusPoint: {xPct: 1, yPct: 1}, startTimeMs: 0, durationMs: 1}}) { clip { id } } }`: "clip",
	} {
		g := s.Ask(t, stranger.Key, api.Replace(document, values), nil)
		require.Equal(t, "not_found", g.Code(), "%s: %s", document, g.Body)
		require.Contains(t, g.Body, "No such "+noun+".", document)
	}

	for document, code := range map[string]string{
		`{ clip(id: "CLIP") { id } }`: "",
		`mutation { updateClip(id: "CLIP", input: {name: "x"}) { clip { id } } }`: "forbidden",
		`mutation { removeEffect(id: "FXID") { deletedId } }`:                     "forbidden",
		`mutation { removeEffect(id: "BASE") { deletedId } }`:                     "forbidden",
		`mutation { updateClip(id: "CLIP", input: {name: ""}) { clip { id } } }`:  "bad_request",
	} {
		require.Equal(t, code, s.Ask(t, reader.Key, api.Replace(document, values), nil).Code(), document)
	}

	kind := s.Ask(t, m.Key, api.Replace(`mutation { updateEffect(id: "FXID", input: {blur: {intensity: 1}}) { clip { id } } }`, values), nil)
	require.Equal(t, "not_found", kind.Code(), "a zoom is not a blur")

	shaped := s.Ask(t, m.Key, api.Replace(`mutation {
		updateEffect(id: "BASE", input: {layout: {layout: {kind: MIDDLE}}}) { clip { baseLayout { id layout { kind } } } } }`, values), nil)
	require.Empty(t, shaped.Errors, shaped.Body)
	require.Equal(t, "MIDDLE", api.Dig(shaped.Data, "updateEffect", "clip", "baseLayout", "layout", "kind"))
	require.Equal(t, values["BASE"], api.Dig(shaped.Data, "updateEffect", "clip", "baseLayout", "id"))
}
