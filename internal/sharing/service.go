// Package sharing decides which visitors may see the page of a video or a playlist, and how they can unlock it. It
// also returns the words, pictures, comments and streams that a page shows. Start with ShowVideo.
package sharing

import (
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/comments"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Service shows videos and playlists to visitors.
type Service struct {
	Store     *store.Store
	Jobs      *jobs.Queue
	Addresses signedurl.Book
	Listing   *listing.Service
	Videos    *videos.Service
	Accounts  *account.Service
	Comments  *comments.Service
	Exports   *exports.Service
}
