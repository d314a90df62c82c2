// Package paging reads lists page by page: with cursors that are opaque, bound to their list and its filters, and, where a
// list is in the order of its latest edits, walks that miss nothing and show nothing twice however rows are edited meanwhile.
// Start with Walk, Sequence and Turn.
package paging

import (
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Service reads pages. Every field is required.
type Service struct {
	Store   *store.Store
	Cursors keyring.Box // seals list cursors
}
