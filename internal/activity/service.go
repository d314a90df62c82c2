// Package activity lists what happened around a person's own videos: comments of others, and the first view of each
// video. Start with ListActivity.
package activity

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service lists activity. Every field is required.
type Service struct {
	Store   *store.Store
	Listing *listing.Service
}
