package graph_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A variable's value must have its type, like a literal. Values are not converted.
func TestVariablesHaveTheirTypes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{}).ID
	update := `mutation ($v: UpdateVideoInput!) { updateVideo(id: "` + video + `", input: $v) { video { name } } }`
	list := `query ($v: Int!) { videos(first: $v) { nodes { id } } }`
	shown := `query ($v: Boolean!) { viewer { role @include(if: $v) } }`
	scope := `query ($v: AnalyticsScope!) { workspaceAnalytics(scope: $v) { summary { pageOpens } } }`
	effect := `mutation ($v: AddEffectInput!) { addEffect(clipId: "x", input: $v) { effect { __typename } } }`
	oneOf := "variables.v must have exactly one of layout, zoom, blur, highlight, mediaOverlay, textOverlay, soundEffect, and a value for it."
	tagged := `query ($v: [ID!]) { videos(tagIds: $v) { nodes { id } } }`

	for _, tc := range []struct{ document, value, fault string }{
		{update, `{}`, "input must have at least one field."},
		{update, `{"name": null, "password": null}`, "input must have at least one field."},
		{update, `{"name": 5}`, "variables.v.name must be a string."},
		{update, `{"name": ["a"]}`, "variables.v.name must be a string."},
		{update, `{"name": {"a": 1}}`, "variables.v.name must be a string."},
		{update, `{"allowedEmbedDomains": ["a.example", 5]}`, "variables.v.allowedEmbedDomains[1] must be a string."},
		{update, `{"defaultPlaybackRate": "1"}`, "variables.v.defaultPlaybackRate must be a number."},
		{update, `{"commentsEnabled": 1}`, "variables.v.commentsEnabled must be true or false."},
		{update, `{"linkScope": "public"}`, "variables.v.linkScope public is not a valid LinkScope. It is one of PUBLIC, PRIVATE, PASSWORD, EMBEDONLY."},
		{update, `{"nam": "a"}`, "variables.v.nam is not a field of UpdateVideoInput. Did you mean name?"},
		{update, `{"` + strings.Repeat("name", 5000) + `": 1}`, "variables.v has a field with a very long name, which UpdateVideoInput does not have."},
		{update, `{"__typename": "UpdateVideoInput", "name": "Named"}`, ""},
		{update, `{"zzz": 1, "yyy": 1}`, "variables.v.yyy is not a field of UpdateVideoInput."},
		{update, `{"nam": "a"}`, `"locations":[{"line":1,"column":11}]`},
		{update, `5`, "variables.v must be an object."},
		{list, `"2"`, "variables.v must be an integer of 32 bits."},
		{list, `2.5`, "variables.v must be an integer of 32 bits."},
		{list, `1e12`, "variables.v must be an integer of 32 bits."},
		{shown, `"true"`, "variables.v must be true or false."},
		{shown, `null`, "variables.v cannot be null."},
		{scope, `"mine"`, "variables.v mine is not a valid AnalyticsScope. It is one of WORKSPACE, MINE."},
		{scope, `1`, "variables.v must be one of WORKSPACE, MINE."},
		{update, `{"name": "\ud83d"}`, "The request must not contain half of a surrogate pair."},
		{update, `{"name": "\ud83d\u0041"}`, "The request must not contain half of a surrogate pair."},
		{update, `{"name": "\ude00\ud83d"}`, "The request must not contain half of a surrogate pair."},
		{strings.Replace(update, "input: $v", `input: {name: "\ud83d"}`, 1), `{}`, "The request must not contain half of a surrogate pair."},
		{effect, `{}`, oneOf},
		{effect, `{"zoom": null}`, oneOf},
		{effect, `{"zoom": {"scale": 9}, "blur": null}`, "variables.v.zoom.type must be defined."},
		{effect, `{"zoom": {"scale": 9}, "textOverlay": {"text": "x"}}`, oneOf},
		{tagged, `[true]`, "variables.v[0] must be a string."},
		{update, `{"name": "Named", "customThumbnailURL": null, "allowedEmbedDomains": "a.example", "defaultPlaybackRate": 1}`, ""},
		{update, `{"name": "\ud83d\ude00 \\ud83d"}`, ""},
		{list, `2.0`, ""},
		{list, `1e1`, ""},
		{shown, `true`, ""},
		{scope, `"MINE"`, ""},
		{tagged, `null`, ""},
	} {
		g := s.Ask(t, owner.Key, tc.document, map[string]any{"v": json.RawMessage(tc.value)})
		if tc.fault == "" {
			require.Empty(t, g.Errors, g.Body)

			continue
		}

		require.Equal(t, "bad_request", g.Code(), "%s: %s", tc.value, g.Body)
		require.Contains(t, g.Body, tc.fault)
	}

	require.Equal(t, "bad_request", s.Ask(t, owner.Key, shown, nil).Code())
}
