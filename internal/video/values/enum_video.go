package values

// LinkScope is the group of people who may open the public page of a video or playlist.
type LinkScope string

// The values of LinkScope.
const (
	LinkScopePublic    LinkScope = "public"
	LinkScopePrivate   LinkScope = "private"
	LinkScopePassword  LinkScope = "password"
	LinkScopeEmbedOnly LinkScope = "embedonly"
)

// Values returns every LinkScope as it is stored and sent.
func (LinkScope) Values() []string {
	return values(LinkScopePublic, LinkScopePrivate, LinkScopePassword, LinkScopeEmbedOnly)
}

// Visibility is the group of workspace members who may read a video or playlist: everyone, or only its creator and
// collaborators.
type Visibility string

// The values of Visibility.
const (
	VisibilityOrg      Visibility = "org"
	VisibilityPersonal Visibility = "personal"
)

// Values returns every Visibility as it is stored and sent.
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

// Values returns every TranscriptStatus as it is stored and sent.
func (TranscriptStatus) Values() []string {
	return values(TranscriptStatusPending, TranscriptStatusProcessing, TranscriptStatusReady, TranscriptStatusFailed,
		TranscriptStatusUnavailable)
}

// CollaboratorRole determines what a collaborator may do with one video.
type CollaboratorRole string

// The values of CollaboratorRole.
const (
	CollaboratorRoleEditor CollaboratorRole = "editor"
	CollaboratorRoleViewer CollaboratorRole = "viewer"
)

// Values returns every CollaboratorRole as it is stored and sent.
func (CollaboratorRole) Values() []string {
	return values(CollaboratorRoleEditor, CollaboratorRoleViewer)
}

// CaptionStyleName is the family of a caption style.
type CaptionStyleName string

// The values of CaptionStyleName.
const (
	CaptionStyleNameBackdrop CaptionStyleName = "backdrop"
)

// Values returns every CaptionStyleName as it is stored and sent.
func (CaptionStyleName) Values() []string {
	return values(CaptionStyleNameBackdrop)
}

// VideoTransition is the setting of a video for the transitions between its clips. A clip can have a setting of its
// own.
type VideoTransition string

// The values of VideoTransition.
const (
	VideoTransitionSmooth  VideoTransition = "smooth"
	VideoTransitionHardCut VideoTransition = "hard_cut"
)

// Values returns every VideoTransition as it is stored and sent.
func (VideoTransition) Values() []string {
	return values(VideoTransitionSmooth, VideoTransitionHardCut)
}
