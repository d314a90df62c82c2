package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A clip's background is not one of its recordings: it is not listed, and its sound is not used.
func TestBackgroundsAreNotRecordings(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	screen := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	loop := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true, Role: values.SourceRoleCamera})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Source: screen})
	clip := video.Edges.Clips[0]

	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.Clip.UpdateOneID(clip.ID).SetBackground(values.Background{
			Type: values.BackgroundTypeVideo, SourceID: loop.ID, VideoDurationMs: loop.DurationMs,
		}).ExecX(ctx)
	})

	path := "/v1/videos/" + video.ID + "/clips/" + clip.ID

	a := s.Call(t, m.Key, http.MethodGet, path+"/sources", "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var listed struct {
		Sources []struct{ ID string }
	}
	require.NoError(t, json.Unmarshal([]byte(a.Body), &listed))
	require.Len(t, listed.Sources, 1)
	require.Equal(t, screen.ID, listed.Sources[0].ID)

	a = s.Call(t, m.Key, http.MethodGet, path+"/silences", "")
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.JSONEq(t, `{"silences":[]}`, a.Body)
}

// A pointer track has no pictures; asking for one is an error like that of an unknown source.
func TestPointerHasNoPicture(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	pointer := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindMouse})
	screen := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})

	a := s.Call(t, m.Key, http.MethodPost, "/v1/videos", `{"sourceId":"`+screen.ID+`","mouseSourceId":"`+pointer.ID+`"}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))

	path := "/v1/videos/" + made.Video.ID + "/clips/" + made.Video.ClipIDs[0] + "/sources/" + pointer.ID + "/thumbnail"
	a = s.Call(t, m.Key, http.MethodGet, path, "")
	require.Equal(t, http.StatusNotFound, a.Status, a.Body)
}

// A clip without a name gets the next number after all numbered clips, no matter which user added them.
func TestNamesOfClips(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	source := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{})
	path := "/v1/videos/" + testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Source: source}).ID + "/clips"

	add := func(name string) (id, named string) {
		a := s.Call(t, m.Key, http.MethodPost, path, `{"sourceId":"`+source.ID+`"`+name+`}`)
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		var out struct{ Clip struct{ ID, Name string } }
		require.NoError(t, json.Unmarshal([]byte(a.Body), &out))

		return out.Clip.ID, out.Clip.Name
	}

	add(`,"name":"Clip 2"`)

	third, name := add("")
	require.Equal(t, "Clip 3", name)

	add(`,"name":"Clip 99999999999999999999"`)
	require.Equal(t, http.StatusOK, s.Call(t, m.Key, http.MethodDelete, path+"/"+third, "").Status)

	_, name = add("")
	require.Equal(t, "Clip 4", name, "the number of a deleted clip is not reused")
}

// A range error names the field of the request body.
func TestCutErrorsNameTheField(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	path := "/v1/videos/" + video.ID + "/clips/" + video.Edges.Clips[0].ID + "/cut"

	for body, message := range map[string]string{
		`{"fromMs":5000,"toMs":4000}`:              "toMs must make the range end after its start, within the clip.",
		`{"fromMs":10000,"toMs":10001}`:            "fromMs must be before the end of the clip.",
		`{"fromMs":0,"toMs":10000}`:                "the request must leave at least 100 ms of the clip but would leave 0.",
		`{"cuts":[{"fromMs":5000,"toMs":4000}]}`:   "cuts[0].toMs must make the range end after its start, within the clip.",
		`{"cuts":[{"fromMs":10000,"toMs":10001}]}`: "cuts[0].fromMs must be before the end of the clip.",
	} {
		a := s.Call(t, m.Key, http.MethodPost, path, body)
		require.Equal(t, http.StatusBadRequest, a.Status, a.Body)

		var said struct{ Message string }
		require.NoError(t, json.Unmarshal([]byte(a.Body), &said))
		require.Equal(t, message, said.Message, body)
	}
}

// A range of one second is accepted regardless of floating point rounding.
func TestTrimOfOneSecond(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	path := "/v1/videos/" + testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{}).ID + "/duplicate"

	a := s.Call(t, m.Key, http.MethodPost, path, `{"trim":{"startTime":1.3,"endTime":2.3}}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, http.StatusBadRequest, s.Call(t, m.Key, http.MethodPost, path, `{"trim":{"startTime":1.3,"endTime":2.299}}`).Status)
}

// A chapter whose clip is not in the trimmed copy keeps its time in the range, on the clip seen from there on.
func TestTrimKeepsTheChapterOfAJoin(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	path := "/v1/videos/" + video.ID
	ask := func(method, path, body string) string {
		a := s.Call(t, m.Key, method, path, body)
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		return a.Body
	}

	ask(http.MethodPost, path+"/clips", `{"sourceId":"`+testkit.NewSource(t, s.Store, m, testkit.SourceOpts{}).ID+`"}`)
	ask(http.MethodPut, path+"/chapters", `{"chapters":[{"timestampSeconds":9.5,"title":"Then","description":"Why"},{"timestampSeconds":12,"title":"Last"}]}`)
	ask(http.MethodPost, path+"/clips/"+video.Edges.Clips[0].ID+"/cut", `{"fromMs":9000,"toMs":10000}`)
	require.Regexp(t, `"timestampSeconds":9[,}]`, ask(http.MethodGet, path+"/chapters", ""))

	for trim, want := range map[string][]float64{
		`{"chapterIndex":0}`: {0}, `{"startTime":8,"endTime":10}`: {1}, `{"startTime":8,"endTime":9}`: {}, `{"startTime":9.5,"endTime":12}`: {1.5},
	} {
		var copied struct{ Video struct{ ID string } }
		require.NoError(t, json.Unmarshal([]byte(ask(http.MethodPost, path+"/duplicate", `{"trim":`+trim+`}`)), &copied))

		var said struct {
			Chapters []struct {
				TimestampSeconds   float64
				Title, Description string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(ask(http.MethodGet, "/v1/videos/"+copied.Video.ID+"/chapters", "")), &said))

		at := []float64{}
		for _, c := range said.Chapters {
			at = append(at, c.TimestampSeconds)
		}

		require.Equal(t, want, at, trim)

		if trim == `{"chapterIndex":0}` {
			require.Equal(t, []string{"Then", "Why"}, []string{said.Chapters[0].Title, said.Chapters[0].Description})
		}
	}
}

// The days of a figures request are limited.
func TestDaysOfFiguresAreBounded(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{}).ID

	for _, path := range []string{"/v1/analytics", "/v1/videos/" + video + "/analytics"} {
		for _, day := range []string{"0001-01-01", "0002-01-01"} {
			a := s.Call(t, m.Key, http.MethodGet, path+"?startDate="+day, "")
			require.Equal(t, http.StatusBadRequest, a.Status, path)
			require.Contains(t, a.Body, "3660 days")
		}

		a := s.Call(t, m.Key, http.MethodGet, path+"?startDate=0001-01-01&endDate=0001-01-03&timezone=Asia/Tokyo", "")
		require.Equal(t, http.StatusOK, a.Status, a.Body)
		require.Equal(t, 3, strings.Count(a.Body, `"date":"0001-01-0`), a.Body)
	}
}
