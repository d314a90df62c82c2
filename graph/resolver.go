// Package graph is the GraphQL API. Each concept has one .graphqls file and one file with resolvers. The resolvers
// call the services in internal, and REST calls the same resolvers. Everything that both APIs need (rights, tenancy,
// validation, transactions) is in the services or in packages that they use, never in a directive.
package graph

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/activity"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/comments"
	"github.com/reelgraph/reelgraph/internal/demo/run"
	"github.com/reelgraph/reelgraph/internal/editing/clip"
	"github.com/reelgraph/reelgraph/internal/editing/effect"
	"github.com/reelgraph/reelgraph/internal/editing/transcript"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/live"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/playlists"
	"github.com/reelgraph/reelgraph/internal/search"
	"github.com/reelgraph/reelgraph/internal/sharing"
	"github.com/reelgraph/reelgraph/internal/system"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/videos"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// Resolver resolves the fields of the graph by calling the services. Its only methods are the accessors that gqlgen
// generates.
type Resolver struct {
	Services Services
}

// Services holds the services that the graph, the pages and the server use.
type Services struct {
	Accounts    *account.Service
	Activity    *activity.Service
	Analytics   *analytics.Service
	Clips       *clip.Service
	Comments    *comments.Service
	Demo        *run.Service
	Effects     *effect.Service
	Exports     *exports.Service
	Library     *library.Service
	Listing     *listing.Service
	Live        *live.Service
	Playlists   *playlists.Service
	Search      *search.Service
	Sharing     *sharing.Service
	System      *system.Service
	Transcripts *transcript.Service
	Upload      *upload.Service
	Videos      *videos.Service
	Webhooks    *webhook.Service
}

// Dependencies holds what the services need. Every field except Mail, Node, Uploads and Workspaces is required.
type Dependencies struct {
	Store     *store.Store
	Topics    *store.Topics
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Blobs     blob.Store
	Targets   *outbound.Targets
	Cursors   keyring.Box // encrypts list cursors
	Vault     webhook.Vault
	// Fillers holds the filler words of each language, by its code without region.
	Fillers map[string]words.Fillers
	// Media computes pictures, waveforms and silences.
	Media    extracts.Media
	Attempts account.Attempts
	Plan     auth.Plan // plan of new workspaces
	// Workspaces is how many workspaces a person may own; 0 means 5. Operators have no limit.
	Workspaces int
	Mail       bool // whether this server sends mail
	// ProbeWait is how long an operation waits for a source that is being probed.
	ProbeWait time.Duration
	Uploads   upload.Limits
	Node      system.Node // this process, for operators
}

// New creates the services and the resolver that uses them.
func New(d Dependencies) *Resolver {
	var r Services

	r.Listing = &listing.Service{
		Store: d.Store, Addresses: d.Addresses, Media: d.Media,
		Paging: &paging.Service{Store: d.Store, Cursors: d.Cursors},
	}
	r.Upload = &upload.Service{
		Store: d.Store, Topics: d.Topics, Jobs: d.Jobs, Addresses: d.Addresses, Blobs: d.Blobs, Targets: d.Targets,
		ProbeWait: d.ProbeWait, Limits: d.Uploads, Listing: r.Listing,
	}
	r.Library = &library.Service{
		Store: d.Store, Jobs: d.Jobs, Addresses: d.Addresses, Blobs: d.Blobs, Listing: r.Listing, Upload: r.Upload,
	}
	r.Videos = &videos.Service{
		Store: d.Store, Jobs: d.Jobs, Addresses: d.Addresses, Listing: r.Listing, Upload: r.Upload, Library: r.Library,
	}
	r.Effects = &effect.Service{
		Store: d.Store, Blobs: d.Blobs, Listing: r.Listing, Upload: r.Upload, Library: r.Library, Videos: r.Videos,
	}
	r.Clips = &clip.Service{
		Store: d.Store, Jobs: d.Jobs, Listing: r.Listing, Upload: r.Upload, Library: r.Library, Videos: r.Videos,
	}
	r.Transcripts = &transcript.Service{Store: d.Store, Jobs: d.Jobs, Fillers: d.Fillers, Listing: r.Listing, Videos: r.Videos}
	r.Exports = &exports.Service{
		Store: d.Store, Topics: d.Topics, Jobs: d.Jobs, Media: d.Media, Listing: r.Listing, Upload: r.Upload, Videos: r.Videos,
	}
	r.Search = &search.Service{Store: d.Store, Listing: r.Listing}
	r.Playlists = &playlists.Service{Store: d.Store, Jobs: d.Jobs, Listing: r.Listing}
	r.Comments = &comments.Service{Store: d.Store, Jobs: d.Jobs, Mail: d.Mail, Listing: r.Listing}
	r.Activity = &activity.Service{Store: d.Store, Listing: r.Listing}
	r.Live = &live.Service{Store: d.Store, Topics: d.Topics, Listing: r.Listing}
	r.Analytics = &analytics.Service{Store: d.Store, Listing: r.Listing}
	r.Accounts = &account.Service{
		Store: d.Store, Jobs: d.Jobs, Addresses: d.Addresses, Attempts: d.Attempts, Plan: d.Plan, Workspaces: d.Workspaces,
		Mail: d.Mail, Listing: r.Listing, Upload: r.Upload,
	}
	r.Webhooks = &webhook.Service{
		Store: d.Store, Topics: d.Topics, Jobs: d.Jobs, Targets: d.Targets, Vault: d.Vault, Listing: r.Listing,
	}
	r.Sharing = &sharing.Service{
		Store: d.Store, Jobs: d.Jobs, Addresses: d.Addresses, Listing: r.Listing, Videos: r.Videos, Accounts: r.Accounts,
		Comments: r.Comments, Exports: r.Exports,
	}
	r.Demo = &run.Service{Store: d.Store, Topics: d.Topics, Jobs: d.Jobs, Accounts: r.Accounts}
	r.System = &system.Service{Store: d.Store, Accounts: r.Accounts, Limits: d.Uploads, Node: d.Node}

	return &Resolver{Services: r}
}
