// Package listing reads what people ask for: single things, lists and what stands below them, in few statements whatever was
// selected, and only what the caller may see. Start with ReadableVideo for one thing, ListVideos for a list and FirstPages for
// lists below many rows.
package listing

import (
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/coalesce"
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

	videos coalesce.Rounds[string, videosByID] // see sharedVideo
}
