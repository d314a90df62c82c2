// Package search finds videos by what their titles and what is said in them contain. Start with SearchVideos.
package search

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service searches.
type Service struct {
	Store   *store.Store
	Listing *listing.Service
}
