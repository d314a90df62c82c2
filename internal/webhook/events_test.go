package webhook_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

func TestBodies(t *testing.T) {
	t.Parallel()

	at := time.Date(2026, time.March, 1, 10, 20, 30, 7_999_999, time.FixedZone("", 3600))
	video := webhook.Video{VideoID: "vid_1", VideoName: `A "b" <c> & é`}
	playlist := webhook.Playlist{PlaylistID: "pl_1", PlaylistName: "P"}
	const (
		head = `{"type":"`
		mid  = `","timestamp":"2026-03-01T09:20:30.007Z","data":{`
		tail = `,"timestamp":"2026-03-01T09:20:30.007Z"}}`
		vid  = `"videoId":"vid_1","videoName":"A \"b\" <c> & é"`
		list = `"playlistId":"pl_1","playlistName":"P"`
	)
	problem := webhook.Problem{Code: "bad", Message: "No."}
	for data, event := range map[string]webhook.Event{
		vid:                      webhook.VideoCreatedEvent{Video: video},
		vid + `,"language":"en"`: webhook.TranscriptReadyEvent{Video: video, Language: "en"},
		vid + `,"error":{"code":"bad","message":"No."}`:                    webhook.TranscriptFailedEvent{Video: video, Error: problem},
		vid + `,"exportId":"exp_1","downloadUrl":"https://x/?a=1&b=2"`:     webhook.ExportReadyEvent{Video: video, ExportID: "exp_1", DownloadURL: "https://x/?a=1&b=2"},
		vid + `,"exportId":"exp_1","error":{"code":"bad","message":"No."}`: webhook.ExportFailedEvent{Video: video, ExportID: "exp_1", Error: problem},
		list:             webhook.PlaylistCreatedEvent{Playlist: playlist},
		list + `,` + vid: webhook.PlaylistVideoAddedEvent{Playlist: playlist, Video: video},
		`"viewId":"view_1",` + vid + `,"views":3,"startedAt":"2026-03-01T09:20:30.007Z"`: webhook.VideoViewedEvent{ViewID: "view_1", Video: video, Views: 3, StartedAt: webhook.Timestamp(at)},
		vid + `,"milestone":5,"views":5`:                                                 webhook.VideoMilestoneEvent{Video: video, Milestone: 5, Views: 5},
	} {
		body, err := webhook.Body(event, at)
		require.NoError(t, err)
		require.Equal(t, head+string(event.Kind())+mid+data+tail, string(body))
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()

	kinds := values.EventType("").Values()
	for _, kind := range kinds {
		event := webhook.Sample(values.EventType(kind))
		require.NotNil(t, event, kind)
		require.Equal(t, values.EventType(kind), event.Kind())
		body, err := webhook.Body(event, time.Now())
		require.NoError(t, err)
		require.True(t, json.Valid(body), string(body))
	}
	require.Nil(t, webhook.Sample("video.deleted"))
}
