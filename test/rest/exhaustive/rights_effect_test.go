package exhaustive_test

import (
	"fmt"
	"strings"
)

// effectAsks returns the operations on effects. All of them edit or read the video.
func effectAsks() []ask {
	const (
		ofClip = "/v1/videos/$VIDEO/clips/$CLIP/"
		inClip = `clipId: "$CLIP"`
		base   = `{layout: {layout: {kind: MIDDLE}}}`
	)

	all := []ask{
		{
			name: "addLayout", method: "POST", target: ofClip + "layouts", body: `{"layout":{"kind":"middle"}}`,
			graph: `mutation { addEffect(` + inClip + `, input: ` + base + `) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "updateLayout", method: "PATCH", target: ofClip + "layouts/base", body: `{"layout":{"kind":"fullscreen"}}`,
			graph: `mutation { updateEffect(id: "$BASE", input: ` + base + `) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "removeLayout", method: "DELETE", target: ofClip + "layouts/base",
			graph: `mutation { removeEffect(id: "$BASE") { deletedId } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "addOverlay of another's", method: "POST", target: ofClip + "overlays", body: `{"sourceId":"$SOURCE","startTimeMs":0,"durationMs":1}`,
			graph: `mutation { addEffect(` + inClip + `, input: {mediaOverlay: {sourceId: "$SOURCE", startTimeMs: 0, durationMs: 1}}) { effect { __typename } } }`,
			alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "autoLayouts", method: "POST", target: ofClip + "layouts/auto",
			graph: `mutation { autoLayouts(` + inClip + `) { editingStyle } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "applyVideoEdits", method: "POST", target: "/v1/videos/$VIDEO/edits",
			body:  `{"operations":[{"type":"remove_layout","operationId":"a","clipId":"$CLIP","layoutId":"base"}]}`,
			graph: `mutation { applyVideoEdits(videoId: "$VIDEO", input: {operations: [{remove: {operationId: "a", id: "$BASE"}}]}) { revision } }`,
			alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "getTimeline", method: "GET", target: "/v1/videos/$VIDEO/timeline",
			graph: `{ video(id: "$VIDEO") { timeline { revision } } }`, alone: true, exists: actor.reads,
		},
		{
			name: "listTextPresets", method: "GET", target: "/v1/text-presets",
			graph: `{ textPresets { presetId } fontFamilies { name weight { max } } }`, alone: true,
		},
	}

	for plural, kind := range map[string]string{
		"layouts": "LAYOUT", "zooms": "ZOOM", "blurs": "BLUR", "highlights": "HIGHLIGHT", "overlays": "MEDIA_OVERLAY",
		"text-overlays": "TEXT_OVERLAY", "sound-effects": "SOUND_EFFECT",
	} {
		all = append(all, ask{
			name: "list " + plural, method: "GET", target: ofClip + plural, alone: true, exists: actor.reads,
			graph: fmt.Sprintf(`{ clip(id: "$CLIP") { effects(kinds: [%s]) { nodes { __typename } } } }`, kind),
		})
	}

	for singular, input := range map[string]string{
		"blur": `{"startTimeMs":0,"durationMs":1,"point":{"xPct":0,"yPct":0},"dimensions":{"widthPct":1,"heightPct":1}}`,
		"zoom": `{"type":"manualZoom","startTimeMs":0,"durationMs":1,"scale":1,"focusPoint":{"xPct":0,"yPct":0}}`,
	} {
		graph := strings.NewReplacer(`"manualZoom"`, "MANUAL_ZOOM", `"`, "").Replace(input)
		all = append(all, ask{
			name: "add " + singular, method: "POST", target: ofClip + singular + "s", body: input, alone: true, exists: actor.reads, may: actor.edits,
			graph: fmt.Sprintf(`mutation { addEffect(`+inClip+`, input: {%s: %s}) { effect { ... on Node { id } } } }`, singular, graph),
		})
	}

	return all
}
