// Package search finds videos by their titles and by the words in them. Start with SearchVideos.
package search

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service searches videos.
type Service struct {
	Store   *store.Store
	Listing *listing.Service
}
