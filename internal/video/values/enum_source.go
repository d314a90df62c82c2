package values

// SourceKind is the kind of an uploaded file.
type SourceKind string

// The values of SourceKind.
const (
	SourceKindVideo SourceKind = "video"
	SourceKindAudio SourceKind = "audio"
	SourceKindImage SourceKind = "image"
	SourceKindMouse SourceKind = "mouse"
)

// Values lists every SourceKind, as stored and as on the wire.
func (SourceKind) Values() []string {
	return values(SourceKindVideo, SourceKindAudio, SourceKindImage, SourceKindMouse)
}

// SourceRole is the layer that a video source becomes.
type SourceRole string

// The values of SourceRole.
const (
	SourceRoleScreen SourceRole = "screen"
	SourceRoleCamera SourceRole = "camera"
)

// Values lists every SourceRole, as stored and as on the wire.
func (SourceRole) Values() []string {
	return values(SourceRoleScreen, SourceRoleCamera)
}

// TrackMedium is the role of a source in a clip.
type TrackMedium string

// The values of TrackMedium.
const (
	TrackMediumScreen     TrackMedium = "screen"
	TrackMediumCamera     TrackMedium = "camera"
	TrackMediumMicrophone TrackMedium = "microphone"
	TrackMediumMouse      TrackMedium = "mouse"
)

// Values lists every TrackMedium, as on the wire.
func (TrackMedium) Values() []string {
	return values(TrackMediumScreen, TrackMediumCamera, TrackMediumMicrophone, TrackMediumMouse)
}

// SourceAudio says which volume setting applies to the sound of a source.
type SourceAudio string

// The values of SourceAudio.
const (
	SourceAudioMicrophone SourceAudio = "microphone"
	SourceAudioSystem     SourceAudio = "system"
)

// Values lists every SourceAudio, as stored and as on the wire.
func (SourceAudio) Values() []string {
	return values(SourceAudioMicrophone, SourceAudioSystem)
}

// SourceStatus is the state of an upload.
type SourceStatus string

// The values of SourceStatus.
const (
	SourceStatusPending    SourceStatus = "pending"
	SourceStatusUploading  SourceStatus = "uploading"
	SourceStatusProcessing SourceStatus = "processing"
	SourceStatusReady      SourceStatus = "ready"
	SourceStatusFailed     SourceStatus = "failed"
)

// Values lists every SourceStatus, as stored and as on the wire.
func (SourceStatus) Values() []string {
	return values(SourceStatusPending, SourceStatusUploading, SourceStatusProcessing, SourceStatusReady, SourceStatusFailed)
}
