// Package comments adds, changes, resolves and deletes comments on videos. Start with AddComment.
package comments

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service edits comments.
type Service struct {
	Store   *store.Store
	Jobs    *jobs.Queue
	Mail    bool // a mail server is configured
	Listing *listing.Service
}
