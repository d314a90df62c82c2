package graph_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// The language of a video's transcript is that of its first clip with words. Files without words do not change it.
func TestWordsHaveALanguage(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	source := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{}).ID

	added := s.Ask(t, owner.Key, `mutation { addClip(videoId: "`+video.ID+`", input: {sourceId: "`+source+`"}) { clip { id } } }`, nil)
	require.Empty(t, added.Errors, added.Body)

	first, second := video.Edges.Clips[0].ID, api.Dig(added.Data, "addClip", "clip", "id").(string)
	put := func(clip, query, cues string) string {
		t.Helper()

		a := s.Call(t, owner.Key, http.MethodPut, "/v1/videos/"+video.ID+"/clips/"+clip+"/transcript"+query, "WEBVTT\n\n"+cues, "Content-Type", "text/vtt")
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		g := s.Ask(t, owner.Key, `{ video(id: "`+video.ID+`") { transcript { status language } } }`, nil)
		require.Equal(t, "READY", api.Dig(g.Data, "video", "transcript", "status"), g.Body)

		return api.Dig(g.Data, "video", "transcript", "language").(string)
	}

	const cue = "00:01.000 --> 00:02.000\nwell\n"

	require.Equal(t, "en", put(second, "?language=en", cue))
	require.Equal(t, "en", put(first, "?language=de", "00:01.000 --> 00:02.000\n<b></b>\n"), "cues without words")
	require.Equal(t, "de", put(first, "?language=de", cue))
	require.Equal(t, "und", put(first, "", cue))

	const silent = "00:01.000 --> 00:02.000\n"

	require.Equal(t, "en", put(first, "", silent))
	require.Empty(t, put(second, "", silent))
}
