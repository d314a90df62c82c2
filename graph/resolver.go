// Package graph is the primary query graph: one .graphqls and one resolver file a concept, the longer
// thoughts beside them. REST calls these same resolvers; what must hold for both (rights, tenancy,
// validation, transactions) is here or below, never in a directive.
package graph

import (
	"context"
	"time"

	"github.com/reelgraph/reelgraph/internal/address"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/check"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/intake"
	"github.com/reelgraph/reelgraph/internal/rounds"
	"github.com/reelgraph/reelgraph/internal/seal"
	"github.com/reelgraph/reelgraph/internal/signin"
	"github.com/reelgraph/reelgraph/internal/spoken"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// Resolver holds what resolvers need. Every exported field but Mail, Uploads and Workspaces is required.
type Resolver struct {
	Store     *store.Store
	Topics    *store.Topics
	Jobs      *jobs.Queue
	Addresses address.Book
	Blobs     blob.Store
	Targets   *webhook.Targets
	Cursors   seal.Box // seals list cursors
	Vault     webhook.Vault
	Clock     func() time.Time
	// Fillers are the filler words of each language, by its code without region.
	Fillers map[string]spoken.Fillers
	// Media computes what is made of pictures and sound.
	Media    Media
	Attempts signin.Attempts
	Plan     auth.Plan // of workspaces that are made
	// Workspaces is how many one person owns, operators apart; 0 means 5.
	Workspaces int
	Mail       bool // there is a server that takes our mail
	// ProbeWait is how long an operation waits for a source that is still being looked at.
	ProbeWait time.Duration
	Uploads   intake.Limits

	videos rounds.Rounds[string, videosByID] // see sharedVideo
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
func obey(input any) error {
	if input == nil {
		return nil
	}

	if err := fault.Invalid(check.Struct(input)); err != nil {
		return err
	}

	return nil
}

// now is the present as it is stored and printed.
func (r *Resolver) now() time.Time { return r.Clock().UTC().Truncate(time.Millisecond) }
