package model

import "github.com/reelgraph/reelgraph/ent"

// The database rows under the names that the graph and REST use. They are read-only here: writes go through the
// client of the transaction.
type (
	// Video is a video. It is made of clips.
	Video = ent.Video
	// Clip is a part of a video, made from one recording.
	Clip = ent.Clip
	// Source is an uploaded recording, sound, picture or pointer track.
	Source = ent.Source
	// Export is a rendered file of a video, or one in progress.
	Export = ent.Export
	// User is a person.
	User = ent.User
	// Workspace is the boundary of all data: nothing is shared between workspaces.
	Workspace = ent.Workspace
	// Playlist is an ordered collection of videos.
	Playlist = ent.Playlist
	// PlaylistGroup is a group of playlists in the sidebar.
	PlaylistGroup = ent.PlaylistGroup
	// Tag is a label for videos.
	Tag = ent.Tag
	// Collaborator is a member whom a video's creator gave access.
	Collaborator = ent.Collaborator
	// Membership is a person's membership of a workspace.
	Membership = ent.Membership
	// APIKey is a key that acts as its owner in one workspace.
	APIKey = ent.APIKey
	// Session is a person's sign-in in a browser.
	Session = ent.Session
	// Comment is a comment under a video.
	Comment = ent.Comment
	// WebhookEndpoint is an address that receives events.
	WebhookEndpoint = ent.WebhookEndpoint
	// WebhookMessage is an event that was sent to webhooks.
	WebhookMessage = ent.WebhookMessage
	// WebhookAttempt is one attempt to deliver a message.
	WebhookAttempt = ent.WebhookAttempt
	// DemoRun is a filling of a workspace with demo videos.
	DemoRun = ent.DemoRun
)

// Node is any object with an id: one of the row types above.
type Node any
