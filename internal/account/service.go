package account

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service is about people: how they sign in, which workspaces they belong to, and their keys.
type Service struct {
	Store     *store.Store
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Attempts  Attempts
	Plan      auth.Plan // of workspaces that are made
	// Workspaces is how many one person owns, operators apart; 0 means 5.
	Workspaces int
	Mail       bool // there is a server that takes our mail
	Listing    *listing.Service
}

// Sessions signs people in and out, and resets passwords.
type Sessions struct{ *Service }

// Sessions returns the part of the service that keeps sessions.
func (s *Service) Sessions() Sessions { return Sessions{s} }

// Invitations invites people into a workspace.
type Invitations struct{ *Service }

// Invitations returns the part of the service that keeps invitations.
func (s *Service) Invitations() Invitations { return Invitations{s} }

// Keys makes, lists and revokes API keys.
type Keys struct{ *Service }

// Keys returns the part of the service that keeps API keys.
func (s *Service) Keys() Keys { return Keys{s} }
