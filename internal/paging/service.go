// Package paging reads lists page by page. Cursors are opaque, and each cursor is valid only for one list with the
// same filters. Lists that are sorted by their latest edit are read as walks: even if rows are edited meanwhile, a
// walk misses no row and returns no row twice. Start with Walk, Sequence and Turn.
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
