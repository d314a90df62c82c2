// Package paging reads lists page by page. Cursors are opaque and bound to their list and its filters. Lists that are
// sorted by latest edit are read as walks, which miss no row and show no row twice even if rows are edited meanwhile.
// Start with Walk, Sequence and Turn.
package paging

import (
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service reads pages. Every field is required.
type Service struct {
	Store   *store.Store
	Cursors keyring.Box // encrypts list cursors
}
