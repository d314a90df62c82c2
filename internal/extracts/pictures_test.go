package extracts_test

import (
	"context"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
)

// counter writes a recording of 2 s in which frame n shows n.
func counter(t *testing.T) func(path string) error {
	t.Helper()

	return func(path string) error { return footage.Counter(t.Context(), path, footage.Film{Frames: 60}) }
}

// file returns the path of the file at a signed address.
func (l *lab) file(url string) string {
	l.Helper()

	path, signed, _ := strings.Cut(strings.TrimPrefix(url, api.BaseURL+"/stills/"), "?")
	id, name, ok := strings.Cut(path, "/")
	require.True(l, ok && ids.Is(ids.Extract, id) && strings.HasPrefix(signed, "token="), url)

	for _, e := range l.extracts() {
		for _, f := range e.Files {
			if e.ID == id && f.Name == name {
				return l.path(f)
			}
		}
	}

	require.FailNow(l, "no such file", url)

	return ""
}

// shown returns the number in each frame of a file.
func shown(t *testing.T, path string) []int {
	t.Helper()

	all, err := footage.Indices(t.Context(), path, footage.Window{})
	require.NoError(t, err)

	return all
}

// tiles returns the numbers in the pictures of a storyboard.
func tiles(t *testing.T, path string) []int {
	t.Helper()

	all, err := footage.Tiles(t.Context(), path, footage.Window{Width: 320, Height: 180}, 4, 4)
	require.NoError(t, err)

	return all
}

func TestStoryboardFrames(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	_, src := l.video(counter(t))
	at := "/v1/sources/" + src.ID + "/storyboard"

	for _, c := range []struct {
		query              string
		startMs, spacingMs int64
	}{{"", 0, 2000 / 16}, {"&startTimeMs=1001&durationMs=160", 1001, 10}} {
		var board struct {
			URL                       string
			Columns, Rows, IntervalMs int64
		}

		l.get(at+"?response=json"+c.query, &board)
		require.Equal(t, [3]int64{4, 4, c.spacingMs}, [3]int64{board.Columns, board.Rows, board.IntervalMs})

		want := make([]int, 16)
		for i := range want {
			want[i] = int((c.startMs + int64(i)*c.spacingMs) * 30 / 1000)
		}

		require.Equal(t, want, tiles(t, l.file(board.URL)), c.query)
	}

	a := l.Call(t, l.member.Key, http.MethodGet, at, "")
	require.Equal(t, http.StatusFound, a.Status)
	require.NotEmpty(t, l.file(a.Header.Get("Location")))
	require.Equal(t, 2, l.made(), "an existing picture is not made again")
}

func TestThumbnailsOfEveryFormat(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(counter(t))
	clip := v.Edges.Clips[0].ID
	raw := fmt.Sprintf("/v1/videos/%s/clips/%s/sources/%s/thumbnail?response=json", v.ID, clip, src.ID)

	for _, c := range []struct {
		query         string
		width, height int
		frames        []int
	}{
		{"", 160, 90, []int{0}},
		{"&inpointMs=1000&format=png&width=80", 80, 45, []int{30}},
		{"&inpointMs=2000&format=webp&height=180", 0, 0, []int{59}},
		{"&inpointMs=500&format=gif&durationMs=300", 160, 90, []int{15, 18, 21}},
		{"&inpointMs=1800&format=mp4", 0, 0, []int{54, 57}},
	} {
		path := l.picture(raw + c.query)
		require.Equal(t, c.frames, shown(t, path), c.query)

		if c.width == 0 {
			continue
		}

		require.Equal(t, [2]int{c.width, c.height}, dimensions(t, path), c.query)
	}
}

// Pictures of a video leave out what was cut; fifty concurrent requests make one picture.
func TestPicturesOfPlayedVideo(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(counter(t))
	clip := v.Edges.Clips[0]
	l.cut(v, values.SpanOf(500, 500))

	film := l.picture("/v1/videos/" + v.ID + "/thumbnail?response=json&format=mp4&inpointMs=300&durationMs=400")
	require.Equal(t, []int{9, 12, 30, 33}, shown(t, film))

	before, urls := l.made(), make([]string, 50)

	var all sync.WaitGroup

	for i := range urls {
		all.Go(func() {
			a := l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID+"/clips/"+clip.ID+"/thumbnail?inpointMs=700&width=100&height=100", "")
			urls[i] = a.Header.Get("Location")
		})
	}

	all.Wait()
	require.Equal(t, before+1, l.made())

	for _, url := range urls {
		require.Equal(t, l.file(urls[0]), l.file(url))
	}

	// A square of a wide picture keeps its middle.
	require.Equal(t, [2]int{100, 100}, dimensions(t, l.file(urls[0])))

	played, err := l.Resolver.Services.Exports.ThumbnailByID(l.member.Context(), v.ID, "")
	require.NoError(t, err)

	for _, size := range []string{"small", "medium", "large", "xl"} {
		for _, format := range []string{"jpg", "webp", "gif", "mp4"} {
			made, err := l.desk.Thumbnail(l.member.Context(), played, size+"."+format)
			require.NoError(t, err)
			require.Equal(t, 0, shown(t, l.path(made))[0], "%s.%s", size, format)
		}
	}

	require.Equal(t, before+3, l.made(), "all pictures are one job, and all films another")

	_, err = l.desk.Thumbnail(l.member.Context(), played, "huge.jpg")
	require.Equal(t, "not_found", string(graph.Classify(err).Code))

	// A picture of a clip shows that clip, even if another plays before it.
	l.clip(v.ID, 1, src, src.DurationMs)
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) { c.Clip.UpdateOneID(clip.ID).SetPosition(2).ExecX(ctx) })

	sheet := l.picture("/v1/videos/" + v.ID + "/clips/" + clip.ID + "/storyboard?response=json&startTimeMs=400&durationMs=160")
	require.Equal(t, []int{12, 12, 12, 12, 13, 13, 13, 14, 14, 14, 30, 30, 30, 30, 31, 31}, tiles(t, sheet))
}

// Other fonts make other pictures only if the picture contains text.
func TestPicturesDependOnFontsOnlyWithText(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.desk.Wait = time.Millisecond // no worker runs

	v, _ := l.video(counter(t))
	written := values.Look{Clips: []values.ClipLook{{Effects: []values.ShownEffect{{Params: values.EffectParams{Text: &values.TextParams{}}}}}}}

	for _, c := range []struct {
		look values.Look
		made int
	}{{values.Look{}, 1}, {written, 1 + 2}, {values.Look{Captions: &values.CaptionLook{}}, 1 + 2 + 2}} {
		for _, fonts := range []string{"those of today", "those of tomorrow"} {
			l.desk.Fonts = func() (string, error) { return fonts, nil }
			_, err := l.desk.Thumbnail(l.member.Context(), extracts.Picture{
				VideoID: v.ID, LengthMs: v.DurationMs, Plan: func(context.Context) (plan.ExportPlan, error) {
					return plan.ExportPlan{Look: c.look}, nil
				},
			}, "small.jpg")
			require.Error(t, err)
		}

		require.Len(t, l.extracts(), c.made)
	}
}

// Without a worker the request ends in time. Unused extracts are swept, and those of a deleted video are discarded.
func TestExtractsWithoutWorker(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.desk.Wait = time.Millisecond
	v, src := l.video(counter(t))

	a := l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID+"/storyboard", "")
	require.Equal(t, http.StatusServiceUnavailable, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))

	l.Call(t, l.member.Key, http.MethodGet, "/v1/sources/"+src.ID+"/storyboard", "")
	require.Len(t, l.extracts(), 2)

	sweep := &housekeeping.Sweep{Deps: l.deps}
	require.NoError(t, sweep.Work(t.Context(), &river.Job[jobs.Sweep]{}))
	require.Len(t, l.extracts(), 2)

	l.late = jobs.ExtractKept + time.Minute

	require.NoError(t, sweep.Work(t.Context(), &river.Job[jobs.Sweep]{}))
	require.Empty(t, l.extracts())

	l.late = 0
	l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID+"/storyboard", "")
	require.Len(t, l.extracts(), 1)

	discard := &housekeeping.Discard{Deps: l.deps}
	require.NoError(t, discard.Work(t.Context(), &river.Job[jobs.Discard]{Args: jobs.Discard{WorkspaceID: v.WorkspaceID, VideoID: v.ID}}))
	require.Empty(t, l.extracts())
}

// A recording that cannot be decoded gives an error, and the job is not repeated for each request.
func TestUndecodableSource(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	_, src := l.video(counter(t))
	path, _ := l.Resolver.Blobs.Path(src.BlobKey)
	require.NoError(t, os.WriteFile(path, []byte("no recording"), 0o600))

	for range 2 {
		a := l.Call(t, l.member.Key, http.MethodGet, "/v1/sources/"+src.ID+"/storyboard", "")
		require.Equal(t, http.StatusConflict, a.Status, a.Body)
		require.Contains(t, a.Body, "cannot be decoded")
	}

	require.Equal(t, 1, l.made())
	require.Equal(t, values.ExtractStatusFailed, l.extracts()[0].Status)
}

// The side that follows from the other is limited too, for any aspect ratio.
func TestPicturesOfTallVideo(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(func(path string) error {
		return footage.FFmpeg(t.Context(), nil, nil, "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=200x1800:r=5:d=0.4",
			"-pix_fmt", "yuv420p", path)
	})
	at := "/v1/videos/" + v.ID + "/clips/" + v.Edges.Clips[0].ID

	for path, want := range map[string][2]int{
		at + "/sources/" + src.ID + "/thumbnail?response=json&width=3840": {426, 3840},
		at + "/thumbnail?response=json&width=3840&height=16":              {3840, 16},
		"/v1/videos/" + v.ID + "/thumbnail?response=json&width=1920":      {426, 3840},
		"/v1/videos/" + v.ID + "/thumbnail?response=json&width=100":       {100, 900},
	} {
		require.Equal(t, want, dimensions(t, l.picture(path)), path)
	}

	played, err := l.Resolver.Services.Exports.ThumbnailByID(l.member.Context(), v.ID, "")
	require.NoError(t, err)

	for name, want := range map[string][2]int{"xl.jpg": {426, 3840}, "small.jpg": {320, 2880}} {
		made, err := l.desk.Thumbnail(l.member.Context(), played, name)
		require.NoError(t, err)
		require.Equal(t, want, dimensions(t, l.path(made)), name)
	}
}

func dimensions(t *testing.T, path string) [2]int {
	t.Helper()

	f, err := os.Open(path)
	require.NoError(t, err)

	defer f.Close()

	config, _, err := image.DecodeConfig(f)
	require.NoError(t, err)

	return [2]int{config.Width, config.Height}
}
