package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// uploading creates a source with arrived of announced bytes; 0 announced means none declared.
func uploading(t *testing.T, s *api.Server, m testkit.Member, arrived, announced int64) string {
	t.Helper()

	src := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Status: values.SourceStatusUploading})
	key, err := blob.NewKey("sources", "")
	require.NoError(t, err)
	_, err = s.Resolver.Blobs.Append(t.Context(), key, 0, bytes.NewReader(make([]byte, arrived)))
	require.NoError(t, err)
	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		u := c.Source.UpdateOneID(src.ID).SetBlobKey(key)
		if announced > 0 {
			u.SetUploadLength(announced)
		}

		u.ExecX(ctx)
	})

	return src.ID
}

// Completing a source starts one probe, however often it is repeated and in either API.
func TestCompleteSource(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	id := uploading(t, s, m, 1000, 0)

	for range 2 {
		a := s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", "", "Idempotency-Key", "once")
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		var out struct{ Source map[string]any }
		require.NoError(t, json.Unmarshal([]byte(a.Body), &out))
		require.Equal(t, "processing", out.Source["status"], "no worker runs in this test")
		require.EqualValues(t, 1000, out.Source["bytes"])
		require.NotContains(t, out.Source, "uploadUrl")
	}

	a := s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	g := s.Ask(t, m.Key, `mutation { completeSource(id: "`+id+`") { source { status bytes uploadUrl } } }`, nil)
	require.Contains(t, g.Body, `{"source":{"status":"PROCESSING","bytes":1000,"uploadUrl":null}}`)

	var jobs int
	require.NoError(t, s.Store.DB.QueryRow(
		`SELECT count(*) FROM river_job WHERE kind = 'probe' AND args->>'sourceId' = $1`, id).Scan(&jobs))
	require.Equal(t, 1, jobs)
}

func TestCompleteSourceTooEarly(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for message, id := range map[string]string{
		"No bytes of this source have arrived yet.":          uploading(t, s, m, 0, 0),
		"999 of the 1000 bytes of this source have arrived.": uploading(t, s, m, 999, 1000),
	} {
		a := s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", "")
		require.Equal(t, http.StatusConflict, a.Status)
		require.Contains(t, a.Body, message)

		a = s.Call(t, m.Key, http.MethodGet, "/v1/sources/"+id, "")
		require.Contains(t, a.Body, `"uploading"`)
		require.Contains(t, a.Body, `"uploadUrl"`)
	}
}
