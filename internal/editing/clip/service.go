// Package clip changes clips: their order, their cuts, their look and their background. Start with UpdateClip.
package clip

import (
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Service edits clips.
type Service struct {
	Store   *store.Store
	Jobs    *jobs.Queue
	Listing *listing.Service
	Upload  *upload.Service
	Library *library.Service
	Videos  *videos.Service
}
