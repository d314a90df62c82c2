package webhook_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

func TestBodies(t *testing.T) {
	t.Parallel()

	at := time.Date(2026, time.March, 1, 10, 20, 30, 7_999_999, time.FixedZone("", 3600))
	video := event.Video{VideoID: "vid_1", VideoName: `A "b" <c> & é`}
	playlist := event.Playlist{PlaylistID: "pl_1", PlaylistName: "P"}

	const (
		head = `{"type":"`
		mid  = `","timestamp":"2026-03-01T09:20:30.007Z","data":{`
		tail = `,"timestamp":"2026-03-01T09:20:30.007Z"}}`
		vid  = `"videoId":"vid_1","videoName":"A \"b\" <c> & é"`
		list = `"playlistId":"pl_1","playlistName":"P"`
	)

	problem := event.Problem{Code: "bad", Message: "No."}
	for _, c := range []struct {
		data  string
		event event.Event
	}{
		{vid, event.VideoCreatedEvent{Video: video}},
		{vid + `,"language":"en"`, event.TranscriptReadyEvent{Video: video, Language: "en"}},
		{vid + `,"error":{"code":"bad","message":"No."}`, event.TranscriptFailedEvent{Video: video, Error: problem}},
		{vid + `,"exportId":"exp_1","downloadUrl":"https://x/?a=1&b=2"`, event.ExportReadyEvent{Video: video, ExportID: "exp_1", DownloadURL: "https://x/?a=1&b=2"}},
		{vid + `,"exportId":"exp_1","error":{"code":"bad","message":"No."}`, event.ExportFailedEvent{Video: video, ExportID: "exp_1", Error: problem}},
		{list, event.PlaylistCreatedEvent{Playlist: playlist}},
		{list + `,` + vid, event.PlaylistVideoAddedEvent{Playlist: playlist, Video: video}},
		{`"viewId":"view_1",` + vid + `,"views":3,"startedAt":"2026-03-01T09:20:30.007Z"`, event.VideoViewedEvent{ViewID: "view_1", Video: video, Views: 3, StartedAt: event.Timestamp(at)}},
		{vid + `,"milestone":5,"views":5`, event.VideoMilestoneEvent{Video: video, Milestone: 5, Views: 5}},
	} {
		body, err := event.Body(c.event, at)
		require.NoError(t, err)
		require.Equal(t, head+string(c.event.Kind())+mid+c.data+tail, string(body))
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()

	kinds := values.EventType("").Values()
	for _, kind := range kinds {
		ev := event.Sample(values.EventType(kind))
		require.NotNil(t, ev, kind)
		require.Equal(t, values.EventType(kind), ev.Kind())
		body, err := event.Body(ev, time.Now())
		require.NoError(t, err)
		require.True(t, json.Valid(body), string(body))
	}

	require.Nil(t, event.Sample("video.deleted"))
}
