package model

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// Visitor is the person who opens a page. The person may be a signed-in member or an unknown visitor.
type Visitor struct {
	// Session is the token of a session; empty if not signed in.
	Session string
	// Knows holds fingerprints of the passwords that the visitor has entered, by the id of the video or playlist that
	// they unlock.
	Knows map[string]string
	// Embedded reports whether the page is embedded in another one.
	Embedded bool
}

// Barrier is the reason why a visitor may not see a page yet. The zero value means that the visitor may see the page.
type Barrier string

// The barriers.
const (
	BarrierNone     Barrier = ""
	BarrierPassword Barrier = "password"  // the video or the playlist has a password
	BarrierSignIn   Barrier = "sign-in"   // only members may watch, and the visitor is not signed in
	BarrierMembers  Barrier = "members"   // only members may watch, and the visitor belongs to another workspace
	BarrierEmbed    Barrier = "embedonly" // it can be watched only in a page that embeds it
)

// Admission says whether a visitor may watch something.
type Admission struct {
	Barrier Barrier
	// Fingerprint identifies the current password. It is stored for a visitor who gives the password.
	Fingerprint string
	// Who is the visiting member in the workspace of the video; the zero value means that the visitor is unknown.
	Who auth.Viewer
	// Name is the name of the member.
	Name string
}

// Showing holds the data for the page of a video. If Barrier is set, it holds only the fields that the page of this
// barrier needs.
type Showing struct {
	Admission

	Video      *Video // with its creator loaded
	Chapters   []*Chapter
	Transcript TranscriptState
	Stream     Stream
	Downloads  []Download
	// Pictures holds the video's pictures, largest first.
	Pictures []Picture
	// Moving is the signed address of a GIF of the video's first seconds.
	Moving string
}

// Picture is a picture of a video at a signed address.
type Picture struct {
	Width, Height int
	URL           string
	// Enlarged reports whether the video, or what was chosen to stand for it, is smaller, so that the picture shows nothing
	// more than a smaller one.
	Enlarged bool
}

// TranscriptState is the state and language of a transcript.
type TranscriptState struct {
	Status   values.TranscriptStatus
	Language string
}

// Stream describes what a page plays: the rendered film or, until it is rendered, the recordings with the edits
// applied. If neither is available, the page has to wait.
type Stream struct {
	File  string       `json:"file,omitempty"` // the address of the film
	Clips []StreamClip `json:"clips,omitempty"`
	// Progress is how much of the film has been rendered, in percent. It is -1 if the film cannot be rendered.
	Progress int `json:"progress"`
}

// StreamClip is a clip that is played from its recordings.
type StreamClip struct {
	Main      Track      `json:"main"`
	Companion *Track     `json:"companion,omitempty"` // the camera next to the screen
	Spans     [][2]int64 `json:"spans"`               // the ranges that are kept, in recording time
}

// Track is a recording and its volume.
type Track struct {
	URL    string  `json:"url"`
	Volume float64 `json:"volume"`
}

// Download is a file that viewers may download.
type Download struct {
	Name string // name of the recording; empty for the film
	URL  string
}

// ShownPlaylist holds the data for the page of a playlist, with the videos that the visitor may watch.
type ShownPlaylist struct {
	Admission

	Playlist *Playlist
	Videos   []ListedVideo
}

// ListedVideo is a video in a playlist.
type ListedVideo struct {
	Video     *Video
	Thumbnail string
}

// PlayedSentence is a spoken sentence. Its timestamps are in playback time.
type PlayedSentence = words.Sentence

// PlayedWord is a spoken word. Its timestamps are in playback time.
type PlayedWord = words.Word

// VisitorComment is a comment by a visitor who is not signed in.
type VisitorComment struct {
	AddCommentInput

	Author string `json:"author" check:"required,chars=1..100,notblank"`
}

// ShownComment is a comment as a page shows it.
type ShownComment struct {
	ID, Author, Body string
	AtMs             *int64
	CreatedAt        time.Time
	ReplyToID        string // empty unless it is a reply
	Edited           bool
	Resolved         bool
	ResolvedBy       string // empty unless it is resolved
	Editable         bool   // whether the visitor may change its text
	Removable        bool   // whether the visitor may remove it
	Resolvable       bool   // whether the visitor may resolve it or open it again
	Replies          []ShownComment
}
