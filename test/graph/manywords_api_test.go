package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

func cueOf(words int) string {
	return "WEBVTT\n\n00:00.000 --> 00:10.000\n" + strings.Repeat("w ", words) + "\n"
}

// A video has at most 100,000 words in all its clips, and one document reads at most 250,000 words of several videos.
func TestManyWordsAreRefused(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	source := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{}).ID

	added := s.Ask(t, owner.Key, `mutation { addClip(videoId: "`+video.ID+`", input: {sourceId: "`+source+`"}) { clip { id } } }`, nil)
	require.Empty(t, added.Errors, added.Body)

	first, second := video.Edges.Clips[0].ID, api.Dig(added.Data, "addClip", "clip", "id").(string)
	put := func(clip string, words int) api.Answer {
		t.Helper()

		return s.Call(t, owner.Key, http.MethodPut, "/v1/videos/"+video.ID+"/clips/"+clip+"/transcript", cueOf(words), "Content-Type", "text/vtt")
	}

	a := put(first, 60_000)
	require.Equal(t, http.StatusOK, a.Status)

	a = put(second, 60_000)
	require.Equal(t, http.StatusConflict, a.Status)
	require.Contains(t, a.Body, "120000 words together; at most 100000")

	a = put(second, 40_000)
	require.Equal(t, http.StatusOK, a.Status)

	a = s.Call(t, owner.Key, http.MethodPost, "/v1/videos/"+video.ID+"/clips/"+second+"/duplicate", "{}")
	require.Equal(t, http.StatusConflict, a.Status, a.Body)

	for range 2 {
		g := s.Ask(t, owner.Key, `mutation { duplicateVideo(id: "`+video.ID+`") { video { id } } }`, nil)
		require.Empty(t, g.Errors, g.Body)
	}

	ask := func(first int) api.Graph {
		t.Helper()

		return s.Ask(t, owner.Key, fmt.Sprintf(`{ videos(first: %d) { nodes { transcript { text } } } }`, first), nil)
	}

	two, three := ask(2), ask(3)
	require.Empty(t, two.Errors)
	require.Contains(t, three.Body, "would read 300000 transcript words; at most 250000")
}

// Every list of a clip's words in a document has the same content as when requested alone.
func TestManyListsOfWordsEqualSingleOnes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	clip := video.Edges.Clips[0].ID

	a := s.Call(t, owner.Key, http.MethodPut, "/v1/videos/"+video.ID+"/clips/"+clip+"/transcript",
		strings.Replace(cueOf(100), "w ", "one ", 50), "Content-Type", "text/vtt")
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	a = s.Call(t, owner.Key, http.MethodPost, "/v1/videos/"+video.ID+"/clips/"+clip+"/cut", `{"fromMs":350,"toMs":2750}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	const fields = ` { totalCount pageInfo { hasNextPage endCursor } nodes { index text startTimeMs endTimeMs cut hidden } }`

	var lists []string

	for i := range 12 {
		of := []string{"ALL", "HEARD", "RECORDED"}[i%3]
		lists = append(lists, fmt.Sprintf("l%d: words(of: %s, first: %d, after: $after)", i, of, 3*i+1))
	}

	alone := func(list string, after any) any {
		t.Helper()

		g := s.Ask(t, owner.Key, `query($after: String) { clip(id: "`+clip+`") { `+list+fields+` } }`, map[string]any{"after": after})
		require.Empty(t, g.Errors, g.Body)

		name, _, _ := strings.Cut(list, ":")

		return api.Dig(g.Data, "clip", name)
	}

	whole := s.Ask(t, owner.Key, `query($after: String) { clip(id: "`+clip+`") { `+strings.Join(lists, fields+" ")+fields+` } }`, map[string]any{"after": nil})
	require.Empty(t, whole.Errors, whole.Body)

	for i, list := range lists {
		name, _, _ := strings.Cut(list, ":")
		want, got := alone(list, nil).(map[string]any), api.Dig(whole.Data, "clip", name).(map[string]any)

		for _, of := range []map[string]any{want, got} { // cursors differ each time
			delete(of["pageInfo"].(map[string]any), "endCursor")
		}

		require.Equal(t, want, got, i)
	}
}
