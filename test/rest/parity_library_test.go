package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// REST and the graph return the same library, backgrounds and text styles: items of every type that belong to the
// caller, the workspace, another member, or the catalog.
func TestParityOfTheLibrary(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	guest := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	kinds := map[values.LibraryType]values.SourceKind{
		values.LibraryTypeImage: values.SourceKindImage, values.LibraryTypeVideo: values.SourceKindVideo,
		values.LibraryTypeSoundEffect: values.SourceKindAudio, values.LibraryTypeMusic: values.SourceKindAudio,
	}

	for _, m := range []testkit.Member{owner, guest} {
		for kept, kind := range kinds {
			source := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: kind, HasAudio: kind == values.SourceKindAudio})
			m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
				for _, scope := range []values.LibraryScope{values.LibraryScopePrivate, values.LibraryScopeWorkspace} {
					db.LibraryItem.Create().SetUserID(m.UserID).SetSource(source).SetScope(scope).SetType(kept).SetName("MUSIC <&>").ExecX(ctx)
				}
			})
		}
	}

	owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		for i, kind := range values.CatalogType("").Values() {
			db.CatalogItem.Create().SetID("preset-" + kind).SetType(values.CatalogType(kind)).SetName("WORKSPACE").SetRecipeHash("x").
				SetBlobKey("catalog/file-" + kind).SetPreviewKey("catalog/preview-" + kind).SetWidth(16 * i).SetHeight(9 * i).SetDurationMs(int64(1500 * i)).
				SetPosition(i).SetCreatedAt(now).ExecX(ctx)
		}
	})

	reads := []read{
		{"listBackgrounds", "/v1/backgrounds", nil},
		{"listTextPresets", "/v1/text-presets", nil},
		{"listLibrary", "/v1/library", nil},
		{"listLibrary", "/v1/library?limit=1", map[string]any{"first": 1}},
		{"listLibrary", "/v1/library?scope=workspace&type=image", map[string]any{"scope": "WORKSPACE", "type": "IMAGE"}},
	}

	for _, scope := range values.LibraryScope("").Values() {
		reads = append(reads, read{"listLibrary", "/v1/library?scope=" + scope, map[string]any{"scope": shout(scope)}})
	}

	for _, kind := range values.LibraryType("").Values() {
		reads = append(reads, read{"listLibrary", "/v1/library?type=" + kind, map[string]any{"type": shout(kind)}})
	}

	for _, r := range reads {
		require.True(t, compare(t, s, owner.Key, r), r.path)
		require.True(t, compare(t, s, guest.Key, r), r.path)
	}

	// The caller's own 8, the other member's 4 for the workspace, and 2 of the catalog.
	require.Len(t, walked(t, s, owner), 14)
	require.Len(t, walked(t, s, guest), 14)
	require.NotEqual(t, walked(t, s, owner), walked(t, s, guest))
}

// walked returns the ids of the library, read page by page with REST and the graph in turn.
func walked(t *testing.T, s *api.Server, who testkit.Member) []string {
	t.Helper()

	document, _ := graphOf("listLibrary")

	var seen []string

	for path, vars := "/v1/library?limit=3", map[string]any{"first": 3}; ; {
		var page map[string]any

		require.NoError(t, json.Unmarshal([]byte(s.Call(t, who.Key, http.MethodGet, path, "").Body), &page))
		other := inREST("listLibrary", s.Ask(t, who.Key, document, vars).Data)
		require.Equal(t, page["items"], other["items"])

		for _, item := range page["items"].([]any) {
			seen = append(seen, item.(map[string]any)["id"].(string))
		}

		if len(seen)%2 == 0 {
			page = other
		}

		cursor, more := page["pagination"].(map[string]any)["nextCursor"].(string)
		if !more {
			slices.Sort(seen)

			return slices.Compact(seen)
		}

		path, vars["after"] = "/v1/library?limit=3&cursor="+cursor, cursor
	}
}
