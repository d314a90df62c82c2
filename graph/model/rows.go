package model

import "github.com/reelgraph/reelgraph/ent"

// The rows as both layers name them. Who holds one cannot write through it: writes go through the
// client of the transaction.
type (
	// Video is a film made of clips.
	Video = ent.Video
	// Clip is a stretch of a video cut from one recording.
	Clip = ent.Clip
	// Source is an uploaded recording, sound, picture or pointer track.
	Source = ent.Source
	// Export is one rendering of a video.
	Export = ent.Export
	// User is a person.
	User = ent.User
	// Workspace is the boundary of everything.
	Workspace = ent.Workspace
	// Playlist is an ordered collection of videos.
	Playlist = ent.Playlist
	// PlaylistGroup is a heading in the sidebar under which playlists stand.
	PlaylistGroup = ent.PlaylistGroup
	// Tag is a label for videos.
	Tag = ent.Tag
	// Collaborator is a member whom a video's creator let in.
	Collaborator = ent.Collaborator
	// Membership is a person's place in a workspace.
	Membership = ent.Membership
	// APIKey is a key that acts as its owner in one workspace.
	APIKey = ent.APIKey
	// Session is a sign-in of a person in a browser.
	Session = ent.Session
	// Comment is what somebody wrote under a video.
	Comment = ent.Comment
	// WebhookEndpoint is an address that receives events.
	WebhookEndpoint = ent.WebhookEndpoint
	// WebhookMessage is an event as its receivers get it.
	WebhookMessage = ent.WebhookMessage
	// WebhookAttempt is one try to deliver a message.
	WebhookAttempt = ent.WebhookAttempt
)

// Node is anything with an identifier of its own: one of the rows above.
type Node any
