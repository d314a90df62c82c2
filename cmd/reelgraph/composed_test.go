package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// requireLook adds one effect after the other to a clip of a screen and a camera through the API, and
// measures the exported pixels. Its artboard is 1920×216 with a padding of 10: the screen is at 786, 10 and
// measures 348×196, the camera is at 4, 4 and measures 114×64.
func (s *host) requireLook(events <-chan delivered) {
	s.Helper()

	screen, camera := s.upload(footage.Film{Frames: 60}), s.upload(footage.Film{Frames: 50, FPS: 25})

	var video struct{ Video struct{ ID string } }
	s.call("POST", "/v1/videos", `{"sourceId":"`+screen+`","cameraSourceId":"`+camera+`","dimensions":{"width":1920,"height":216}}`, &video)

	var list struct{ Clips []struct{ ID string } }
	s.call("GET", "/v1/videos/"+video.Video.ID+"/clips", "", &list)
	clip := "/v1/videos/" + video.Video.ID + "/clips/" + list.Clips[0].ID

	for _, edit := range []struct{ method, path, body string }{
		{"PATCH", "", `{"background":{"type":"solid","color":"#00FF00"},"corners":"none"}`},
		{"POST", "/layouts", `{"layout":{"kind":"camera-bubble","position":"top-left","shape":"wide","size":"L"}}`},
		{"POST", "/blurs", `{"startTimeMs":1500,"durationMs":500,"point":{"xPct":0,"yPct":0},"dimensions":{"widthPct":100,"heightPct":100}}`},
		{"POST", "/zooms", `{"type":"manualZoom","startTimeMs":500,"durationMs":500,"scale":2,"focusPoint":{"xPct":0,"yPct":0}}`},
		{"POST", "/text-overlays", `{"text":"Hello","startTimeMs":0,"durationMs":1000,"point":{"xPct":75,"yPct":25},` +
			`"dimensions":{"width":200,"height":100},"background":"#0000FF","backgroundShape":"square","fontSize":40}`},
	} {
		s.call(edit.method, clip+edit.path, edit.body, &struct{}{})
	}

	var export exported
	s.call("POST", "/v1/videos/"+video.Video.ID+"/exports", `{}`, &export)
	s.requireFetched(clip)

	select {
	case got := <-events:
		require.Equal(s, export.Export.ExportID, got.exportID)
		s.requireComposed(got.path)
	case <-time.After(time.Minute):
		require.FailNow(s, "no webhook arrived")
	}
}

func (s *host) requireComposed(path string) {
	s.Helper()

	seen, err := footage.Indices(s.Context(), path, footage.Window{X: 786, Y: 10, Width: 348, Height: 196})
	require.NoError(s, err)
	filmed, err := footage.Indices(s.Context(), path, footage.Window{X: 4, Y: 4, Width: 114, Height: 64})
	require.NoError(s, err)
	require.Len(s, seen, 60)

	for n := range seen {
		require.Equal(s, n*25/30, filmed[n], "camera, frame %d", n)

		if n <= 15 || n >= 30 {
			require.Equal(s, n, seen[n], "screen, frame %d", n)
		}
	}

	// A blurred screen has no edges.
	require.Greater(s, s.edge(path, 40), 100)
	require.Less(s, s.edge(path, 50), 60)

	// The text's background is blue while the text is shown; the zoom shows the upper left quarter of the screen.
	require.Equal(s, [3]byte{0, 255, 0}, s.colour(path, 1300, 20, 0))
	require.Equal(s, [3]byte{0, 0, 255}, s.colour(path, 1450, 64, 15))
	require.Equal(s, [3]byte{0, 255, 0}, s.colour(path, 1450, 64, 45))
	require.NotEqual(s, 22, seen[22])
}

// edge is the largest difference between neighbouring pixels in a row of the screen.
func (s *host) edge(path string, frame int) int {
	s.Helper()

	const width, height = 340, 188

	grey := s.pixels(path, fmt.Sprintf("select=eq(n\\,%d),crop=%d:%d:790:14,format=gray", frame, width, height))
	require.Len(s, grey, width*height)

	most := 0

	for i := 1; i < len(grey); i++ {
		if i%width > 0 {
			most = max(most, int(grey[i])-int(grey[i-1]), int(grey[i-1])-int(grey[i]))
		}
	}

	return most
}

// pixels returns the pixels of a film after a filter.
func (s *host) pixels(path, filter string) []byte {
	s.Helper()

	var out bytes.Buffer

	require.NoError(s, footage.FFmpeg(s.Context(), nil, &out, "-v", "error", "-nostdin", "-i", path,
		"-vf", filter, "-frames:v", "1", "-f", "rawvideo", "pipe:1"))

	return out.Bytes()
}

// colour returns the colour of an 8×8 part of a frame, each channel rounded to the nearest third.
func (s *host) colour(path string, x, y, frame int) [3]byte {
	s.Helper()

	rgb := s.pixels(path, fmt.Sprintf(
		"select=eq(n\\,%d),crop=8:8:%d:%d,scale=1:1:flags=area:in_color_matrix=bt709,format=rgb24", frame, x, y))
	require.Len(s, rgb, 3)

	var c [3]byte

	for i, v := range rgb {
		switch {
		case v > 235:
			c[i] = 255
		case v > 20:
			c[i] = v
		}
	}

	return c
}

// requireFetched adds pictures to a clip by their address.
func (s *host) requireFetched(clip string) {
	s.Helper()

	var asked atomic.Int64

	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/logo.png":
			asked.Add(1)
			assert.NoError(s, png.Encode(w, image.NewGray(image.Rect(0, 0, 64, 36))))
		case "/page":
			fmt.Fprint(w, "<html>no picture</html>")
		case "/huge":
			w.Header().Set("Content-Length", "10485761")
		case "/endless":
			for range 11 << 10 {
				_, _ = w.Write(make([]byte, 1<<10)) // the client does not read to the end
			}
		default:
			http.NotFound(w, r)
		}
	}))
	s.Cleanup(elsewhere.Close)

	var laid struct {
		Layout struct {
			Layout struct{ Kind string }
			Media  struct {
				Type, SourceID, URL string
				Width, Height       int
			}
		}
	}

	// Layouts of other kinds than b-roll show media too.
	s.call("POST", clip+"/layouts", `{"layout":{"kind":"screen-only","style":"fullscreen"},"startTimeMs":0,"durationMs":500,`+
		`"media":{"type":"image","imageUrl":"`+elsewhere.URL+`/logo.png","width":1,"height":1}}`, &laid)
	require.Equal(s, "screen-only", laid.Layout.Layout.Kind)
	require.Equal(s, "image", laid.Layout.Media.Type)
	require.Equal(s, []int{64, 36}, []int{laid.Layout.Media.Width, laid.Layout.Media.Height})
	require.NotEmpty(s, laid.Layout.Media.URL)
	require.EqualValues(s, 1, asked.Load())

	var source struct {
		Source struct{ Kind, Status, Name string }
	}
	s.call("GET", "/v1/sources/"+laid.Layout.Media.SourceID, "", &source)
	require.Equal(s, []string{"image", "ready", "logo.png"}, []string{source.Source.Kind, source.Source.Status, source.Source.Name})

	for address, why := range map[string]string{
		elsewhere.URL + "/nothing":     "its server answered with status 404",
		elsewhere.URL + "/huge":        "larger than 10 MiB",
		elsewhere.URL + "/endless":     "larger than 10 MiB",
		elsewhere.URL + "/page":        "failed",
		"http://169.254.169.254/a.png": "not allowed",
	} {
		a := s.ask("POST", clip+"/layouts", `{"startTimeMs":600,"durationMs":300,"media":{"type":"image","imageUrl":"`+address+`"}}`)
		require.Equal(s, http.StatusBadRequest, a.Status, a.Body)
		require.Contains(s, a.Body, "media.imageUrl")
		require.Contains(s, a.Body, why)
	}
}
