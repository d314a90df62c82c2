// Package comments writes and deletes what people say below videos. Start with AddComment.
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
	Mail    bool // there is a server that takes our mail
	Listing *listing.Service
}
