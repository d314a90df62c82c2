// Package clip edits clips: their order, cuts, look and background. Start with UpdateClip.
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
