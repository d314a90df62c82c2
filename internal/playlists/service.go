// Package playlists changes playlists, their videos and their groups. Start with CreatePlaylist.
package playlists

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service edits playlists.
type Service struct {
	Store   *store.Store
	Jobs    *jobs.Queue
	Listing *listing.Service
}
