// Package transcript edits the words of clips and cuts clips by their words. Start with PutTranscript.
package transcript

import (
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Service edits transcripts.
type Service struct {
	Store *store.Store
	Jobs  *jobs.Queue
	// Fillers holds the filler words of each language, by language code without region.
	Fillers map[string]words.Fillers
	Listing *listing.Service
	Videos  *videos.Service
}
