package rest_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Every text is limited to 5,000 characters. Characters are code points after NFC, not bytes.
func TestTextsHaveAnEnd(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	clip := v.Edges.Clips[0].ID
	target := "/v1/videos/" + v.ID + "/clips/" + clip + "/text-overlays"

	const span = `,"startTimeMs":0,"durationMs":500`

	made := s.Call(t, m.Key, http.MethodPost, target, `{"text":"a"`+span+`}`)
	require.Equal(t, http.StatusOK, made.Status, made.Body)

	id := regexp.MustCompile(`"id":"(fx_[^"]+)"`).FindStringSubmatch(made.Body)[1]
	variables := map[string]any{"video": v.ID, "clip": clip, "id": id}

	for name, write := range map[string]func(text string) (accepted bool, answer string){
		"add": func(text string) (bool, string) {
			a := s.Call(t, m.Key, http.MethodPost, target, `{"text":"`+text+`"`+span+`}`)

			return a.Status == http.StatusOK, a.Body
		},
		"update": func(text string) (bool, string) {
			a := s.Call(t, m.Key, http.MethodPatch, target+"/"+id, `{"text":"`+text+`"}`)

			return a.Status == http.StatusOK, a.Body
		},
		"batch add": func(text string) (bool, string) {
			a := s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+v.ID+"/edits",
				`{"operations":[{"type":"add_text_overlay","operationId":"one","clipId":"`+clip+`","text":"`+text+`"`+span+`}]}`)

			return a.Status == http.StatusOK, a.Body
		},
		"batch update": func(text string) (bool, string) {
			a := s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+v.ID+"/edits",
				`{"operations":[{"type":"update_text_overlay","operationId":"one","clipId":"`+clip+`","textOverlayId":"`+id+`","text":"`+text+`"}]}`)

			return a.Status == http.StatusOK, a.Body
		},
		"graph add": func(text string) (bool, string) {
			variables["text"] = text
			a := s.Ask(t, m.Key, `mutation($clip: ID!, $text: String!) { addEffect(clipId: $clip, input: {
				textOverlay: {text: $text, startTimeMs: 0, durationMs: 500}}) { effect { __typename } } }`, variables)

			return !strings.Contains(a.Body, `"errors"`), a.Body
		},
		"graph update": func(text string) (bool, string) {
			variables["text"] = text
			a := s.Ask(t, m.Key, `mutation($id: ID!, $text: String!) { updateEffect(
				id: $id, input: {textOverlay: {text: $text}}) { effect { __typename } } }`, variables)

			return !strings.Contains(a.Body, `"errors"`), a.Body
		},
	} {
		for _, letter := range []string{"A", "画", "e\u0301"} {
			accepted, answer := write(strings.Repeat(letter, 5000))
			require.True(t, accepted, "%s: %.300s", name, answer)
		}

		for text, letters := range map[string]int{"A": 5001, "画": 5001, "\U0001F1E9\U0001F1EA": 2501, "q\u0301": 2501} {
			accepted, answer := write(strings.Repeat(text, letters))
			require.False(t, accepted, name)
			require.Contains(t, answer, "text must have 1 to 5000 characters", "%s: %.300s", name, answer)
		}
	}
}
