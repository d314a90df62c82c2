// Package event defines the events that webhooks deliver and encodes their bodies. Start with Event and Body.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Milestones are the view counts at which a VideoMilestoneEvent is sent.
func Milestones() []int64 { return []int64{1, 5, 10, 25, 50, 100, 500, 1000, 5000, 10000} }

// Event is the content of the `data` field of a delivery, without the timestamp.
type Event interface{ Kind() values.EventType }

// Video identifies the video of an event. Most events embed it.
type Video struct {
	VideoID   string `json:"videoId"`
	VideoName string `json:"videoName"`
}

// VideoOf returns the fields that identify a video in an event. Every publisher uses it, so that no field is left
// out.
func VideoOf(id, name string) Video { return Video{VideoID: id, VideoName: name} }

// Playlist identifies the playlist of an event.
type Playlist struct {
	PlaylistID   string `json:"playlistId"`
	PlaylistName string `json:"playlistName"`
}

// Problem describes why something failed. It has the same code and message as the resource itself.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// There is one event type for each kind.
type (
	// ExportFailedEvent is sent when an export ends without a file.
	ExportFailedEvent struct {
		Video

		ExportID string  `json:"exportId"`
		Error    Problem `json:"error"`
	}

	// ExportReadyEvent is sent when an export can be downloaded. The signature of DownloadURL is valid until the file
	// is removed.
	ExportReadyEvent struct {
		Video

		ExportID    string `json:"exportId"`
		DownloadURL string `json:"downloadUrl"`
	}

	// PlaylistCreatedEvent is sent when a playlist is created.
	PlaylistCreatedEvent struct{ Playlist }

	// PlaylistVideoAddedEvent is sent when a video is added to a playlist.
	PlaylistVideoAddedEvent struct {
		Playlist
		Video
	}

	// TranscriptFailedEvent is sent when a video's transcript could not be made.
	TranscriptFailedEvent struct {
		Video

		Error Problem `json:"error"`
	}

	// TranscriptReadyEvent is sent when a video's transcript is ready.
	TranscriptReadyEvent struct {
		Video

		Language string `json:"language"`
	}

	// VideoCreatedEvent is sent when a video is created or duplicated.
	VideoCreatedEvent struct{ Video }

	// VideoMilestoneEvent is sent when a video reaches one of Milestones.
	VideoMilestoneEvent struct {
		Video

		Milestone int64 `json:"milestone"`
		Views     int64 `json:"views"`
	}

	// VideoViewedEvent is sent when a viewer starts a video.
	VideoViewedEvent struct {
		ViewID string `json:"viewId"`
		Video

		Views     int64     `json:"views"`
		StartedAt Timestamp `json:"startedAt"`
	}
)

// Kind implements Event.
func (ExportFailedEvent) Kind() values.EventType { return values.EventTypeExportFailed }

// Kind implements Event.
func (ExportReadyEvent) Kind() values.EventType { return values.EventTypeExportReady }

// Kind implements Event.
func (PlaylistCreatedEvent) Kind() values.EventType { return values.EventTypePlaylistCreated }

// Kind implements Event.
func (PlaylistVideoAddedEvent) Kind() values.EventType { return values.EventTypePlaylistVideoAdded }

// Kind implements Event.
func (TranscriptFailedEvent) Kind() values.EventType { return values.EventTypeTranscriptFailed }

// Kind implements Event.
func (TranscriptReadyEvent) Kind() values.EventType { return values.EventTypeTranscriptReady }

// Kind implements Event.
func (VideoCreatedEvent) Kind() values.EventType { return values.EventTypeVideoCreated }

// Kind implements Event.
func (VideoMilestoneEvent) Kind() values.EventType { return values.EventTypeVideoMilestone }

// Kind implements Event.
func (VideoViewedEvent) Kind() values.EventType { return values.EventTypeVideoViewed }

// Timestamp is a time that is encoded in the datetime format of the API contract: UTC with exactly three decimals.
type Timestamp time.Time

// MarshalJSON implements json.Marshaler.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(t).UTC().Truncate(time.Millisecond).Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// Body returns the JSON body of a delivery, which is stored, signed and sent. It has the fields `type`, `timestamp`
// and `data`. After the event's own fields, `data` contains the timestamp again.
func Body(event Event, at time.Time) ([]byte, error) {
	timestamp, err := encode(Timestamp(at))
	if err != nil {
		return nil, err
	}

	data, err := encode(event)
	if err != nil {
		return nil, err
	}

	return fmt.Appendf(nil, `{"type":%q,"timestamp":%s,"data":%s,"timestamp":%s}}`,
		event.Kind(), timestamp, bytes.TrimSuffix(data, []byte("}")), timestamp), nil
}

// encode does not escape <, > and &: a body is never put unescaped into a page, and names stay readable in the
// receiver's log.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer

	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode webhook body: %w", err)
	}

	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
