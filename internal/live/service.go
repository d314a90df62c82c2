// Package live tells listeners what changes while they listen. Database triggers write every change to a log and wake
// the listeners of all processes; package live reads the log and tells each listener what they may know. Start with
// WorkspaceUpdated, or with VideoUpdated for what needs no log: the newest state of one video.
package live

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service sends changes to listeners. Every field is required.
type Service struct {
	Store   *store.Store
	Topics  *store.Topics
	Listing *listing.Service
}
