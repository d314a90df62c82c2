package values

import "time"

// EarlierSecret is a rotated signing secret. Messages are signed with it as well as with the current one until it expires.
type EarlierSecret struct {
	Sealed    []byte    `json:"sealed"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// EventType is the kind of an event that a webhook endpoint can subscribe to.
type EventType string

// The values of EventType.
const (
	EventTypeVideoCreated       EventType = "video.created"
	EventTypeExportReady        EventType = "export.ready"
	EventTypeExportFailed       EventType = "export.failed"
	EventTypeTranscriptReady    EventType = "transcript.ready"
	EventTypeTranscriptFailed   EventType = "transcript.failed"
	EventTypePlaylistCreated    EventType = "playlist.created"
	EventTypePlaylistVideoAdded EventType = "playlist.video_added"
	EventTypeVideoViewed        EventType = "video.viewed"
	EventTypeVideoMilestone     EventType = "video.milestone"
)

// Values lists every EventType, as stored and as on the wire.
func (EventType) Values() []string {
	return values(EventTypeVideoCreated, EventTypeExportReady, EventTypeExportFailed, EventTypeTranscriptReady, EventTypeTranscriptFailed, EventTypePlaylistCreated, EventTypePlaylistVideoAdded, EventTypeVideoViewed, EventTypeVideoMilestone)
}

// DeliveryStatus is the state of one message for one endpoint.
type DeliveryStatus string

// The values of DeliveryStatus.
const (
	DeliveryStatusPending   DeliveryStatus = "pending"
	DeliveryStatusSucceeded DeliveryStatus = "succeeded"
	DeliveryStatusFailed    DeliveryStatus = "failed"
	DeliveryStatusCanceled  DeliveryStatus = "canceled"
)

// Values lists every DeliveryStatus, as stored and as on the wire.
func (DeliveryStatus) Values() []string {
	return values(DeliveryStatusPending, DeliveryStatusSucceeded, DeliveryStatusFailed, DeliveryStatusCanceled)
}

// AttemptStatus is the result of one attempt.
type AttemptStatus string

// The values of AttemptStatus.
const (
	AttemptStatusSucceeded AttemptStatus = "succeeded"
	AttemptStatusFailed    AttemptStatus = "failed"
)

// Values lists every AttemptStatus, as stored and as on the wire.
func (AttemptStatus) Values() []string {
	return values(AttemptStatusSucceeded, AttemptStatusFailed)
}

// AttemptError is the stage at which an attempt failed.
type AttemptError string

// The values of AttemptError.
const (
	AttemptErrorDNS      AttemptError = "dns"
	AttemptErrorConnect  AttemptError = "connect"
	AttemptErrorTLS      AttemptError = "tls"
	AttemptErrorTimeout  AttemptError = "timeout"
	AttemptErrorBlocked  AttemptError = "blocked"
	AttemptErrorRedirect AttemptError = "redirect"
	AttemptErrorStatus   AttemptError = "status"
)

// Values lists every AttemptError, as stored and as on the wire.
func (AttemptError) Values() []string {
	return values(AttemptErrorDNS, AttemptErrorConnect, AttemptErrorTLS, AttemptErrorTimeout, AttemptErrorBlocked, AttemptErrorRedirect, AttemptErrorStatus)
}

// PlaybackEventType is an event that a viewer's player reports.
type PlaybackEventType string

// The values of PlaybackEventType.
const (
	PlaybackEventTypeOpen     PlaybackEventType = "open"
	PlaybackEventTypePlay     PlaybackEventType = "play"
	PlaybackEventTypeProgress PlaybackEventType = "progress"
	PlaybackEventTypePause    PlaybackEventType = "pause"
	PlaybackEventTypeSeek     PlaybackEventType = "seek"
	PlaybackEventTypeEnded    PlaybackEventType = "ended"
)

// Values lists every PlaybackEventType, as stored and as on the wire.
func (PlaybackEventType) Values() []string {
	return values(PlaybackEventTypeOpen, PlaybackEventTypePlay, PlaybackEventTypeProgress, PlaybackEventTypePause, PlaybackEventTypeSeek, PlaybackEventTypeEnded)
}
