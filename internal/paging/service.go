// Package paging reads lists page by page. Cursors are opaque, and each cursor is valid only for one list with the
// same filters. Lists that are sorted by the time of the latest edit are read as walks. A walk misses no row and
// returns no row twice, even if rows are edited meanwhile. Start with Walk, Sequence and Turn.
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
