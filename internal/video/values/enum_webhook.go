package values

import "time"

// EarlierSecret is a signing secret that has been replaced. Until it expires, messages are signed with both the
// earlier and the current secret.
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

// Values returns every EventType as it is stored and sent.
func (EventType) Values() []string {
	return values(EventTypeVideoCreated, EventTypeExportReady, EventTypeExportFailed, EventTypeTranscriptReady, EventTypeTranscriptFailed, EventTypePlaylistCreated, EventTypePlaylistVideoAdded, EventTypeVideoViewed, EventTypeVideoMilestone)
}

// DeliveryStatus is the state of the delivery of one message to one endpoint.
type DeliveryStatus string

// The values of DeliveryStatus.
const (
	DeliveryStatusPending   DeliveryStatus = "pending"
	DeliveryStatusSucceeded DeliveryStatus = "succeeded"
	DeliveryStatusFailed    DeliveryStatus = "failed"
	DeliveryStatusCanceled  DeliveryStatus = "canceled"
)

// Values returns every DeliveryStatus as it is stored and sent.
func (DeliveryStatus) Values() []string {
	return values(DeliveryStatusPending, DeliveryStatusSucceeded, DeliveryStatusFailed, DeliveryStatusCanceled)
}

// AttemptStatus is the result of one delivery attempt.
type AttemptStatus string

// The values of AttemptStatus.
const (
	AttemptStatusSucceeded AttemptStatus = "succeeded"
	AttemptStatusFailed    AttemptStatus = "failed"
)

// Values returns every AttemptStatus as it is stored and sent.
func (AttemptStatus) Values() []string {
	return values(AttemptStatusSucceeded, AttemptStatusFailed)
}

// AttemptError is the stage at which a delivery attempt failed.
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

// Values returns every AttemptError as it is stored and sent.
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

// Values returns every PlaybackEventType as it is stored and sent.
func (PlaybackEventType) Values() []string {
	return values(PlaybackEventTypeOpen, PlaybackEventTypePlay, PlaybackEventTypeProgress, PlaybackEventTypePause, PlaybackEventTypeSeek, PlaybackEventTypeEnded)
}
