package graph_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A user who can read a video can use the music it plays and the backgrounds of its clips, but only while they can read
// it.
func TestSourcesOfMusicAndBackgrounds(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	admin := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleAdmin})
	stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	found := func(who testkit.Member, source string) bool {
		t.Helper()

		status := s.Call(t, who.Key, http.MethodGet, "/v1/sources/"+source, "").Status
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, status)

		return status == http.StatusOK
	}
	do := func(who testkit.Member, method, target, body string) {
		t.Helper()

		a := s.Call(t, who.Key, method, target, body)
		require.Equal(t, http.StatusOK, a.Status, a.Body)
	}

	for visibility, readable := range map[values.Visibility]bool{values.VisibilityOrg: true, values.VisibilityPersonal: false} {
		video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{Visibility: visibility})
		song := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true}).ID
		picture := testkit.NewSource(t, s.Store, owner, testkit.SourceOpts{Kind: values.SourceKindImage}).ID
		music, clip := "/v1/videos/"+video.ID+"/background-music", "/v1/videos/"+video.ID+"/clips/"+video.Edges.Clips[0].ID

		require.False(t, found(admin, song))
		require.False(t, found(admin, picture))

		do(owner, http.MethodPut, music, `{"sourceId":"`+song+`"}`)
		do(owner, http.MethodPatch, clip, `{"background":{"type":"image","sourceId":"`+picture+`"}}`)

		for _, source := range []string{song, picture} {
			require.True(t, found(owner, source))
			require.Equal(t, readable, found(admin, source), visibility)
			require.False(t, found(stranger, source))
		}

		if readable {
			do(admin, http.MethodPut, music, `{"sourceId":"`+song+`","volume":0.5}`)
		}

		do(owner, http.MethodDelete, music, "")
		do(owner, http.MethodPatch, clip, `{"background":{"type":"solid","color":"#102030FF"}}`)
		require.False(t, found(admin, song))
		require.False(t, found(admin, picture))
	}
}
