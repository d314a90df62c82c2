// Package exports starts exports of videos, and returns pictures and waveforms that are computed from videos. Start
// with StartExport.
package exports

import (
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Service starts exports and returns pictures.
type Service struct {
	Store   *store.Store
	Topics  *store.Topics
	Jobs    *jobs.Queue
	Media   extracts.Media
	Listing *listing.Service
	Upload  *upload.Service
	Videos  *videos.Service
}
