// Package library manages the media that videos can use in addition to their recordings: the backgrounds, pictures,
// sounds and music of the workspace and of the catalog. Start with ListLibrary.
package library

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
)

// Service lists and stores library items.
type Service struct {
	Store     *store.Store
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Blobs     blob.Store
	Listing   *listing.Service
	Upload    *upload.Service
}
