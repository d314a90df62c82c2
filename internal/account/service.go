package account

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
)

// Service manages sign-in, workspaces, members and API keys.
type Service struct {
	Store     *store.Store
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Attempts  Attempts
	Plan      auth.Plan // for new workspaces
	// Workspaces is how many workspaces one person may own, except operators. 0 means 5.
	Workspaces int
	Mail       bool // a mail server is configured
	Listing    *listing.Service
	Upload     *upload.Service
}

// Sessions is the part of Service that signs people in and out and resets passwords.
type Sessions struct{ *Service }

// Sessions returns the part of the service that manages sessions.
func (s *Service) Sessions() Sessions { return Sessions{s} }

// Invitations is the part of Service that invites people into a workspace.
type Invitations struct{ *Service }

// Invitations returns the part of the service that manages invitations.
func (s *Service) Invitations() Invitations { return Invitations{s} }

// Keys is the part of Service that creates, lists and revokes API keys.
type Keys struct{ *Service }

// Keys returns the part of the service that manages API keys.
func (s *Service) Keys() Keys { return Keys{s} }
