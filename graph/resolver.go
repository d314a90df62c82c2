// Package graph is the primary query graph: one .graphqls and one resolver file a concept, the longer
// thoughts beside them. REST calls these same resolvers; what must hold for both (rights, tenancy,
// validation, transactions) is here or below, never in a directive.
package graph

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/coalesce"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
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
	Clock     func() time.Time
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

// write obeys the rules of an input and then runs fn in the transaction that all of the mutation
// shares. Every mutation passes here.
func write[T any](ctx context.Context, r *Resolver, input any, fn func(ctx context.Context) (T, error)) (T, error) {
	if err := obey(input); err != nil {
		var none T

		return none, err
	}

	return store.Write(ctx, r.Store, fn)
}

// obey checks an input against the rules of its type; nil has none.
func obey(in any) error {
	if in == nil {
		return nil
	}

	if err := fault.Invalid(input.Struct(in)); err != nil {
		return err
	}

	return nil
}

// now is the present as it is stored and printed.
func (r *Resolver) now() time.Time { return r.Clock().UTC().Truncate(time.Millisecond) }
