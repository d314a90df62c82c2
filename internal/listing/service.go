// Package listing reads what people ask for: single things, lists and what stands below them, in few statements whatever was
// selected, and only what the caller may see. Start with ReadableVideo for one thing, ListVideos for a list and FirstPages for
// lists below many rows.
package listing

import (
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service reads. Every field is required.
type Service struct {
	Store     *store.Store
	Topics    *store.Topics
	Addresses signedurl.Book
	Media     extracts.Media
	Paging    *paging.Service
}

// Rights reads who may see, use and edit what.
type Rights struct{ *Service }

// Rights returns the part of the service that reads rights.
func (s *Service) Rights() Rights { return Rights{s} }

// Words reads transcripts, words and silences.
type Words struct{ *Service }

// Words returns the part of the service that reads words.
func (s *Service) Words() Words { return Words{s} }

// Effects reads the effects and the outlines of clips.
type Effects struct{ *Service }

// Effects returns the part of the service that reads effects.
func (s *Service) Effects() Effects { return Effects{s} }

// Playlists reads playlists and their groups.
type Playlists struct{ *Service }

// Playlists returns the part of the service that reads playlists.
func (s *Service) Playlists() Playlists { return Playlists{s} }
