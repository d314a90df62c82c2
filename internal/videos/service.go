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
