package values

// LinkScope is who may open the public page of a video or playlist.
type LinkScope string

// The values of LinkScope.
const (
	LinkScopePublic    LinkScope = "public"
	LinkScopePrivate   LinkScope = "private"
	LinkScopePassword  LinkScope = "password"
	LinkScopeEmbedOnly LinkScope = "embedonly"
)

// Values lists every LinkScope, as stored and as on the wire.
func (LinkScope) Values() []string {
	return values(LinkScopePublic, LinkScopePrivate, LinkScopePassword, LinkScopeEmbedOnly)
}

// Visibility is who within the workspace may read a video or playlist: everyone, or its creator and collaborators.
type Visibility string

// The values of Visibility.
const (
	VisibilityOrg      Visibility = "org"
	VisibilityPersonal Visibility = "personal"
)

// Values lists every Visibility, as stored and as on the wire.
func (Visibility) Values() []string {
	return values(VisibilityOrg, VisibilityPersonal)
}

// TranscriptStatus is the state of speech recognition.
type TranscriptStatus string

// The values of TranscriptStatus.
const (
	TranscriptStatusPending     TranscriptStatus = "pending"
	TranscriptStatusProcessing  TranscriptStatus = "processing"
	TranscriptStatusReady       TranscriptStatus = "ready"
	TranscriptStatusFailed      TranscriptStatus = "failed"
	TranscriptStatusUnavailable TranscriptStatus = "unavailable" // there is no speech provider
)

// Values lists every TranscriptStatus, as stored and as on the wire.
func (TranscriptStatus) Values() []string {
	return values(TranscriptStatusPending, TranscriptStatusProcessing, TranscriptStatusReady, TranscriptStatusFailed,
		TranscriptStatusUnavailable)
}

// CollaboratorRole is what a collaborator may do with one video.
type CollaboratorRole string

// The values of CollaboratorRole.
const (
	CollaboratorRoleEditor CollaboratorRole = "editor"
	CollaboratorRoleViewer CollaboratorRole = "viewer"
)

// Values lists every CollaboratorRole, as stored and as on the wire.
func (CollaboratorRole) Values() []string {
	return values(CollaboratorRoleEditor, CollaboratorRoleViewer)
}

// CaptionStyleName is the family of a caption style.
type CaptionStyleName string

// The values of CaptionStyleName.
const (
	CaptionStyleNameBackdrop CaptionStyleName = "backdrop"
)

// Values lists every CaptionStyleName, as stored and as on the wire.
func (CaptionStyleName) Values() []string {
	return values(CaptionStyleNameBackdrop)
}

// VideoTransition is the transition between clips that do not set their own.
type VideoTransition string

// The values of VideoTransition.
const (
	VideoTransitionSmooth  VideoTransition = "smooth"
	VideoTransitionHardCut VideoTransition = "hard_cut"
)

// Values lists every VideoTransition, as stored and as on the wire.
func (VideoTransition) Values() []string {
	return values(VideoTransitionSmooth, VideoTransitionHardCut)
}
