// Package rights checks which videos and sources the caller may see, use and edit. It locks those that are about to be
// written. Start with EditableVideo for an edit, and with KnownSource and UsableSource for a source.
package rights

import "github.com/reelgraph/reelgraph/internal/platform/store"

// Service checks the rights of callers. Every field is required.
type Service struct{ Store *store.Store }
