// Package graph is the primary query graph: one .graphqls and one resolver file a concept, the longer
// thoughts beside them. REST calls these same resolvers; what must hold for both (rights, tenancy,
// validation, transactions) is here or below, never in a directive.
package graph

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/coalesce"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// Resolver holds what resolvers need. Every exported field but Mail, Uploads and Workspaces is required.
type Resolver struct {
	Store     *store.Store
	Topics    *store.Topics
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Blobs     blob.Store
	Targets   *webhook.Targets
	Cursors   keyring.Box // seals list cursors
	Vault     webhook.Vault
	// Fillers are the filler words of each language, by its code without region.
	Fillers map[string]words.Fillers
	// Media computes what is made of pictures and sound.
	Media    Media
	Attempts account.Attempts
	Plan     auth.Plan // of workspaces that are made
	// Workspaces is how many one person owns, operators apart; 0 means 5.
	Workspaces int
	Mail       bool // there is a server that takes our mail
	// ProbeWait is how long an operation waits for a source that is still being looked at.
	ProbeWait time.Duration
	Uploads   upload.Limits

	videos coalesce.Rounds[string, videosByID] // see sharedVideo
}
