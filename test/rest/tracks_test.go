package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	entclip "github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// recordedApart are the sources of a recording, named by the fields that take them.
type recordedApart struct{ screen, camera, microphone, mouse, arriving, failed *ent.Source }

func recordApart(t *testing.T, s *api.Server, m testkit.Member) (r recordedApart) {
	t.Helper()

	declare := func(kind values.SourceKind, status values.SourceStatus, ms int64, sound bool) (made *ent.Source) {
		m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
			made = c.Source.Create().SetUserID(m.UserID).SetKind(kind).SetStatus(status).SetDurationMs(ms).SetHasAudio(sound).
				SetWidth(640).SetHeight(360).SaveX(ctx)
		})

		return made
	}

	return recordedApart{
		screen:     declare(values.SourceKindVideo, values.SourceStatusReady, 10_000, true),
		camera:     declare(values.SourceKindVideo, values.SourceStatusReady, 10_000, false),
		microphone: declare(values.SourceKindAudio, values.SourceStatusReady, 10_000, true),
		mouse:      declare(values.SourceKindMouse, values.SourceStatusReady, 10_000, false),
		arriving:   declare(values.SourceKindVideo, values.SourceStatusUploading, 4_000, true), // as received so far
		failed:     declare(values.SourceKindVideo, values.SourceStatusFailed, 0, false),
	}
}

// clipsOf returns the ids of the clips of a video.
func clipsOf(t *testing.T, s *api.Server, m testkit.Member, videoID string) (ids []string) {
	t.Helper()

	var list struct{ Clips []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(s.Call(t, m.Key, http.MethodGet, "/v1/videos/"+videoID+"/clips", "").Body), &list))

	for _, c := range list.Clips {
		ids = append(ids, c.ID)
	}

	return ids
}

// oneClip returns the id of the only clip of a video.
func oneClip(t *testing.T, s *api.Server, m testkit.Member, videoID string) string {
	t.Helper()

	all := clipsOf(t, s, m, videoID)
	require.Len(t, all, 1)

	return all[0]
}

// The tracks of a clip, their start times, and the errors of either.
func TestTracksOfAClip(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	r := recordApart(t, s, m)
	create := func(body string) api.Answer {
		return s.Call(t, m.Key, http.MethodPost, "/v1/videos", fmt.Sprintf(`{"sourceId":%q%s}`, r.screen.ID, body))
	}

	for body, want := range map[string]string{
		`"microphoneSourceId":"` + r.screen.ID + `"`:                     "kind audio",
		`"cameraSourceId":"` + r.microphone.ID + `"`:                     "kind video",
		`"cameraSourceId":"` + r.screen.ID + `"`:                         "must not be the same as sourceId",
		`"cameraOffsetMs":5`:                                             "needs cameraSourceId",
		`"microphoneOffsetMs":0`:                                         "needs microphoneSourceId",
		`"mouseOffsetMs":1`:                                              "needs mouseSourceId or mouseEvents",
		`"cameraSourceId":"` + r.camera.ID + `","cameraOffsetMs":60001`:  "60000",
		`"cameraSourceId":"` + r.camera.ID + `","cameraOffsetMs":-60001`: "-60000",
		`"cameraSourceId":"` + r.camera.ID + `","cameraOffsetMs":0.5`:    "cameraOffsetMs",
		`"cameraSourceId":"` + r.camera.ID + `","cameraOffsetMs":"5"`:    "cameraOffsetMs",
		`"whenReady":"yes"`:                                              "whenReady",
		`"whenReady":true,"cameraSourceId":"` + r.failed.ID + `"`:        "failed",
		`"whenReady":true,"microphoneSourceId":"` + r.arriving.ID + `"`:  "kind audio",
	} {
		a := create("," + body)
		require.Equal(t, http.StatusBadRequest, a.Status, "%s: %s", body, a.Body)
		require.Contains(t, a.Body, want, body)
	}

	require.Equal(t, http.StatusNotFound, create(`,"microphoneSourceId":"su_01h00000000000000000000000"`).Status)
	require.Equal(t, http.StatusConflict, create(`,"cameraSourceId":"`+r.arriving.ID+`"`).Status)

	a := create(fmt.Sprintf(`,"cameraSourceId":%q,"microphoneSourceId":%q,"mouseSourceId":%q,"cameraOffsetMs":-250,"microphoneOffsetMs":1250,`+
		`"mouseOffsetMs":40`, r.camera.ID, r.microphone.ID, r.mouse.ID))
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct{ Video struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))

	video := "/v1/videos/" + made.Video.ID
	clip := oneClip(t, s, m, made.Video.ID)

	type listed struct {
		Sources []struct {
			ID       string
			Medium   *string
			OffsetMs int64
			URL      string
		}
	}

	list := func(key string) (l listed) {
		a := s.Call(t, key, http.MethodGet, video+"/clips/"+clip+"/sources", "")
		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.NoError(t, json.Unmarshal([]byte(a.Body), &l))

		return l
	}

	var said []string

	for _, one := range list(m.Key).Sources {
		medium := "none"
		if one.Medium != nil {
			medium = *one.Medium
		}

		said = append(said, fmt.Sprintf("%s %s %d %t", one.ID, medium, one.OffsetMs, one.URL != ""))
	}

	require.Equal(t, []string{
		r.screen.ID + " screen 0 true", r.camera.ID + " camera -250 true", r.microphone.ID + " microphone 1250 true",
		r.mouse.ID + " none 40 true",
	}, said)

	// A colleague with read access sees the tracks but not their bytes.
	colleague := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: m.WorkspaceID})
	for _, one := range list(colleague.Key).Sources {
		require.Empty(t, one.URL)
	}

	require.Equal(t, http.StatusForbidden,
		s.Call(t, colleague.Key, http.MethodPost, "/v1/videos", `{"sourceId":"`+r.screen.ID+`","microphoneSourceId":"`+r.microphone.ID+`"}`).Status)

	a = s.Call(t, m.Key, http.MethodDelete, "/v1/sources/"+r.microphone.ID, "")
	require.Equal(t, http.StatusConflict, a.Status)
	require.Contains(t, a.Body, made.Video.ID)
}

// A video of recordings that are still uploading exists at once. Operations that need their length are a conflict;
// others work.
func TestWhenReady(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	r := recordApart(t, s, m)

	a := s.Call(t, m.Key, http.MethodPost, "/v1/videos", `{"sourceId":"`+r.arriving.ID+`","whenReady":true}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct {
		Video struct {
			ID              string
			DurationSeconds float64
			Dimensions      struct{ Width, Height int }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))
	require.Zero(t, made.Video.DurationSeconds)
	require.Equal(t, [2]int{1920, 1080}, [2]int{made.Video.Dimensions.Width, made.Video.Dimensions.Height})

	video := "/v1/videos/" + made.Video.ID
	clip := video + "/clips/" + oneClip(t, s, m, made.Video.ID)

	for _, one := range []struct{ method, path, body string }{
		{"POST", video + "/exports", `{}`},
		{"POST", video + "/exports", `{"granularity":"raw"}`},
		{"GET", video + "/thumbnail?inpointMs=500", ""},
		{"GET", clip + "/thumbnail", ""},
		{"GET", video + "/storyboard", ""},
		{"GET", clip + "/storyboard", ""},
		{"POST", clip + "/cut", `{"cuts":[{"fromMs":0,"toMs":100}]}`},
		{"PATCH", clip, `{"cuts":[{"startTimeMs":0,"durationMs":100}]}`},
		{"POST", clip + "/remove-silences", `{}`},
		{"POST", clip + "/zooms/auto", `{}`},
		{"POST", clip + "/layouts/auto", `{}`},
	} {
		a := s.Call(t, m.Key, one.method, one.path, one.body)
		require.Equal(t, http.StatusConflict, a.Status, "%s %s: %s", one.method, one.path, a.Body)
	}

	for _, one := range []struct{ method, path, body string }{
		{"GET", video, ""},
		{"GET", clip, ""},
		{"GET", clip + "/silences", ""},
		{"GET", clip + "/transcript", ""},
		{"GET", clip + "/mouse-events", ""},
		{"GET", clip + "/sources", ""},
		{"PATCH", clip, `{"name":"Arrives"}`},
		{"PATCH", video, `{"name":"Arrives"}`},
		{"POST", clip + "/duplicate", `{}`},
	} {
		a := s.Call(t, m.Key, one.method, one.path, one.body)
		require.Equal(t, http.StatusOK, a.Status, "%s %s: %s", one.method, one.path, a.Body)
	}

	// A copy can wait like the video; trimming needs the complete recording.
	a = s.Call(t, m.Key, http.MethodPost, video+"/duplicate", `{}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var copied struct{ Video struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(a.Body), &copied))
	require.Len(t, clipsOf(t, s, m, copied.Video.ID), 2, "the clip and its copy")
	a = s.Call(t, m.Key, http.MethodPost, video+"/duplicate", `{"trim":{"startTime":0,"endTime":2}}`)
	require.Equal(t, http.StatusConflict, a.Status, a.Body)

	// A failed source never says to wait.
	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.Clip.Update().Where(entclip.VideoID(copied.Video.ID)).SetTranscriptStatus(values.TranscriptStatusFailed).ExecX(ctx)
	})

	a = s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+copied.Video.ID+"/exports", `{}`)
	require.Equal(t, http.StatusConflict, a.Status)
	require.Contains(t, a.Body, "Delete the clip")
	require.Empty(t, a.Header.Get("Retry-After"))

	// A second, complete clip does not help while the first is still uploading.
	whole := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Source: r.screen})
	a = s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+whole.ID+"/clips", `{"sourceId":"`+r.arriving.ID+`","whenReady":true}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, http.StatusConflict, s.Call(t, m.Key, http.MethodPost, "/v1/videos/"+whole.ID+"/exports", `{}`).Status)

	// The video takes the declared size, unless a size was chosen.
	var sized *ent.Source

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		sized = c.Source.Create().SetUserID(m.UserID).SetKind(values.SourceKindVideo).SetDeclaredWidth(800).SetDeclaredHeight(600).SaveX(ctx)
	})

	for more, want := range map[string][2]int{"": {800, 600}, `,"dimensions":{"width":720,"height":1280}`: {720, 1280}} {
		a = s.Call(t, m.Key, http.MethodPost, "/v1/videos", `{"sourceId":"`+sized.ID+`","whenReady":true`+more+`}`)
		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.NoError(t, json.Unmarshal([]byte(a.Body), &made))
		require.Equal(t, want, [2]int{made.Video.Dimensions.Width, made.Video.Dimensions.Height})
	}
}
