// Package listing reads single objects, lists and nested lists for the API. It needs few SQL statements, no matter
// which fields a query selects, and returns only what the caller may see. Start with ReadableVideo for a single
// object, ListPlaylists for a list, and FirstPages for the lists that belong to many parent rows.
package listing

import (
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
)

// Service reads the data that the API returns. Every field is required.
type Service struct {
	Store     *store.Store
	Addresses signedurl.Book
	Media     extracts.Media
	Paging    *paging.Service
}

// Rights is the part of Service that reads what the caller may see, after the checks of package rights.
type Rights struct {
	rights.Service

	listing *Service
}

// Rights returns the part of the service that checks rights.
func (s *Service) Rights() Rights { return Rights{rights.Service{Store: s.Store}, s} }

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
