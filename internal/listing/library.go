package listing

import (
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VisibleItem limits a query to library items that the viewer may see: the workspace's items and the viewer's own.
// The API returns the address of an item's file, so an item is hidden if its owner may no longer use its source.
func VisibleItem(who auth.Viewer) predicate.LibraryItem {
	return libraryitem.Or(
		libraryitem.ScopeEQ(values.LibraryScopeWorkspace),
		libraryitem.And(libraryitem.UserID(who.UserID), libraryitem.HasSourceWith(rights.Usable(who))),
	)
}
