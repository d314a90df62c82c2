package media

import "github.com/reelgraph/reelgraph/internal/upload"

// Intake returns the upload.Desk, the service that completes uploads.
func (d Deps) Intake() upload.Desk {
	return upload.Desk{Blobs: d.Blobs, Clock: d.Clock, Queue: d.Queue, Store: d.Store, Topics: d.Topics}
}
