// Package videos creates, changes, copies and deletes videos. It also manages what belongs to a whole video: tags,
// collaborators, chapters, music and the thumbnail. Start with CreateVideo.
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

// Tags is the part of Service that creates tags and puts them on videos.
type Tags struct{ *Service }

// Tags returns the part of the service that manages tags.
func (s *Service) Tags() Tags { return Tags{s} }

// Trash is the part of Service that moves videos to the trash and back.
type Trash struct{ *Service }

// Trash returns the part of the service that manages the trash.
func (s *Service) Trash() Trash { return Trash{s} }

// Thumbnails is the part of Service that chooses and shows the picture that stands for a video.
type Thumbnails struct{ *Service }

// Thumbnails returns the part of the service that manages thumbnails.
func (s *Service) Thumbnails() Thumbnails { return Thumbnails{s} }

// Music is the part of Service that sets a video's background music and subtitle preset.
type Music struct{ *Service }

// Music returns the part of the service that sets music.
func (s *Service) Music() Music { return Music{s} }

// Collaborators is the part of Service that manages a video's collaborators.
type Collaborators struct{ *Service }

// Collaborators returns the part of the service that manages collaborators.
func (s *Service) Collaborators() Collaborators { return Collaborators{s} }
