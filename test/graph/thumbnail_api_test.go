package graph_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Addresses of pictures are the same whenever they are read within an hour, through GraphQL and REST, so that browsers
// load nothing twice. An edit changes those of the video's thumbnails.
func TestAddressesOfPicturesStayTheSame(t *testing.T) {
	t.Parallel()

	var minutes atomic.Int64

	s := api.New(t, api.Options{Clock: func() time.Time {
		return time.Date(2026, time.May, 4, 9, int(minutes.Load()), 0, 0, time.UTC)
	}})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	image := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindImage})
	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.LibraryItem.Create().SetUserID(m.UserID).SetSourceID(image.ID).SetScope(values.LibraryScopeWorkspace).
			SetType(values.LibraryTypeImage).SetName("Logo").ExecX(ctx)
		c.Clip.UpdateOne(v.Edges.Clips[0]).SetBackground(values.Background{Type: values.BackgroundTypeImage, SourceID: image.ID}).ExecX(ctx)
	})

	const document = `query($id: ID!) { video(id: $id) {
		thumbnails { small { gif jpg mp4 webp } xl { jpg } } clips { nodes { background { imageUrl } } }
	} library(scope: WORKSPACE) { nodes { url } } backgrounds { workspace { previewUrl } } }`

	type answers struct{ graph, thumbnails string }

	read := func() answers {
		g := s.Ask(t, m.Key, document, map[string]any{"id": v.ID})
		require.Empty(t, g.Errors, g.Body)

		data, err := json.Marshal(g.Data)
		require.NoError(t, err)

		var detail struct {
			Video struct{ Thumbnails json.RawMessage }
		}

		a := s.Call(t, m.Key, http.MethodGet, "/v1/videos/"+v.ID, "")
		require.NoError(t, json.Unmarshal([]byte(a.Body), &detail), a.Body)
		require.Contains(t, string(detail.Video.Thumbnails), "/stills/"+v.ID+"/")

		return answers{string(data), string(detail.Video.Thumbnails)}
	}

	first := read()
	minutes.Store(59)
	require.Equal(t, first, read())

	minutes.Store(60)

	later := read()
	require.NotEqual(t, first.graph, later.graph)
	require.NotEqual(t, first.thumbnails, later.thumbnails)

	s.Call(t, m.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"name":"Renamed"}`)
	require.NotEqual(t, later.thumbnails, read().thumbnails)
}
