package webhook

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service registers webhook endpoints and reads the messages that were sent to them.
type Service struct {
	Store   *store.Store
	Topics  *store.Topics
	Jobs    *jobs.Queue
	Targets *outbound.Targets
	Vault   Vault
	Listing *listing.Service
}
