// Package effect edits the effects of a clip: layouts, zooms, masks, overlays, texts and sounds, one by one or in
// batches. It also creates automatic zooms and layouts from the recording. Start with ApplyVideoEdits.
package effect

import (
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Service edits effects.
type Service struct {
	Store   *store.Store
	Blobs   blob.Store
	Listing *listing.Service
	Upload  *upload.Service
	Library *library.Service
	Videos  *videos.Service
}
