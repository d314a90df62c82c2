package listing

import (
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VisibleItem narrows items to those the viewer may see: the workspace's and its own. An item answers where its file is: one
// whose source its owner may not use any more is seen by nobody.
func VisibleItem(who auth.Viewer) predicate.LibraryItem {
	return libraryitem.Or(
		libraryitem.ScopeEQ(values.LibraryScopeWorkspace),
		libraryitem.And(libraryitem.UserID(who.UserID), libraryitem.HasSourceWith(usable(who))),
	)
}
