// Package listing reads single things, lists and nested lists for the API. It needs few statements whatever fields are
// selected, and returns only what the caller may see. Start with ReadableVideo for one thing, ListVideos for a list and
// FirstPages for lists below many rows.
package listing

import (
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service reads what the API returns. Every field is required.
type Service struct {
	Store     *store.Store
	Topics    *store.Topics
	Addresses signedurl.Book
	Media     extracts.Media
	Paging    *paging.Service
}

// Rights is the part of Service that reads who may see, use and edit what.
type Rights struct{ *Service }

// Rights returns the part of the service that reads rights.
func (s *Service) Rights() Rights { return Rights{s} }

// Words is the part of Service that reads transcripts, words and silences.
type Words struct{ *Service }

// Words returns the part of the service that reads words.
func (s *Service) Words() Words { return Words{s} }

// Effects is the part of Service that reads the effects and outlines of clips.
type Effects struct{ *Service }

// Effects returns the part of the service that reads effects.
func (s *Service) Effects() Effects { return Effects{s} }

// Playlists is the part of Service that reads playlists and their groups.
type Playlists struct{ *Service }

// Playlists returns the part of the service that reads playlists.
func (s *Service) Playlists() Playlists { return Playlists{s} }
