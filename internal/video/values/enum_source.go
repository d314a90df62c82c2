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

// Values returns every SourceKind as it is stored and sent.
func (SourceKind) Values() []string {
	return values(SourceKindVideo, SourceKindAudio, SourceKindImage, SourceKindMouse)
}

// SourceRole is the layer in which a video source is shown.
type SourceRole string

// The values of SourceRole.
const (
	SourceRoleScreen SourceRole = "screen"
	SourceRoleCamera SourceRole = "camera"
)

// Values returns every SourceRole as it is stored and sent.
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

// Values returns every TrackMedium as it is sent.
func (TrackMedium) Values() []string {
	return values(TrackMediumScreen, TrackMediumCamera, TrackMediumMicrophone, TrackMediumMouse)
}

// SourceAudio is the volume setting that applies to the sound of a source.
type SourceAudio string

// The values of SourceAudio.
const (
	SourceAudioMicrophone SourceAudio = "microphone"
	SourceAudioSystem     SourceAudio = "system"
)

// Values returns every SourceAudio as it is stored and sent.
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

// Values returns every SourceStatus as it is stored and sent.
func (SourceStatus) Values() []string {
	return values(SourceStatusPending, SourceStatusUploading, SourceStatusProcessing, SourceStatusReady, SourceStatusFailed)
}
