package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// The number of sounds that may play at once is limited to what an export can decode in parallel, wherever they begin.
func TestEffectsAtOnce(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	who := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, who, testkit.VideoOpts{})
	sound := testkit.NewSource(t, s.Store, who, testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true})
	clip := "/v1/videos/" + video.ID + "/clips/" + video.Edges.Clips[0].ID + "/sound-effects"

	var all []string
	for i := range 32 {
		all = append(all, fmt.Sprintf(`{"type":"add_sound_effect","operationId":"o%d","clipId":%q,"sourceId":%q,"startTimeMs":%d,"durationMs":1000,"volume":1}`,
			i, video.Edges.Clips[0].ID, sound.ID, 10*i))
	}

	a := s.Call(t, who.Key, http.MethodPost, "/v1/videos/"+video.ID+"/edits", `{"operations":[`+strings.Join(all, ",")+`]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	add := func(startMs int) api.Answer {
		return s.Call(t, who.Key, http.MethodPost, clip,
			fmt.Sprintf(`{"sourceId":%q,"startTimeMs":%d,"durationMs":500,"volume":1}`, sound.ID, startMs))
	}

	a = add(400) // all 32 play from 310 to 1000
	require.Equal(t, http.StatusBadRequest, a.Status, a.Body)
	require.Contains(t, a.Body, "startTimeMs must not result in more than 32 effects of this kind at the same moment.")

	a = add(1010) // the first two have ended
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	var made struct {
		SoundEffect struct{ ID string } `json:"soundEffect"`
	}

	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))

	a = s.Call(t, who.Key, http.MethodPatch, clip+"/"+made.SoundEffect.ID, `{"startTimeMs":990}`)
	require.Equal(t, http.StatusBadRequest, a.Status, a.Body)
}
