package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// An error about an effect names its path in the GraphQL input, whether it is found before or after the clip and its
// sources are loaded.
func TestEffectErrorsNameTheirPath(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	clip := v.Edges.Clips[0].ID

	const (
		add   = `mutation { addEffect(clipId: "CLIP", input: {EFFECT}) { effect { __typename } } }`
		batch = `mutation { applyVideoEdits(videoId: "VIDEO", input: {operations: [EDIT]}) { revision } }`
		zoom  = `zoom: {type: MANUAL_ZOOM, scale: 2, focusPoint: {xPct: 1, yPct: 1}, startTimeMs: 99999, durationMs: 10}`
	)

	in := func(document, name, value string) string {
		return api.Replace(strings.Replace(document, name, value, 1), map[string]string{"VIDEO": v.ID, "CLIP": clip})
	}

	for _, tc := range []struct{ document, fault string }{
		{in(add, "EFFECT", `zoom: {type: MANUAL_ZOOM, scale: 9, startTimeMs: 0, durationMs: 10}`), "zoom.scale must be"},
		{in(add, "EFFECT", zoom), "zoom.startTimeMs must be before the end of the clip"},
		{in(add, "EFFECT", `zoom: {type: TRACKING_ZOOM, scale: 2, startTimeMs: 0, durationMs: 10}`), "zoom.type must be"},
		{in(add, "EFFECT", `soundEffect: {sourceId: "su_x", startTimeMs: 0, durationMs: 10}`), "No such source at soundEffect.sourceId."},
		{in(add, "EFFECT", `layout: {layout: {kind: CAMERA_BUBBLE}, startTimeMs: 0, durationMs: 500}`), "layout.layout.kind must"},
		{in(batch, "EDIT", `{add: {operationId: "a", clipId: "CLIP", effect: {`+zoom+`}}}`), "operations[0].add.effect.zoom.startTimeMs must"},
		{
			in(batch, "EDIT", `{add: {operationId: "a", clipId: "CLIP", effect: {mediaOverlay: {sourceId: "su_x", startTimeMs: 0, durationMs: 10}}}}`),
			"No such source at operations[0].add.effect.mediaOverlay.sourceId",
		},
		{
			in(batch, "EDIT", `{update: {operationId: "a", id: "fx_x", effect: {zoom: {scale: 2}}}}`),
			`No such zoom at operations[0].update.id (operation \"a\").`,
		},
		{in(batch, "EDIT", `{remove: {operationId: "a", id: "fx_x"}}`), `No such effect at operations[0].remove.id`},
	} {
		g := s.Ask(t, owner.Key, tc.document, nil)
		require.Contains(t, g.Body, tc.fault, tc.document)
	}
}
