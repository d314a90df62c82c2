package extracts_test

import (
	"image"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pointer is drawn from the events that came inline with the request that created the video, at their positions.
func TestInlinePointerIsDrawn(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	src := l.source(counter(t))

	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
	}

	l.post("/v1/videos", `{"sourceId":"`+src.ID+`","mouseEvents":[
		{"timeMs":0,"xPct":25,"yPct":50,"type":"move"},{"timeMs":1900,"xPct":25,"yPct":50,"type":"move"}]}`, &made)

	path := "/v1/videos/" + made.Video.ID
	picture := func() image.Image {
		return decoded(t, l.picture(path+"/thumbnail?response=json&format=png&inpointMs=300"))
	}
	with := picture()

	l.patch(path+"/clips/"+made.Video.ClipIDs[0], `{"animatedCursor":false}`)

	without := picture()
	size := with.Bounds()
	require.Equal(t, size, without.Bounds())

	var changed image.Rectangle

	for y := range size.Dy() {
		for x := range size.Dx() {
			if with.At(x, y) != without.At(x, y) {
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}

	require.False(t, changed.Empty(), "no pointer is drawn")
	require.InDelta(t, 0.25, float64(changed.Min.X)/float64(size.Dx()), 0.1)
	require.InDelta(t, 0.5, float64(changed.Min.Y)/float64(size.Dy()), 0.1)
	require.Less(t, changed.Dx(), size.Dx()/4)
	require.Less(t, changed.Dy(), size.Dy()/2)
}

func decoded(t *testing.T, path string) image.Image {
	t.Helper()

	f, err := os.Open(path)
	require.NoError(t, err)

	defer f.Close()

	picture, _, err := image.Decode(f)
	require.NoError(t, err)

	return picture
}
