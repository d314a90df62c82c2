package extracts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Any number of concurrent mutations that select pictures succeed: none waits for a picture in its transaction. The
// request that opens the address waits for it. The pictures show nothing that was cut.
func TestPicturesInsideTransactions(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.desk.Wait = 20 * time.Second
	l.work()

	v, _ := l.video(counter(t))
	l.cut(v, values.SpanOf(500, 500))

	answers := make([]api.Graph, 40) // more than there are connections

	var (
		all   sync.WaitGroup
		sheet string
	)

	for i := range answers {
		all.Go(func() {
			answers[i] = l.Ask(t, l.member.Key, `mutation($id: ID!, $name: String!, $width: Int!) {
				updateVideo(id: $id, input: {name: $name}) { video { still(width: $width) storyboard { url } } }
			}`, map[string]any{"id": v.ID, "name": fmt.Sprint("Film ", i), "width": 100 + i%2})
		})
	}

	all.Wait()

	for i, a := range answers {
		require.Empty(t, a.Errors, "%d", i)

		var said struct {
			Data struct {
				UpdateVideo struct {
					Video struct {
						Still      string
						Storyboard struct{ URL string }
					}
				}
			}
		}

		require.NoError(t, json.Unmarshal([]byte(a.Body), &said))
		shown := said.Data.UpdateVideo.Video

		for _, url := range []string{shown.Still, shown.Storyboard.URL} {
			id, _, _ := strings.Cut(strings.TrimPrefix(url, api.BaseURL+"/stills/"), "/")
			made, err := l.desk.Made(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, values.ExtractStatusReady, made.Status)

			sheet = l.file(url)
		}
	}

	// A picture every 93 ms: six of them before the cut, which goes from frame 15 to 30.
	require.Equal(t, []int{0, 2, 5, 8, 11, 13, 31, 34, 37, 40, 42, 45, 48, 51, 54, 56}, tiles(t, sheet))

	require.Len(t, l.extracts(), 3)
	require.Equal(t, 3, l.made())
}

// A mutation that needs a result to continue does not wait for it inside its transaction: nothing is executed, and
// the result is made for the retry.
func TestCropInsideTransaction(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	v, _ := l.video(desktop(t))
	again := func() api.Graph {
		return l.Ask(t, l.member.Key, `mutation($id: ID!, $clip: ID!) {
			updateVideo(id: $id, input: {name: "Cropped"}) { video { id } }
			autoCrop(clipId: $clip) { confidence }
		}`, map[string]any{"id": v.ID, "clip": v.Edges.Clips[0].ID})
	}

	a := again()
	require.Len(t, a.Errors, 1)
	require.Equal(t, "unavailable", a.Code())
	require.Len(t, l.extracts(), 1)

	detail := l.Call(t, l.member.Key, http.MethodGet, "/v1/videos/"+v.ID, "")
	require.NotContains(t, detail.Body, "Cropped")

	l.work()
	require.Eventually(t, func() bool { return l.extracts()[0].Status == values.ExtractStatusReady }, time.Minute, 10*time.Millisecond)
	require.Empty(t, again().Errors)
}
