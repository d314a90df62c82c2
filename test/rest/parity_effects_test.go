package rest_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// REST and the graph return the same effects of every family, singly and in the timeline.
func TestParityOfEffects(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	picture := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindImage})
	sound := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	c := v.Edges.Clips[0]
	video := "/v1/videos/" + v.ID
	clip := video + "/clips/" + c.ID
	span := `"startTimeMs":1000,"durationMs":2000`
	box := `,"point":{"xPct":10,"yPct":20.5},"dimensions":{"widthPct":30,"heightPct":40}`

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Clip.UpdateOne(c).SetTranscriptStatus(values.TranscriptStatusReady).ExecX(ctx)

		testkit.Words(ctx, db, c, transcripts.Word{Text: "BASE", EndMs: 400}, transcripts.Word{Text: "<&>", StartMs: 500, EndMs: 900})
	})

	for _, made := range [][2]string{
		{"layouts", `{"layout":{"kind":"fullscreen"},` + span + `}`},
		{"layouts", `{"media":{"type":"image","sourceId":"` + picture.ID + `"},"startTimeMs":4000,"durationMs":500}`},
		{"zooms", `{"type":"manualZoom","scale":2.5,"focusPoint":{"xPct":1,"yPct":2},` + span + `}`},
		{"blurs", `{` + span + box + `}`},
		{"highlights", `{"intensity":0.25,` + span + box + `}`},
		{"overlays", `{"sourceId":"` + picture.ID + `",` + span + `}`},
		{"text-overlays", `{"text":"BLUR <&> \u2028",` + span + `}`},
		{"sound-effects", `{"sourceId":"` + sound.ID + `",` + span + `}`},
		{"cut", `{"fromMs":6000,"toMs":6500}`},
	} {
		a := s.Call(t, m.Key, http.MethodPost, clip+"/"+made[0], made[1])
		require.Equal(t, http.StatusOK, a.Status, "%s %s", made[0], a.Body)
	}

	named := map[string]any{"videoId": v.ID, "id": c.ID}
	for operation, path := range map[string]string{
		"listLayouts": "layouts", "listZooms": "zooms", "listBlurs": "blurs", "listHighlights": "highlights", "listOverlays": "overlays",
		"listTextOverlays": "text-overlays", "listSoundEffects": "sound-effects",
	} {
		require.True(t, compare(t, s, m.Key, read{operation, clip + "/" + path, named}), operation)
	}

	require.True(t, compare(t, s, m.Key, read{"getTimeline", video + "/timeline?include=all", map[string]any{"id": v.ID}}))
}
