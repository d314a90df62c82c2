package listing

import (
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VisibleItem limits items to those the viewer may see: the workspace's and its own. An item shows the address of its
// file, so nobody sees an item whose owner may no longer use its source.
func VisibleItem(who auth.Viewer) predicate.LibraryItem {
	return libraryitem.Or(
		libraryitem.ScopeEQ(values.LibraryScopeWorkspace),
		libraryitem.And(libraryitem.UserID(who.UserID), libraryitem.HasSourceWith(usable(who))),
	)
}
