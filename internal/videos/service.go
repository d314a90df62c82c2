// Package videos makes, changes, copies and deletes videos, with all that belongs to a whole video: tags, collaborators,
// chapters, music and the thumbnail. Start with CreateVideo.
package videos

import (
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
)

// Service changes videos.
type Service struct {
	Store     *store.Store
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Listing   *listing.Service
	Upload    *upload.Service
	Library   *library.Service
}

// Tags makes tags and puts them on videos.
type Tags struct{ *Service }

// Tags returns the part of the service that keeps tags.
func (s *Service) Tags() Tags { return Tags{s} }

// Music sets the background music and the subtitle preset of a video.
type Music struct{ *Service }

// Music returns the part of the service that sets music.
func (s *Service) Music() Music { return Music{s} }

// Collaborators shares videos with people.
type Collaborators struct{ *Service }

// Collaborators returns the part of the service that keeps collaborators.
func (s *Service) Collaborators() Collaborators { return Collaborators{s} }
