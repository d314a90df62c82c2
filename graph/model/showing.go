package model

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// Visitor is who opens a page: perhaps a member who has signed in, perhaps anybody.
type Visitor struct {
	// Session is the token of a sign-in; empty for who has none.
	Session string
	// Knows are the passwords that were given before, as the fingerprints of what they opened, by id.
	Knows map[string]string
	// Embedded visitors see the page inside another.
	Embedded bool
}

// Barrier is what keeps a visitor from a page; the zero value is nothing.
type Barrier string

// The barriers.
const (
	BarrierNone     Barrier = ""
	BarrierPassword Barrier = "password"  // of the video or the playlist
	BarrierSignIn   Barrier = "sign-in"   // it is for members
	BarrierMembers  Barrier = "members"   // and the visitor is one of somewhere else
	BarrierEmbed    Barrier = "embedonly" // it is watched where it is embedded
)

// Admission says whether a visitor may watch something.
type Admission struct {
	Barrier Barrier
	// Fingerprint is that of the password in force, which a visitor who gives it then knows.
	Fingerprint string
	// Who is the member who visits, in the workspace of what is shown; the zero value is nobody known.
	Who auth.Viewer
	// Name is the member's.
	Name string
}

// Showing is a video as a page shows it. Behind a barrier only what the barrier needs is there.
type Showing struct {
	Admission

	Video      *Video // its creator is loaded
	Chapters   []*Chapter
	Transcript TranscriptState
	Stream     Stream
	Downloads  []Download
	// Pictures are the video's, the largest first.
	Pictures []Picture
}

// Picture is one of a video at a signed address.
type Picture struct {
	Width, Height int
	URL           string
}

// TranscriptState is how far the transcript is, and in which language.
type TranscriptState struct {
	Status   values.TranscriptStatus
	Language string
}

// Stream is what a page plays: a film, or, until there is one, the recordings through the edit. With
// neither it has to wait.
type Stream struct {
	File  string       `json:"file,omitempty"` // the address of the film
	Clips []StreamClip `json:"clips,omitempty"`
	// Progress is that of the film that is being made, in percent; -1 when it cannot be made.
	Progress int `json:"progress"`
}

// StreamClip is a clip to be played from its recordings.
type StreamClip struct {
	Main      Track      `json:"main"`
	Companion *Track     `json:"companion,omitempty"` // the camera beside the screen
	Spans     [][2]int64 `json:"spans"`               // what is kept of the recording, in its time
}

// Track is a recording and how loud it is.
type Track struct {
	URL    string  `json:"url"`
	Volume float64 `json:"volume"`
}

// Download is a file that viewers may have.
type Download struct {
	Name string // of a recording; empty for the film
	URL  string
}

// ShownPlaylist is a playlist as a page shows it, with those of its videos that the visitor may watch.
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

// PlayedSentence is what was said, in playback time.
type PlayedSentence = words.Sentence

// PlayedWord is a word, in playback time.
type PlayedWord = words.Word

// VisitorComment is what somebody says under a video who has not signed in.
type VisitorComment struct {
	AddCommentInput

	Author string `json:"author" check:"required,chars=1..100,notblank"`
}

// ShownComment is a comment as a page shows it.
type ShownComment struct {
	ID, Author, Body string
	AtMs             *int64
	CreatedAt        time.Time
	Removable        bool // by who looks
}
