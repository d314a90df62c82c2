package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A user's sources are listed newest first, each once. Parts of an upload and other users' sources are not listed.
func TestListSources(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	testkit.NewSource(t, s.Store, other, testkit.SourceOpts{})

	var want []string

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.Source.Create().SetUserID(m.UserID).SetKind(values.SourceKindVideo).SetPartial(true).ExecX(ctx)

		for i := range 7 { // three with the same time
			kind, status := values.SourceKindVideo, values.SourceStatusReady
			if i%2 == 1 {
				kind, status = values.SourceKindImage, values.SourceStatusPending
			}

			at := time.Date(2026, 1, 1, 0, 0, max(0, i-2), 0, time.UTC)
			want = append([]string{c.Source.Create().SetUserID(m.UserID).SetKind(kind).SetStatus(status).SetCreatedAt(at).SaveX(ctx).ID}, want...)
		}
	})

	walk := func(query string) (ids []string) {
		cursor := ""

		for {
			a := s.Call(t, m.Key, http.MethodGet, "/v1/sources?"+query+cursor, "")
			require.Equal(t, http.StatusOK, a.Status, a.Body)

			var page struct {
				Sources    []struct{ ID string }
				Pagination struct {
					HasMore    bool
					NextCursor *string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(a.Body), &page))

			for _, one := range page.Sources {
				ids = append(ids, one.ID)
			}

			if !page.Pagination.HasMore {
				return ids
			}

			cursor = "&cursor=" + url.QueryEscape(*page.Pagination.NextCursor)
		}
	}

	require.ElementsMatch(t, want, walk("limit=2"))
	require.Equal(t, want[:4], walk("limit=3")[:4])
	require.Equal(t, []string{want[1], want[3]}, walk("kind=image&limit=1")[:2])
	require.Len(t, walk("status=pending,failed"), 3)
	require.Empty(t, walk("status=failed"))

	a := s.Call(t, m.Key, http.MethodGet, "/v1/sources?limit=1", "")

	var page struct{ Pagination struct{ NextCursor string } }
	require.NoError(t, json.Unmarshal([]byte(a.Body), &page))

	for _, query := range []string{
		"kind=image&cursor=" + url.QueryEscape(page.Pagination.NextCursor), "status=done", "status=", "kind=film", "limit=0", "limit=101", "cursor=x",
	} {
		a := s.Call(t, m.Key, http.MethodGet, "/v1/sources?"+query, "")
		require.Equal(t, http.StatusBadRequest, a.Status, "%s: %s", query, a.Body)
	}
}

// A clock can be set until the upload is complete, by any of the three operations, within its limits.
func TestClocks(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	clock := `{"id":"take 1","captureTimesMs":[1000.5,1033.25,1033.25],"startedAtMs":1010,"firstDeliveredIndex":1,"pausesMs":[[2000,2500.5],[2500.5,3000]]}`
	want := values.TrackClock{
		ID: "take 1", CaptureTimesMs: []float64{1000.5, 1033.25, 1033.25}, StartedAtMs: new(1010.0), FirstDeliveredIndex: new(1),
		PausesMs: [][2]float64{{2000, 2500.5}, {2500.5, 3000}},
	}

	kept := func(id string) *values.TrackClock {
		src, err := s.Store.Client(m.Context()).Source.Get(m.Context(), id)
		require.NoError(t, err)

		return src.Clock
	}

	a := s.Call(t, m.Key, http.MethodPost, "/v1/sources", `{"streaming":true,"bytes":9,"clock":`+clock+`}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct{ SourceID string }
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))
	require.Equal(t, want, *kept(made.SourceID))

	id := uploading(t, s, m, 1000, 0)
	a = s.Call(t, m.Key, http.MethodPatch, "/v1/sources/"+id, `{"clock":`+clock+`}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, want, *kept(id))

	another := `{"id":"take 2","captureTimesMs":[0]}`
	a = s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", `{"clock":`+another+`}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, "take 2", kept(id).ID)

	a = s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", `{"clock":`+another+`}`)
	require.Equal(t, http.StatusOK, a.Status, "a repeat: %s", a.Body)

	for _, ask := range []string{"PATCH /v1/sources/" + id, "POST /v1/sources/" + id + "/complete"} {
		method, path, _ := strings.Cut(ask, " ")
		a = s.Call(t, m.Key, method, path, `{"clock":`+clock+`}`)
		require.Equal(t, http.StatusConflict, a.Status, "%s: %s", ask, a.Body)
	}

	a = s.Call(t, m.Key, http.MethodPatch, "/v1/sources/"+id, `{"name":"A talk"}`)
	require.Equal(t, http.StatusOK, a.Status, "a name may always change: %s", a.Body)
	require.Contains(t, a.Body, `"A talk"`)

	many := "[" + strings.Repeat("1,", 200) + "1]"

	for bad, says := range map[string]string{
		`{"captureTimesMs":[1]}`:                                            "clock.id",
		`{"id":"x"}`:                                                        "clock.captureTimesMs",
		`{"id":"x","captureTimesMs":[]}`:                                    "1 to 200 items",
		`{"id":"x","captureTimesMs":` + many + `}`:                          "1 to 200 items",
		`{"id":"x","captureTimesMs":[2,1]}`:                                 "clock.captureTimesMs[1]",
		`{"id":"x","captureTimesMs":["1"]}`:                                 "number",
		`{"id":"x","captureTimesMs":[1],"firstDeliveredIndex":1}`:           "clock.firstDeliveredIndex",
		`{"id":"x","captureTimesMs":[1],"firstDeliveredIndex":-1}`:          "clock.firstDeliveredIndex",
		`{"id":"x","captureTimesMs":[1],"pausesMs":[[1]]}`:                  "exactly 2 items",
		`{"id":"x","captureTimesMs":[1],"pausesMs":[[2,1]]}`:                "clock.pausesMs[0]",
		`{"id":"x","captureTimesMs":[1],"pausesMs":[[1,5],[4,6]]}`:          "clock.pausesMs[1]",
		`{"id":"` + strings.Repeat("x", 65) + `","captureTimesMs":[1]}`:     "1 to 64 characters",
		`{"id":"x","captureTimesMs":[1],"startedAtMs":9007199254740993000}`: "9007199254740991",
		`{"id":"x","captureTimesMs":[1],"pausesMs":null}`:                   "null",
	} {
		for _, path := range []string{"/v1/sources", "/v1/sources/" + id + "/complete"} {
			a := s.Call(t, m.Key, http.MethodPost, path, `{"clock":`+bad+`}`)
			require.Equal(t, http.StatusBadRequest, a.Status, "%s %s", path, bad)
			require.Contains(t, a.Body, says, bad)
		}
	}
}

// The declared size is what tus clients see, and at most the maximum of an upload.
func TestAnnouncedBytes(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	s.Resolver.Uploads.Upload, s.Resolver.Uploads.Workspace = 1000, 1500
	s.Resolver.Remake()
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	a := s.Call(t, m.Key, http.MethodPost, "/v1/sources", `{"bytes":1000}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct{ SourceID string }
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))

	src, err := s.Store.Client(m.Context()).Source.Get(m.Context(), made.SourceID)
	require.NoError(t, err)
	require.EqualValues(t, 1000, *src.UploadLength)

	for body, says := range map[string]string{`{"bytes":1001}`: "larger than 1000", `{"bytes":501}`: "REELGRAPH_WORKSPACE_BYTES"} {
		a := s.Call(t, m.Key, http.MethodPost, "/v1/sources", body)
		require.Equal(t, http.StatusRequestEntityTooLarge, a.Status, a.Body)
		require.Contains(t, a.Body, says)

		g := s.Ask(t, m.Key, `mutation ($n: SafeInt) { createSource(input: {bytes: $n}) { uploadUrl } }`,
			map[string]any{"n": json.Number(strings.Trim(strings.TrimPrefix(body, `{"bytes":`), "}"))})
		require.Equal(t, "bad_request", g.Code())
		require.Contains(t, g.Body, says)
	}

	a = s.Call(t, m.Key, http.MethodPost, "/v1/sources", `{"bytes":-1}`)
	require.Equal(t, http.StatusBadRequest, a.Status)

	var count int
	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM sources`).Scan(&count))
	require.Equal(t, 1, count)
}

// A source in use cannot be deleted. The error names the videos that use it, if the caller can read them.
func TestDeleteSource(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID, Role: auth.RoleMember})
	ask := func(id string) api.Answer { return s.Call(t, m.Key, http.MethodDelete, "/v1/sources/"+id, "") }

	uses := map[string]func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video){
		"a clip": nil,
		"a camera": func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video) {
			c.Clip.Create().SetVideo(v).SetName("Clip 2").SetPosition(1).SetCameraSource(src).SetRecordingMs(1000).SetDurationMs(1000).
				SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).SetBackground(values.DefaultBackground()).ExecX(ctx)
		},
		"a background": func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video) {
			c.Clip.UpdateOne(v.Edges.Clips[0]).SetBackground(values.Background{Type: values.BackgroundTypeImage, SourceID: src.ID}).ExecX(ctx)
		},
		"an effect": func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video) {
			c.Effect.Create().SetClip(v.Edges.Clips[0]).SetKind(values.EffectKindMediaOverlay).SetStartMs(0).SetEndMs(100).SetSource(src).
				SetParams(values.EffectParams{Overlay: &values.OverlayParams{}}).ExecX(ctx)
		},
		"a thumbnail": func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video) {
			c.Video.UpdateOne(v).SetThumbnail(&values.ChosenThumbnail{SourceID: src.ID}).ExecX(ctx)
		},
		"music": func(ctx context.Context, c *ent.Client, src *ent.Source, v *ent.Video) {
			c.Video.UpdateOne(v).SetBackgroundMusic(&values.BackgroundMusic{SourceID: src.ID}).ExecX(ctx)
		},
	}

	for name, use := range uses {
		src := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
		opts := testkit.VideoOpts{Name: "Film of " + name}

		if use == nil {
			opts.Source = src
		}

		mine := testkit.NewVideo(t, s.Store, m, opts)
		opts.Visibility, opts.Name = values.VisibilityPersonal, "Secret"
		theirs := testkit.NewVideo(t, s.Store, other, opts)

		if use != nil {
			m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
				use(ctx, c, src, mine)
				use(ctx, c, src, theirs)
			})
		}

		a := ask(src.ID)
		require.Equal(t, http.StatusConflict, a.Status, "%s: %s", name, a.Body)
		require.Contains(t, a.Body, fmt.Sprintf(`the video \"Film of %s\" (%s) and one other.`, name, mine.ID))
		require.NotContains(t, a.Body, "Secret")
		require.NotContains(t, a.Body, theirs.ID)

		s.Call(t, m.Key, http.MethodDelete, "/v1/videos/"+mine.ID, "")
		a = ask(src.ID)
		require.Equal(t, http.StatusConflict, a.Status, a.Body)
		require.Contains(t, a.Body, "something that you may not see")

		s.Call(t, other.Key, http.MethodDelete, "/v1/videos/"+theirs.ID, "")
		a = ask(src.ID)
		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.JSONEq(t, `{"status":"ok"}`, a.Body)
		require.Equal(t, http.StatusNotFound, ask(src.ID).Status)
	}

	// A library item, and an unfinished export.
	saved := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	exported := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.LibraryItem.Create().SetUserID(m.UserID).SetSource(saved).SetScope(values.LibraryScopePrivate).SetType(values.LibraryTypeVideo).
			SetName("Loop").ExecX(ctx)
		c.Export.Create().SetVideo(v).SetUserID(m.UserID).SetGranularity(values.GranularityStory).SetResolution(values.ResolutionP1080).
			SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).SetPlanHash("x").
			SetPlan(json.RawMessage(`{"timeline":"` + exported.ID + `"}`)).ExecX(ctx)
	})

	a := ask(saved.ID)
	require.Equal(t, http.StatusConflict, a.Status)
	require.Contains(t, a.Body, `the library item \"Loop\"`)

	a = ask(exported.ID)
	require.Equal(t, http.StatusConflict, a.Status)
	require.Contains(t, a.Body, "export")

	// Deleting removes the bytes, including those still arriving, and everything made from them.
	id := uploading(t, s, m, 10, 0)
	src, err := s.Store.Client(m.Context()).Source.Get(m.Context(), id)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, ask(id).Status)

	var keys []byte
	require.NoError(t, s.Store.DB.QueryRow(`SELECT args->'blobKeys' FROM river_job WHERE kind = 'discard' ORDER BY id DESC LIMIT 1`).Scan(&keys))
	require.JSONEq(t, `["`+src.BlobKey+`"]`, string(keys))
	require.NoError(t, blob.CheckKey(src.BlobKey))
}

// A client without the rest of a recording can complete what arrived; another client can still send the rest.
func TestCompleteInterrupted(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	id := uploading(t, s, m, 1000, 5000)

	a := s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", `{"interrupted":true}`)
	require.Equal(t, http.StatusBadRequest, a.Status, "the source is not streaming: %s", a.Body)

	_, err := s.Store.DB.Exec(`UPDATE sources SET streaming = true WHERE id = $1`, id)
	require.NoError(t, err)

	for range 2 { // a repeat changes nothing
		a = s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", `{"interrupted":true}`)
		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.Contains(t, a.Body, `"interrupted":true`)
		require.Contains(t, a.Body, `"uploadUrl"`)
		require.Contains(t, a.Body, `"bytes":1000`)
	}

	a = s.Call(t, m.Key, http.MethodPost, "/v1/sources/"+id+"/complete", "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Contains(t, a.Body, `"interrupted":true`)

	a = s.Call(t, m.Key, http.MethodPatch, "/v1/sources/"+id, `{"clock":{"id":"x","captureTimesMs":[1]}}`)
	require.Equal(t, http.StatusOK, a.Status, "its clock can still be set: %s", a.Body)

	testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Source: &ent.Source{ID: id, DurationMs: 1000}})

	a = s.Call(t, other.Key, http.MethodGet, "/v1/sources/"+id, "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.NotContains(t, a.Body, "uploadUrl", "only its uploader can send the rest")

	_, err = s.Store.DB.Exec(`UPDATE sources SET interrupted_at = interrupted_at - interval '30 days' WHERE id = $1`, id)
	require.NoError(t, err)

	a = s.Call(t, m.Key, http.MethodGet, "/v1/sources/"+id, "")
	require.NotContains(t, a.Body, "uploadUrl")
	require.NotContains(t, a.Body, "interrupted")
}
