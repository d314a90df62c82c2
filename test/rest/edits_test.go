package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// 200 operations take as many statements as two.
func TestManyEditsAreFewStatements(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	statements := map[int]int64{}

	for _, n := range []int{2, 200, 200, 200} {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
		body := edits(n, v.Edges.Clips[0].ID, *v.Edges.Clips[0].ScreenSourceID)

		_, err := s.Store.DB.Exec(`UPDATE api_keys SET last_used_at = now() + interval '1 hour'`)
		require.NoError(t, err)

		before, begun := wire.Count(), time.Now()
		a := s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+v.ID+"/edits", body)
		took := time.Since(begun)

		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.Contains(t, a.Body, `"revision":1`)
		require.Equal(t, n, strings.Count(a.Body, `"operationId"`))

		statements[n] = wire.Count() - before
		t.Logf("%d operations: %d statements, %s", n, statements[n], took)
	}

	require.Equal(t, statements[2], statements[200])
}

// An error in the last of 200 operations names it, and none of the others takes effect.
func TestErrorInTheLastOfManyEdits(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	video := "/v1/videos/" + v.ID
	body := edits(200, v.Edges.Clips[0].ID, *v.Edges.Clips[0].ScreenSourceID)
	last := strings.LastIndex(body, `"startTimeMs":`)

	a := s.Call(t, m.Key, http.MethodPost, video+"/edits", body[:last]+strings.Replace(body[last:], "7960", "20000", 1))
	require.Equal(t, http.StatusBadRequest, a.Status, a.Body)
	require.Contains(t, a.Body, `operations[199].startTimeMs must be before the end of the clip`)
	require.Contains(t, a.Body, `(operation \"199\")`)

	require.Contains(t, s.Call(t, m.Key, http.MethodGet, video, "").Body, `"revision":0`)

	var effects int
	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM effects WHERE kind <> 'layout'`).Scan(&effects))
	require.Zero(t, effects)
}

// edits returns n operations: media overlays and zooms that replace each other.
func edits(n int, clip, source string) string {
	operations := make([]string, n)

	for i := range operations {
		operations[i] = fmt.Sprintf(`{"type":"add_zoom","operationId":"%d","clipId":"%s","zoomType":"manualZoom","startTimeMs":%d,"durationMs":100,"scale":2,"focusPoint":{"xPct":1,"yPct":2}}`, i, clip, 40*i)
		if i%2 == 0 {
			operations[i] = fmt.Sprintf(`{"type":"add_media_overlay","operationId":"%d","clipId":"%s","sourceId":"%s","startTimeMs":%d,"durationMs":100}`, i, clip, source, 40*i)
		}
	}

	return `{"operations":[` + strings.Join(operations, ",") + `]}`
}
