package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
)

// Every value that may be written is answered as it was written, and nothing else is accepted.
func TestEnumsRoundTrip(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	video := "/v1/videos/" + v.ID
	clip := video + "/clips/" + v.Edges.Clips[0].ID
	borders := slices.DeleteFunc(domain.BorderStyle("").Values(), func(style string) bool { return style == "custom" })

	for _, e := range []struct {
		path   string
		field  string
		answer []string
		values []string
	}{
		{video, "linkScope", []string{"video", "settings", "linkScope"}, domain.LinkScope("").Values()},
		{video, "visibility", []string{"video", "editing", "visibility"}, domain.Visibility("").Values()},
		{video, "borderStyle", []string{"video", "editing", "borderStyle"}, borders},
		{video, "corners", []string{"video", "editing", "corners"}, domain.Corners("").Values()},
		{video, "clipTransition", []string{"video", "editing", "clipTransition"}, domain.VideoTransition("").Values()},
		{clip, "borderStyle", []string{"clip", "borderStyle"}, borders},
		{clip, "corners", []string{"clip", "corners"}, domain.Corners("").Values()},
		{clip, "transition", []string{"clip", "transition"}, domain.ClipTransition("").Values()},
	} {
		for _, value := range e.values {
			body := fmt.Sprintf(`{%q:%q}`, e.field, value)
			if value == "password" {
				body = `{"linkScope":"password","password":"x"}`
			}

			a := s.Call(t, m.Key, http.MethodPatch, e.path, body)
			require.Equal(t, http.StatusOK, a.Status, a.Body)
			require.Equal(t, value, at(t, a.Body, e.answer), a.Body)
			require.Equal(t, value, at(t, s.Call(t, m.Key, http.MethodGet, e.path, "").Body, e.answer))
		}

		for _, wrong := range []string{`"custom"`, `"PUBLIC"`, `""`, `"none "`, "1", "true", "{}"} {
			a := s.Call(t, m.Key, http.MethodPatch, e.path, fmt.Sprintf(`{%q:%s}`, e.field, wrong))
			require.Equal(t, http.StatusBadRequest, a.Status, "%s %s", e.field, wrong)
			require.Contains(t, a.Body, `"message":"`+e.field+" must ", "%s %s", e.field, wrong)
		}
	}

	for field, values := range map[string][]string{
		"fps": domain.FPS("").Values(), "resolution": domain.Resolution("").Values(), "speed": domain.Speed("").Values(),
		"granularity": {"story", "scenes"},
	} {
		for _, value := range values {
			a := s.Call(t, m.Key, http.MethodPost, video+"/exports", fmt.Sprintf(`{%q:%q}`, field, value))
			require.Equal(t, value, at(t, a.Body, []string{"export", field}), a.Body)
		}
	}
}

// at is a property of a body.
func at(t *testing.T, body string, path []string) any {
	t.Helper()

	var value any

	require.NoError(t, json.Unmarshal([]byte(body), &value), body)

	for _, name := range path {
		object, isObject := value.(map[string]any)
		require.True(t, isObject, body)

		value = object[name]
	}

	return value
}
