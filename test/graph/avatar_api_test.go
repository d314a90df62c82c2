package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A person's picture is an image that they may use. Everybody who sees the person sees it, and the image is in use until
// another takes its place.
func TestAvatars(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	me, stranger := testkit.NewMember(t, s.Store, testkit.MemberOpts{}), testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	colleague := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: me.WorkspaceID, Role: auth.RoleViewer})
	video := testkit.NewVideo(t, s.Store, me, testkit.VideoOpts{}).ID
	image := func(m testkit.Member) string {
		return testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindImage}).ID
	}
	set := func(who testkit.Member, input string) api.Graph {
		return s.Ask(t, who.Key, `mutation { updateUser(input: {`+input+`}) { user { name avatar } } }`, nil)
	}
	drop := func(id string) api.Graph {
		return s.Ask(t, me.Key, `mutation { deleteSource(id: "`+id+`") { deletedId } }`, nil)
	}
	// seen returns the address that somebody reads for the creator of the video.
	seen := func(by testkit.Member) any {
		g := s.Ask(t, by.Key, `{ video(id: "`+video+`") { creator { avatar } } }`, nil)
		require.Empty(t, g.Errors, g.Body)

		return api.Dig(g.Data, "video", "creator", "avatar")
	}

	require.Nil(t, seen(colleague))

	for input, code := range map[string]string{
		`avatarSourceId: "` + image(stranger) + `"`:                                            "not_found",
		`avatarSourceId: "` + image(colleague) + `"`:                                           "not_found",
		`avatarSourceId: "` + testkit.NewSource(t, s.Store, me, testkit.SourceOpts{}).ID + `"`: "bad_request",
		`name: null, avatarSourceId: "su_none"`:                                                "not_found",
		`avatarSourceId: "` + testkit.NewSource(t, s.Store, me, testkit.SourceOpts{
			Kind: values.SourceKindImage, Status: values.SourceStatusUploading,
		}).ID + `"`: "conflict",
	} {
		g := set(me, input)
		require.Equal(t, code, g.Code(), "%s: %s", input, g.Body)
	}

	require.Nil(t, seen(me))

	first, second := image(me), image(me)
	g := set(me, `avatarSourceId: "`+first+`"`)
	require.Empty(t, g.Errors, g.Body)

	at, _ := api.Dig(g.Data, "updateUser", "user", "avatar").(string)
	require.True(t, strings.HasPrefix(at, api.BaseURL+"/stills/"+me.UserID+"/"), at)
	require.Contains(t, at, "/avatar.jpg?token=")
	require.Equal(t, []any{at, at}, []any{seen(me), seen(colleague)})

	g = set(me, `name: "Ann"`)
	require.Equal(t, map[string]any{"name": "Ann", "avatar": at}, api.Dig(g.Data, "updateUser", "user"), "it stays")

	g = drop(first)
	require.Equal(t, "conflict", g.Code(), g.Body)
	require.Contains(t, g.Body, `This source is used by the picture of \"Ann\" (`+me.UserID+`). Remove it there first.`)

	require.Empty(t, set(me, `avatarSourceId: "`+second+`"`).Errors)
	require.NotEqual(t, at, seen(colleague), "another picture has another address")
	require.Empty(t, drop(first).Errors)

	require.Empty(t, set(me, `avatarSourceId: null`).Errors)
	require.Nil(t, seen(colleague))
	require.Empty(t, drop(second).Errors)
}
