package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// track is a source that a test records.
type track struct{ SourceID, UploadURL string }

// declare creates a source without content.
func (s *host) declare(body string) track {
	s.Helper()

	var made track
	s.call("POST", "/v1/sources", body, &made)

	return made
}

// send uploads a file and waits until it is probed.
func (s *host) send(to track, path string) {
	s.Helper()

	content, err := os.ReadFile(path)
	require.NoError(s, err)

	r, err := http.NewRequestWithContext(s.Context(), http.MethodPut, to.UploadURL, bytes.NewReader(content))
	require.NoError(s, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	body, err := io.ReadAll(answer.Body)
	require.NoError(s, err)
	require.Equal(s, http.StatusOK, answer.StatusCode, string(body))
}

// tracksAreRecorded creates a video before its three tracks are uploaded; afterwards the tracks are aligned by their clocks.
func (s *host) tracksAreRecorded() {
	s.Helper()

	film := func(name string, f footage.Film) string {
		path := filepath.Join(s.TempDir(), name)
		require.NoError(s, footage.Counter(s.Context(), path, f))

		return path
	}
	clock := func(first float64) string {
		return fmt.Sprintf(`{"id":"take","captureTimesMs":[%g,%g,%g],"startedAtMs":%g}`, first, first+33.4, first+66.7, first-2)
	}

	screen := s.declare(`{"name":"take.mp4","width":320,"height":180,"clock":` + clock(5000.2) + `}`)
	camera := s.declare(`{"role":"camera","clock":` + clock(5400.3) + `}`)
	voice := s.declare(`{"kind":"audio","audio":"microphone","clock":` + clock(4750) + `}`)

	tracks := fmt.Sprintf(`{"sourceId":%q,"cameraSourceId":%q,"microphoneSourceId":%q`, screen.SourceID, camera.SourceID, voice.SourceID)
	require.Equal(s, http.StatusConflict, s.ask("POST", "/v1/videos", tracks+`}`).Status, "not before the tracks are uploaded")

	var made struct {
		Video struct {
			ID              string
			Name            string
			DurationSeconds float64
		}
	}
	s.call("POST", "/v1/videos", tracks+`,"whenReady":true}`, &made)
	require.Equal(s, "take", made.Video.Name)
	require.Zero(s, made.Video.DurationSeconds)

	video := "/v1/videos/" + made.Video.ID
	require.Equal(s, http.StatusConflict, s.ask("POST", video+"/exports", `{}`).Status)
	require.Equal(s, http.StatusConflict, s.ask("GET", video+"/thumbnail", "").Status)

	s.send(screen, film("screen.mp4", footage.Film{Frames: 120, Tone: 440}))
	s.send(voice, film("voice.mkv", footage.Film{Frames: 60, Tone: 1000, SoundMs: 2_000}))
	require.Equal(s, http.StatusConflict, s.ask("POST", video+"/exports", `{}`).Status, "the camera is still missing")
	s.send(camera, film("camera.mp4", footage.Film{Frames: 120}))

	s.call("GET", video, "", &made)
	require.InDelta(s, 4.4, made.Video.DurationSeconds, 1e-9, "up to the end of the camera, which began 400 ms late")

	var clips struct {
		Clips []struct {
			ID                 string
			MaxDurationSeconds float64
			MicrophoneVolume   json.RawMessage
			SystemAudioVolume  json.RawMessage
		}
	}
	s.call("GET", video+"/clips", "", &clips)
	require.InDelta(s, 4.4, clips.Clips[0].MaxDurationSeconds, 1e-9)
	require.Equal(s, "null", string(clips.Clips[0].MicrophoneVolume), "present, and follows the video's")
	require.Equal(s, "null", string(clips.Clips[0].SystemAudioVolume))

	var sources struct {
		Sources []struct {
			ID, Medium, URL string
			OffsetMs        int64
			Bytes           int
		}
	}
	s.call("GET", video+"/clips/"+clips.Clips[0].ID+"/sources", "", &sources)

	var said []string
	for _, one := range sources.Sources {
		said = append(said, fmt.Sprint(one.Medium, one.OffsetMs))

		whole := s.fetch(one.URL, "")
		require.Len(s, whole.Body, one.Bytes)
		require.Equal(s, whole.Body[10:20], s.fetch(one.URL, "bytes=10-19").Body)
	}

	require.Equal(s, []string{"screen0", "camera400", "microphone-250"}, said)

	var silences json.RawMessage
	s.call("GET", video+"/clips/"+clips.Clips[0].ID+"/silences", "", &silences)
	require.Contains(s, string(silences), `"startTimeMs":17`, "of the microphone, which falls silent after 1.75 s")

	var export exported
	s.call("POST", video+"/exports", `{}`, &export)
}

// fetch reads a signed address, or a range of it.
func (s *host) fetch(address, span string) (a api.Answer) {
	s.Helper()

	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, address, nil)
	require.NoError(s, err)

	if span != "" {
		r.Header.Set("Range", span)
	}

	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	body, err := io.ReadAll(answer.Body)
	require.NoError(s, err)

	return api.Answer{Status: answer.StatusCode, Body: string(body), Header: answer.Header}
}
