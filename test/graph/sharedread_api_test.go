package graph_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Concurrent requests for single videos each get the current row, and never see a video that they may not.
func TestSharedReads(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	guest := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	type seen struct{ owner, guest, stranger bool }

	videos := map[string]seen{"vid_01ARZ3NDEKTSV4RRFFQ69G5FAV": {}, "nonsense": {}}

	for i := range 4 {
		of := func(m testkit.Member, v values.Visibility) string {
			return testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{Name: fmt.Sprint(i), Visibility: v}).ID
		}
		videos[of(owner, values.VisibilityOrg)] = seen{owner: true, guest: true}
		videos[of(owner, values.VisibilityPersonal)] = seen{owner: true}
		videos[of(guest, values.VisibilityPersonal)] = seen{guest: true}
		videos[of(stranger, values.VisibilityOrg)] = seen{stranger: true}
	}

	var (
		all    sync.WaitGroup
		edited = testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{}).ID
	)

	ask := func(m testkit.Member, id, fields string) api.Graph {
		return s.Ask(t, m.Key, `query($id: ID!) { video(id: $id) { id `+fields+` } }`, map[string]any{"id": id})
	}

	for worker := range 24 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			fields := []string{"name", "revision durationMs"}[worker%2]

			for id, may := range videos { // in random order
				for who, is := range map[*testkit.Member]bool{&owner: may.owner, &guest: may.guest, &stranger: may.stranger} {
					if random.IntN(3) > 0 {
						continue
					}

					if g := ask(*who, id, fields); is {
						require.Equal(t, id, g.Data["video"].(map[string]any)["id"], g.Body)
					} else {
						require.Equal(t, "not_found", g.Code(), g.Body)
					}
				}
			}
		})
	}

	for i := range 20 {
		name := fmt.Sprint("name ", i)
		g := s.Ask(t, owner.Key, `mutation($id: ID!, $name: String!) { updateVideo(id: $id, input: {name: $name}) { video { id } } }`,
			map[string]any{"id": edited, "name": name})
		require.Empty(t, g.Errors, g.Body)
		require.Equal(t, map[string]any{"id": edited, "name": name}, ask(owner, edited, "name").Data["video"])
	}

	all.Wait()
}
