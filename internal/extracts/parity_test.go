package extracts_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// REST and the graph return the same results computed from recordings.
func TestParityOfPicturesAndSound(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, src := l.video(func(path string) error {
		return footage.Talk(t.Context(), path, footage.Film{FPS: 10, Frames: 60}, 500, 1500)
	})
	video := "/v1/videos/" + v.ID
	clip := video + "/clips/" + v.Edges.Clips[0].ID
	sheet := `{ url columns rows intervalMs }`

	g := l.Ask(t, l.member.Key, `query ($v: ID!, $c: ID!, $s: ID!) {
		video(id: $v) { still storyboard `+sheet+` }
		clip(id: $c) {
			still storyboard `+sheet+` sourceStill(sourceId: $s)
			waveform(sourceId: $s) { version channels sampleRate samplesPerPixel bits length data }
		}
		source(id: $s) { storyboard `+sheet+` }
	}`, map[string]any{"v": v.ID, "c": v.Edges.Clips[0].ID, "s": src.ID})
	require.Empty(t, g.Errors, g.Body)

	of := func(thing, field string) any { return g.Data[thing].(map[string]any)[field] }

	for path, told := range map[string]any{
		video + "/thumbnail":                       map[string]any{"url": of("video", "still")},
		video + "/storyboard":                      of("video", "storyboard"),
		clip + "/thumbnail":                        map[string]any{"url": of("clip", "still")},
		clip + "/storyboard":                       of("clip", "storyboard"),
		clip + "/sources/" + src.ID + "/thumbnail": map[string]any{"url": of("clip", "sourceStill")},
		clip + "/sources/" + src.ID + "/waveform":  of("clip", "waveform"),
		"/v1/sources/" + src.ID + "/storyboard":    of("source", "storyboard"),
	} {
		if !strings.HasSuffix(path, "/waveform") {
			path += "?response=json"
		}

		var said map[string]any

		l.get(path, &said)
		require.Equal(t, unsigned(said), unsigned(told.(map[string]any)), path)
	}

	require.Equal(t, http.StatusFound, l.Call(t, l.member.Key, http.MethodGet, video+"/thumbnail", "").Status)
}

// unsigned removes the signature from the address in a response.
func unsigned(answer map[string]any) map[string]any {
	if url, is := answer["url"].(string); is {
		answer["url"], _, _ = strings.Cut(url, "?")
	}

	return answer
}
