package extracts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// red writes a red picture of 600 x 200, stores it, and returns its key and what is in it.
func (l *lab) red() (key string, info []byte) {
	l.Helper()

	picture := image.NewRGBA(image.Rect(0, 0, 600, 200))
	for i := range 600 * 200 {
		picture.Set(i%600, i/600, color.RGBA{R: 255, A: 255})
	}

	path := filepath.Join(l.TempDir(), "red.png")
	file, err := os.Create(path)
	require.NoError(l, err)
	require.NoError(l, png.Encode(file, picture))
	require.NoError(l, file.Close())

	found, err := probe.File(l.Context(), l.deps.Engine.Tools, path, probe.KindImage)
	require.NoError(l, err)
	info, err = json.Marshal(found)
	require.NoError(l, err)

	key, err = blob.NewKey("thumbnails", "")
	require.NoError(l, err)
	_, err = l.Resolver.Blobs.PutFile(l.Context(), key, path)
	require.NoError(l, err)

	return key, info
}

// thumbnail returns the path of a thumbnail file of a video.
func (l *lab) thumbnail(v *ent.Video, name string) string {
	l.Helper()

	ctx := l.member.Context()
	of, err := l.Resolver.Services.Exports.ThumbnailByID(ctx, v.ID, name)
	require.NoError(l, err)
	made, err := l.desk.Thumbnail(ctx, of, name)
	require.NoError(l, err)

	return l.path(made)
}

// frames returns the number of the frame that each thumbnail shows first: still ones, moving ones, and the still of
// getVideoThumbnail.
func (l *lab) frames(v *ent.Video) [3]int {
	l.Helper()

	first := func(path string) int { return shown(l.T, path)[0] }

	require.Equal(l, first(l.thumbnail(v, "small.jpg")), first(l.thumbnail(v, "xl.webp")))
	require.Equal(l, first(l.thumbnail(v, "small.gif")), first(l.thumbnail(v, "large.mp4")))

	return [3]int{
		first(l.thumbnail(v, "medium.jpg")), first(l.thumbnail(v, "medium.gif")),
		first(l.picture("/v1/videos/" + v.ID + "/thumbnail?response=json")),
	}
}

func (l *lab) choose(v *ent.Video, input string) {
	l.Helper()

	g := l.Ask(l.T, l.member.Key, `mutation { setThumbnail(videoId: "`+v.ID+`", input: `+input+`) { video { id } } }`, nil)
	require.Empty(l, g.Errors, g.Body)
}

// A chosen frame is drawn from the film as it is now. Moving thumbnails and stills stay the film's, and a frame that is
// cut away gives way to the first.
func TestThumbnailsShowTheChosenFrame(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, _ := l.video(counter(t))
	require.Equal(t, [3]int{0, 0, 0}, l.frames(v))

	l.choose(v, `{atMs: 1000}`)
	require.Equal(t, [3]int{30, 0, 0}, l.frames(v))

	l.cut(v, values.SpanOf(0, 500))
	require.Equal(t, [3]int{30, 15, 15}, l.frames(v))

	l.cut(v, values.SpanOf(900, 300))
	require.Equal(t, [3]int{0, 0, 0}, l.frames(v))

	l.cut(v, values.SpanOf(1500, 100))
	require.Equal(t, [3]int{30, 0, 0}, l.frames(v), "the cut is gone")

	l.choose(v, `{}`)
	require.Equal(t, [3]int{0, 0, 0}, l.frames(v))
}

// An uploaded image, and the copy of a picture at an address, are shown in every still size, with their own shape.
func TestThumbnailsShowTheChosenImage(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, _ := l.video(counter(t))
	key, info := l.red()
	image := testkit.NewSource(t, l.Store, l.member, testkit.SourceOpts{Kind: values.SourceKindImage})
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Source.UpdateOne(image).SetBlobKey(key).SetProbe(info).SetDurationMs(0).SetWidth(600).SetHeight(200).ExecX(ctx)
	})

	l.choose(v, `{sourceId: "`+image.ID+`"}`)
	l.isRed(v)

	l.choose(v, `{}`)
	require.Equal(t, [3]int{0, 0, 0}, l.frames(v))

	settings := values.DefaultVideoSettings()
	settings.CustomThumbnailURL = "https://pictures.example/red.png"

	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Video.UpdateOne(v).SetSettings(settings).SetThumbnailKey(key).SetThumbnailWidth(600).SetThumbnailHeight(200).ExecX(ctx)
	})
	l.isRed(v)
}

// isRed requires that the still thumbnails of a video show the red picture, and its moving ones do not.
func (l *lab) isRed(v *ent.Video) {
	l.Helper()

	for size, width := range map[string]int{"small": 320, "medium": 640, "large": 1280, "xl": 1920} {
		path := l.thumbnail(v, size+".jpg")
		require.Equal(l, width, dimensions(l.T, path)[0])
		require.InDelta(l, width/3, dimensions(l.T, path)[1], 1)

		file, err := os.Open(path)
		require.NoError(l, err)
		picture, _, err := image.Decode(file)
		require.NoError(l, err)
		require.NoError(l, file.Close())

		r, g, b, _ := picture.At(width/2, width/6).RGBA()
		require.Greater(l, r>>8, uint32(230))
		require.Less(l, max(g, b)>>8, uint32(25))
	}

	require.NotEmpty(l, l.thumbnail(v, "small.webp"))
	require.Equal(l, 0, shown(l.T, l.thumbnail(v, "small.mp4"))[0])
}

// The still thumbnails of a new video, of its copy and of a new choice are made without being asked for, once; moving
// ones are not.
func TestThumbnailsAreMadeAhead(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	src := l.source(counter(t))

	a := l.Call(t, l.member.Key, http.MethodPost, "/v1/videos", `{"sourceId":"`+src.ID+`"}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Empty(t, l.extracts(), "no request waits for them")

	l.work()

	made := func() (ready []string) {
		for _, e := range l.extracts() {
			ready = append(ready, fmt.Sprint(e.Status, " ", len(e.Files)))
		}

		return ready
	}
	becomes := func(count int) {
		t.Helper()

		want := make([]string, count)
		for i := range want {
			want[i] = "ready 8" // four sizes, as jpg and webp
		}

		require.Eventually(t, func() bool {
			var open int

			require.NoError(t, l.Store.DB.QueryRow(`SELECT count(*) FROM river_job WHERE queue = 'media' AND finalized_at IS NULL`).Scan(&open))

			return open == 0
		}, browser.Patience, 20*time.Millisecond)
		require.Equal(t, want, made())
	}

	becomes(1)

	v := l.Store.Client(t.Context()).Video.Query().OnlyX(l.member.Context())
	require.Equal(t, 0, shown(t, l.thumbnail(v, "small.jpg"))[0])
	becomes(1)

	l.choose(v, `{atMs: 500}`)
	becomes(2)
	l.choose(v, `{}`)
	becomes(2)

	g := l.Ask(t, l.member.Key, `mutation { duplicateVideo(id: "`+v.ID+`", input: {trim: {startSeconds: 0.5, endSeconds: 2}}) { video { id } } }`, nil)
	require.Empty(t, g.Errors, g.Body)
	becomes(3)

	copied := l.Store.Client(t.Context()).Video.Query().Where(video.IDNEQ(v.ID)).OnlyX(l.member.Context())
	require.Equal(t, 15, shown(t, l.thumbnail(copied, "small.jpg"))[0])
	require.Equal(t, 3, l.made())
}

// The picture of a person is the middle of an image.
func TestAvatarIsSquare(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	key, info := l.red()
	image := testkit.NewSource(t, l.Store, l.member, testkit.SourceOpts{Kind: values.SourceKindImage})
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		image = c.Source.UpdateOne(image).SetBlobKey(key).SetProbe(info).SetDurationMs(0).SetWidth(600).SetHeight(200).SaveX(ctx)
	})

	made, err := l.desk.Avatar(l.member.Context(), image)
	require.NoError(t, err)
	require.Equal(t, [2]int{256, 256}, dimensions(t, l.path(made)))
}
