package graph_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// The captions of a video hold its audible, visible words at playback times, in both formats.
func TestCaptionsOfAVideo(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	sound := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{HasAudio: true})

	ask := func(document string, variables map[string]any) any {
		g := s.Ask(t, owner.Key, document, variables)
		require.Empty(t, g.Errors, g.Body)

		return g.Data
	}

	made := ask(`mutation { createVideo(input: {sourceId: "`+sound.ID+`"}) { video { id clips { nodes { id } } } } }`, nil)
	video := api.Dig(made, "createVideo", "video", "id").(string)
	clip := api.Dig(made, "createVideo", "video", "clips", "nodes").([]any)[0].(map[string]any)["id"].(string)

	captions := func() (vtt, srt any) {
		is := ask(`{ video(id: "`+video+`") { transcript { captions srt: captions(format: SRT) } } }`, nil)

		return api.Dig(is, "video", "transcript", "captions"), api.Dig(is, "video", "transcript", "srt")
	}

	vtt, srt := captions()
	require.Equal(t, []any{"", ""}, []any{vtt, srt}, "before there is a transcript")

	ask(`mutation ($text: String!) { putTranscript(clipId: "`+clip+`", input: {format: VTT, text: $text}) { clip { id } } }`, map[string]any{
		"text": "WEBVTT\n\n00:00.000 --> 00:01.000\none\n\n00:01.000 --> 00:02.000\ntwo\n\n00:03.000 --> 00:04.000\n3 &amp; 4\n",
	})
	ask(`mutation { correctWords(clipId: "`+clip+`", input: {words: [{index: 0, text: "One,"}]}) { clip { id } } }`, nil)
	ask(`mutation { cutClip(id: "`+clip+`", input: {cuts: [{fromMs: 1000, toMs: 2000}]}) { clip { id } } }`, nil)

	vtt, srt = captions()
	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nOne,\n\n"+
		"00:00:02.000 --> 00:00:03.000\n3 <00:00:02.333>&amp; <00:00:02.666>4\n", vtt)
	require.Equal(t, "1\n00:00:00,000 --> 00:00:01,000\nOne,\n\n2\n00:00:02,000 --> 00:00:03,000\n3 & 4\n", srt)

	const last = `mutation { putTranscript(clipId: %q, input: {format: VTT, text: "WEBVTT\n\n00:03.000 --> 00:09.999\nnow the end"}) { clip { id } } }`

	put := func() any {
		ask(fmt.Sprintf(last, clip), nil)

		return api.Dig(ask(`{ video(id: "`+video+`") { revision } }`, nil), "video", "revision")
	}

	revision := put()
	require.Equal(t, revision, put(), "repeating the request changes nothing")

	ask(`mutation { correctWords(clipId: "`+clip+`", input: {words: [{index: 0, hidden: true}, {index: 2, text: "END."}]}) { clip { id } } }`, nil)
	ask(`mutation { duplicateClip(id: "`+clip+`") { clip { id } } }`, nil)

	_, srt = captions()
	require.Equal(t, 2, strings.Count(srt.(string), "\nthe END.\n"), "each clip has its own first caption: %s", srt)

	ask(`mutation { startExport(videoId: "`+video+`", input: {subtitles: true}) { export { id } } }`, nil)

	system := auth.AsSystem(t.Context())
	order := s.Store.Client(system).Export.Query().OnlyX(system)

	var plan plan.ExportPlan

	require.NoError(t, json.Unmarshal(order.Plan, &plan))
	require.Len(t, plan.Look.Clips, 2)

	for _, look := range plan.Look.Clips {
		require.Equal(t, values.SpokenWords{
			{Text: "the", StartMs: 5333, EndMs: 7666, Cue: 1}, {Text: "END.", StartMs: 7666, EndMs: 9999, Cue: 1},
		}, look.Words, "burned-in captions are corrected, too")
	}
}
