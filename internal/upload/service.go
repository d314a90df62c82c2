package upload

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service creates sources and completes them, for callers of the API.
type Service struct {
	Store     *store.Store
	Topics    *store.Topics
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Blobs     blob.Store
	Targets   *outbound.Targets
	// ProbeWait is how long an operation waits for a source that is still being processed.
	ProbeWait time.Duration
	Limits    Limits
	Listing   *listing.Service
}
