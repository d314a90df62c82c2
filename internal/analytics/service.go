package analytics

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service reads the figures of videos and workspaces.
type Service struct {
	Store   *store.Store
	Listing *listing.Service
}
