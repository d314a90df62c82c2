// Package search finds videos: by their titles and by the words in them, or by what a list of videos filters. Start with
// SearchVideos for words, and ListVideos for a list.
package search

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service searches and lists videos.
type Service struct {
	Store   *store.Store
	Listing *listing.Service
}
