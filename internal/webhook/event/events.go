// Package event holds the events that webhooks announce, and the exact bytes of their bodies. Start with Event and Body.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Milestones are the numbers of views that are announced.
func Milestones() []int64 { return []int64{1, 5, 10, 25, 50, 100, 500, 1000, 5000, 10000} }

// Event is what happened, as the `data` of a delivery without its timestamp.
type Event interface{ Kind() values.EventType }

// Video names the video an event is about; most events embed it.
type Video struct {
	VideoID   string `json:"videoId"`
	VideoName string `json:"videoName"`
}

// Playlist names the playlist an event is about.
type Playlist struct {
	PlaylistID   string `json:"playlistId"`
	PlaylistName string `json:"playlistName"`
}

// Problem is why something failed, with the code and sentence the resource itself shows.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The events, one type a kind.
type (
	// ExportFailedEvent says that an export ended without a file.
	ExportFailedEvent struct {
		Video

		ExportID string  `json:"exportId"`
		Error    Problem `json:"error"`
	}

	// ExportReadyEvent says that an export can be downloaded. DownloadURL is signed until
	// the file is removed.
	ExportReadyEvent struct {
		Video

		ExportID    string `json:"exportId"`
		DownloadURL string `json:"downloadUrl"`
	}

	// PlaylistCreatedEvent says that a playlist was created.
	PlaylistCreatedEvent struct{ Playlist }

	// PlaylistVideoAddedEvent says that a video was put into a playlist.
	PlaylistVideoAddedEvent struct {
		Playlist
		Video
	}

	// TranscriptFailedEvent says that a video's transcript could not be made.
	TranscriptFailedEvent struct {
		Video

		Error Problem `json:"error"`
	}

	// TranscriptReadyEvent says that a video's transcript can be read.
	TranscriptReadyEvent struct {
		Video

		Language string `json:"language"`
	}

	// VideoCreatedEvent says that a video was created or duplicated.
	VideoCreatedEvent struct{ Video }

	// VideoMilestoneEvent says that a video has reached one of Milestones.
	VideoMilestoneEvent struct {
		Video

		Milestone int64 `json:"milestone"`
		Views     int64 `json:"views"`
	}

	// VideoViewedEvent says that a viewer has started a video.
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

// Timestamp prints as the contract's datetime: UTC with exactly three decimals.
type Timestamp time.Time

// MarshalJSON implements json.Marshaler.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(t).UTC().Truncate(time.Millisecond).Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// Body makes the bytes that are stored, signed and delivered: `type`, `timestamp` and
// `data`, which carries the timestamp again after the event's own fields.
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

// encode leaves <, > and & as they are: a body is never put into a page unescaped, and names
// stay readable in the receiver's log.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode webhook body: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
