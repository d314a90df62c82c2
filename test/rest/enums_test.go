package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Every accepted enum value is returned as written, and no other is accepted.
func TestEnumsRoundTrip(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	video := "/v1/videos/" + v.ID
	clip := video + "/clips/" + v.Edges.Clips[0].ID
	borders := slices.DeleteFunc(values.BorderStyle("").Values(), func(style string) bool { return style == "custom" })

	for _, e := range []struct {
		path   string
		field  string
		answer []string
		values []string
	}{
		{video, "linkScope", []string{"video", "settings", "linkScope"}, values.LinkScope("").Values()},
		{video, "visibility", []string{"video", "editing", "visibility"}, values.Visibility("").Values()},
		{video, "borderStyle", []string{"video", "editing", "borderStyle"}, borders},
		{video, "corners", []string{"video", "editing", "corners"}, values.Corners("").Values()},
		{video, "clipTransition", []string{"video", "editing", "clipTransition"}, values.VideoTransition("").Values()},
		{clip, "borderStyle", []string{"clip", "borderStyle"}, borders},
		{clip, "corners", []string{"clip", "corners"}, values.Corners("").Values()},
		{clip, "transition", []string{"clip", "transition"}, values.ClipTransition("").Values()},
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
		"fps": values.FPS("").Values(), "resolution": values.Resolution("").Values(), "speed": values.Speed("").Values(),
		"granularity": {"story", "scenes"},
	} {
		for _, value := range values {
			a := s.Call(t, m.Key, http.MethodPost, video+"/exports", fmt.Sprintf(`{%q:%q}`, field, value))
			require.Equal(t, value, at(t, a.Body, []string{"export", field}), a.Body)
		}
	}
}

// at returns a property of a body.
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

// enumsOfTheGraph returns the wire values of every enum of the graph.
func enumsOfTheGraph() map[string][]string {
	all := map[string][]string{
		// Only in the graph.
		"CustomThumbnailStatus": namesOf(model.AllCustomThumbnailStatus),
		"FindingState":          namesOf(model.AllFindingState), "SortDirection": namesOf(model.AllSortDirection),
		"SubtitleFormat": namesOf(model.AllSubtitleFormat), "ThumbnailKind": namesOf(model.AllThumbnailKind),
		"VideoSortField": namesOf(model.AllVideoSortField), "WordSet": namesOf(model.AllWordSet),
		"Role": auth.Role("").Values(), "Plan": auth.Plan("").Values(),
	}

	for _, e := range []interface{ Values() []string }{
		values.ActivityKind(""), values.AnalyticsScope(""), values.AttemptError(""), values.AttemptStatus(""), values.BackgroundType(""), values.BorderStyle(""),
		values.CameraShape(""), values.CaptionStyleName(""), values.ClipTransition(""), values.CollaboratorRole(""), values.Corners(""), values.DemoStatus(""),
		values.EditingStyle(""), values.EffectKind(""), values.EventType(""), values.ExportStatus(""), values.FPS(""), values.Granularity(""),
		values.LayoutKind(""), values.LayoutPosition(""), values.LayoutSceneType(""), values.LayoutSize(""), values.LayoutStyle(""),
		values.LayoutTransition(""), values.LibraryScope(""), values.LibraryType(""), values.LinkScope(""), values.MaskType(""),
		values.MediaType(""), values.MouseEventType(""), values.Resolution(""), values.ScreenFit(""), values.SearchIn(""),
		values.SilenceMode(""), values.SourceAudio(""), values.SourceKind(""), values.SourceRole(""), values.SourceStatus(""),
		values.Speed(""), values.StillFormat(""), values.TagScope(""), values.TextAlign(""), values.TextBackgroundShape(""),
		values.TrackMedium(""), values.TranscriptStatus(""), values.VideoTransition(""), values.Visibility(""), values.ZoomIntensity(""), values.ZoomType(""),
	} {
		all[strings.Replace(reflect.TypeOf(e).Name(), "FPS", "ExportFPS", 1)] = e.Values()
	}

	return all
}

// namesOf returns the names of the values of an enum.
func namesOf[E fmt.Stringer](all []E) (names []string) {
	for _, value := range all {
		names = append(names, value.String())
	}

	return names
}

// Every enum of the graph has exactly the values of REST, in the graph's spelling.
func TestEnumsOfTheGraph(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	var said struct {
		Data struct {
			Schema struct {
				Types []struct {
					Name, Kind string
					EnumValues []struct{ Name string }
				}
			} `json:"__schema"`
		}
	}

	g := s.Ask(t, m.Key, `{ __schema { types { name kind enumValues(includeDeprecated: true) { name } } } }`, nil)
	require.NoError(t, json.Unmarshal([]byte(g.Body), &said), g.Body)

	spelled, wanted := map[string][]string{}, map[string][]string{}

	for _, kind := range said.Data.Schema.Types {
		if kind.Kind != "ENUM" || strings.HasPrefix(kind.Name, "__") {
			continue
		}

		for _, value := range kind.EnumValues {
			spelled[kind.Name] = append(spelled[kind.Name], value.Name)
		}

		slices.Sort(spelled[kind.Name])
	}

	for name, values := range enumsOfTheGraph() {
		for _, value := range values {
			if name == "ExportFPS" {
				value = "FPS_" + value
			}

			wanted[name] = append(wanted[name], shout(value))
		}

		slices.Sort(wanted[name])
	}

	require.NotEmpty(t, spelled)
	require.Equal(t, wanted, spelled)
}
