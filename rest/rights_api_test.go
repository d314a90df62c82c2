package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
	"github.com/reelgraph/reelgraph/internal/timeline"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// actor is who asks, as far as rights depend on it.
type actor struct {
	name         string
	keyless      bool
	stranger     bool // of another workspace
	role         auth.Role
	creator      bool
	collaborator domain.CollaboratorRole
}

func actors() []actor {
	return []actor{
		{name: "nobody", keyless: true},
		{name: "stranger", stranger: true, role: auth.RoleOwner},
		{name: "viewer", role: auth.RoleViewer},
		{name: "member", role: auth.RoleMember},
		{name: "admin", role: auth.RoleAdmin},
		{name: "owner", role: auth.RoleOwner},
		{name: "collaborator viewer", role: auth.RoleMember, collaborator: domain.CollaboratorRoleViewer},
		{name: "collaborator editor", role: auth.RoleMember, collaborator: domain.CollaboratorRoleEditor},
		{name: "collaborator admin", role: auth.RoleAdmin, collaborator: domain.CollaboratorRoleViewer},
		{name: "viewer who collaborates", role: auth.RoleViewer, collaborator: domain.CollaboratorRoleEditor},
		{name: "creator", role: auth.RoleMember, creator: true},
		{name: "creator who is a viewer now", role: auth.RoleViewer, creator: true},
	}
}

// state is what of a video rights depend on.
type state struct {
	visibility     domain.Visibility
	downloads, raw bool
}

// The rules of the contract, 1.2.

func (a actor) reads(v state) bool {
	return !a.keyless && !a.stranger && (a.creator || a.collaborator != "" || v.visibility == domain.VisibilityOrg)
}

func (a actor) creates() bool { return a.role != auth.RoleViewer }

func (a actor) rules() bool { return a.role == auth.RoleOwner || a.role == auth.RoleAdmin }

func (a actor) edits(v state) bool {
	return a.reads(v) && a.creates() && (a.creator || a.collaborator == domain.CollaboratorRoleEditor || a.rules())
}

func (a actor) governs(v state) bool { return a.reads(v) && a.creates() && (a.creator || a.rules()) }

func (a actor) exports(v state, raw bool) bool {
	return a.edits(v) || a.reads(v) && v.downloads && (!raw || v.raw)
}

// ask is one operation of the slice, in REST and in the graph, and the rules it obeys.
type ask struct {
	name           string
	method, target string // with the names of a scene, such as $VIDEO
	body           string
	graph          string // likewise
	sends          string // the content type, if not JSON
	// unmade is for what is not computed: whoever may ask is told so.
	unmade bool
	// alone is for operations whose rights do not depend on downloads.
	alone bool
	// exists and may say whether the caller sees the thing, and may do this to it; nil is yes.
	exists, may func(a actor, v state) bool
}

func films(a actor, v state) bool    { return a.exports(v, false) }
func rawFiles(a actor, v state) bool { return a.exports(v, true) }
func never(actor, state) bool        { return false }

func creates(a actor, _ state) bool { return a.creates() }

// colleague sees what is the workspace's; rules decides about what a colleague made there.
func colleague(a actor, _ state) bool { return !a.stranger }
func rules(a actor, _ state) bool     { return a.rules() }

func asks() []ask {
	return []ask{
		{name: "listVideos", method: "GET", target: "/v1/videos", graph: `{ videos { nodes { id } } }`, alone: true},
		{name: "getVideo", method: "GET", target: "/v1/videos/$VIDEO", graph: `{ video(id: "$VIDEO") { id exports { nodes { id granularity } } } }`, exists: actor.reads},
		{
			name: "createVideo of one's own", method: "POST", target: "/v1/videos", body: `{"sourceId":"$OWN"}`,
			graph: `mutation { createVideo(input: {sourceId: "$OWN"}) { video { id } } }`, alone: true, may: creates,
		},
		{
			name: "createVideo of another's", method: "POST", target: "/v1/videos", body: `{"sourceId":"$SOURCE"}`,
			graph: `mutation { createVideo(input: {sourceId: "$SOURCE"}) { video { id } } }`, alone: true, exists: actor.reads, may: creates,
		},
		{
			name: "updateVideo", method: "PATCH", target: "/v1/videos/$VIDEO", body: `{"name":"REST"}`,
			graph: `mutation { updateVideo(id: "$VIDEO", input: {name: "graph"}) { video { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "updateVideo visibility", method: "PATCH", target: "/v1/videos/$VIDEO", body: `{"visibility":"$SEEN"}`,
			graph: `mutation { updateVideo(id: "$VIDEO", input: {visibility: $UPPER}) { video { id } } }`, alone: true, exists: actor.reads, may: actor.governs,
		},
		{
			name: "deleteVideo", method: "DELETE", target: "/v1/videos/$DOOMED", graph: `mutation { deleteVideo(id: "$DOOMED") { deletedId } }`,
			alone: true, exists: actor.reads, may: actor.governs,
		},
		{name: "listClips", method: "GET", target: "/v1/videos/$VIDEO/clips", graph: `{ video(id: "$VIDEO") { clips { nodes { id } } } }`, alone: true, exists: actor.reads},
		{name: "getClip", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP", graph: `{ clip(videoId: "$VIDEO", id: "$CLIP") { id } }`, alone: true, exists: actor.reads},
		{
			name: "updateClip", method: "PATCH", target: "/v1/videos/$VIDEO/clips/$CLIP", body: `{"name":"REST"}`,
			graph: `mutation { updateClip(videoId: "$VIDEO", id: "$CLIP", input: {name: "graph"}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "addClip", method: "POST", target: "/v1/videos/$VIDEO/clips", body: `{"sourceId":"$OWN"}`,
			graph: `mutation { addClip(videoId: "$VIDEO", input: {sourceId: "$OWN"}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "addClip of a source out of sight", method: "POST", target: "/v1/videos/$VIDEO/clips", body: `{"sourceId":"$UNUSED"}`,
			graph: `mutation { addClip(videoId: "$VIDEO", input: {sourceId: "$UNUSED"}) { clip { id } } }`, alone: true, exists: never,
		},
		{
			name: "duplicateClip", method: "POST", target: "/v1/videos/$VIDEO/clips/$CLIP/duplicate",
			graph: `mutation { duplicateClip(videoId: "$VIDEO", id: "$CLIP") { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "reorderClip", method: "POST", target: "/v1/videos/$VIDEO/clips/$CLIP/reorder", body: `{"order":0}`,
			graph: `mutation { reorderClip(videoId: "$VIDEO", id: "$CLIP", input: {order: 0}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "deleteClip", method: "DELETE", target: "/v1/videos/$VIDEO/clips/$SPARE",
			graph: `mutation { deleteClip(videoId: "$VIDEO", id: "$SPARE") { deletedId } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "listClipSources", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP/sources",
			graph: `{ clip(videoId: "$VIDEO", id: "$CLIP") { sources { id } } }`, alone: true, exists: actor.reads,
		},
		{
			name: "listMouseEvents", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP/mouse-events",
			graph: `{ clip(videoId: "$VIDEO", id: "$CLIP") { mouseEvents { timeMs } } }`, alone: true, exists: actor.reads,
		},
		{
			name: "updateClip with another's picture", method: "PATCH", target: "/v1/videos/$VIDEO/clips/$CLIP", body: `{"background":{"type":"video","sourceId":"$SOURCE"}}`,
			graph: `mutation { updateClip(videoId: "$VIDEO", id: "$CLIP", input: {background: {type: VIDEO, sourceId: "$SOURCE"}}) { clip { id } } }`,
			alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "cutClip", method: "POST", target: "/v1/videos/$VIDEO/clips/$CLIP/cut", body: `{"fromMs":0,"toMs":1}`,
			graph: `mutation { cutClip(videoId: "$VIDEO", id: "$CLIP", input: {cuts: [{fromMs: 0, toMs: 1}]}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{name: "listExports", method: "GET", target: "/v1/videos/$VIDEO/exports", graph: `{ exports(videoId: "$VIDEO") { nodes { id granularity } } }`, exists: actor.reads, may: films},
		{name: "getExport", method: "GET", target: "/v1/videos/$VIDEO/exports/$FILM", graph: `{ export(videoId: "$VIDEO", id: "$FILM") { id } }`, exists: actor.reads, may: films},
		{name: "getExport raw", method: "GET", target: "/v1/videos/$VIDEO/exports/$RAW", graph: `{ export(videoId: "$VIDEO", id: "$RAW") { id } }`, exists: actor.reads, may: rawFiles},
		{name: "getExport of one's own", method: "GET", target: "/v1/videos/$VIDEO/exports/$MINE", graph: `{ node(id: "$MINE") { id } }`, exists: actor.reads, may: films},
		{name: "startExport", method: "POST", target: "/v1/videos/$VIDEO/exports", graph: `mutation { startExport(videoId: "$VIDEO") { export { id } } }`, exists: actor.reads, may: films},
		{
			name: "startExport raw", method: "POST", target: "/v1/videos/$VIDEO/exports", body: `{"granularity":"raw"}`,
			graph: `mutation { startExport(videoId: "$VIDEO", input: {granularity: RAW}) { export { id } } }`, exists: actor.reads, may: rawFiles,
		},
		{name: "cancelExport", method: "DELETE", target: "/v1/videos/$VIDEO/exports/$FILM", graph: `mutation { cancelExport(videoId: "$VIDEO", id: "$FILM") { export { id } } }`, exists: actor.reads, may: actor.edits},
		{name: "cancelExport of one's own", method: "DELETE", target: "/v1/videos/$VIDEO/exports/$MINE", graph: `mutation { cancelExport(videoId: "$VIDEO", id: "$MINE") { export { id } } }`, exists: actor.reads},
		{name: "createSource", method: "POST", target: "/v1/sources", graph: `mutation { createSource(input: {}) { uploadUrl } }`, alone: true, may: creates},
		{name: "getSource of one's own", method: "GET", target: "/v1/sources/$OWN", graph: `{ source(id: "$OWN") { id } }`, alone: true},
		{name: "getSource of another's video", method: "GET", target: "/v1/sources/$SOURCE", graph: `{ source(id: "$SOURCE") { id } }`, alone: true, exists: actor.reads},
		{name: "getSource of another", method: "GET", target: "/v1/sources/$UNUSED", graph: `{ source(id: "$UNUSED") { id } }`, alone: true, exists: never},
		{
			name: "getSource of the workspace", method: "GET", target: "/v1/sources/$SHARED", graph: `{ source(id: "$SHARED") { id } }`, alone: true,
			exists: func(a actor, _ state) bool { return !a.stranger },
		},
		{name: "listCollaborators", method: "GET", target: "/v1/videos/$VIDEO/collaborators", graph: `{ video(id: "$VIDEO") { collaborators { nodes { role } } } }`, alone: true, exists: actor.reads},
		{
			name: "addCollaborator", method: "POST", target: "/v1/videos/$VIDEO/collaborators", body: `{"email":"$EMAIL","role":"viewer"}`,
			graph: `mutation { addCollaborator(videoId: "$VIDEO", input: {email: "$EMAIL", role: EDITOR}) { video { id } } }`, alone: true, exists: actor.reads, may: actor.governs,
		},
		{
			name: "updateCollaborator", method: "PATCH", target: "/v1/videos/$VIDEO/collaborators/$INVITED", body: `{"role":"viewer"}`,
			graph: `mutation { updateCollaborator(videoId: "$VIDEO", userId: "$INVITED", input: {role: EDITOR}) { video { id } } }`, alone: true, exists: actor.reads, may: actor.governs,
		},
		{
			name: "removeCollaborator", method: "DELETE", target: "/v1/videos/$VIDEO/collaborators/$INVITED",
			graph: `mutation { removeCollaborator(videoId: "$VIDEO", userId: "$INVITED") { video { id } } }`, alone: true, exists: actor.reads, may: actor.governs,
		},
		{name: "listVideoTags", method: "GET", target: "/v1/videos/$VIDEO/tags", graph: `{ video(id: "$VIDEO") { tags { nodes { id } } } }`, alone: true, exists: actor.reads},
		{
			name: "tagVideo", method: "POST", target: "/v1/videos/$VIDEO/tags", body: `{"tagId":"$TAG"}`,
			graph: `mutation { tagVideo(videoId: "$VIDEO", tagId: "$TAG") { video { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "untagVideo", method: "DELETE", target: "/v1/videos/$VIDEO/tags/$WORN", graph: `mutation { untagVideo(videoId: "$VIDEO", tagId: "$WORN") { video { id } } }`,
			alone: true, exists: actor.reads, may: actor.edits,
		},
		{name: "listPlaylists", method: "GET", target: "/v1/playlists?visibility=org", graph: `{ playlists(visibility: ORG) { nodes { id } } }`, alone: true},
		{
			name: "createPlaylist", method: "POST", target: "/v1/playlists", body: `{"name":"P"}`, graph: `mutation { createPlaylist(input: {name: "P"}) { playlist { id } } }`,
			alone: true, may: creates,
		},
		{name: "getPlaylist", method: "GET", target: "/v1/playlists/$LIST", graph: `{ playlist(id: "$LIST") { id } }`, alone: true, exists: colleague},
		{name: "getPlaylist of another's own", method: "GET", target: "/v1/playlists/$PRIVATE", graph: `{ node(id: "$PRIVATE") { id } }`, alone: true, exists: never},
		{
			name: "updatePlaylist", method: "PATCH", target: "/v1/playlists/$LIST", body: `{"name":"REST"}`,
			graph: `mutation { updatePlaylist(id: "$LIST", input: {name: "graph"}) { playlist { id } } }`, alone: true, exists: colleague, may: rules,
		},
		{
			name: "deletePlaylist", method: "DELETE", target: "/v1/playlists/$LEAVING", graph: `mutation { deletePlaylist(id: "$LEAVING") { deletedId } }`,
			alone: true, exists: colleague, may: rules,
		},
		{
			name: "addPlaylistVideo", method: "POST", target: "/v1/playlists/$LIST/videos", body: `{"videoId":"$VIDEO"}`,
			graph: `mutation { addPlaylistVideo(playlistId: "$LIST", videoId: "$VIDEO") { video { id } } }`, alone: true, exists: actor.reads, may: rules,
		},
		{
			name: "removePlaylistVideo", method: "DELETE", target: "/v1/playlists/$FULL/videos/$VIDEO",
			graph: `mutation { removePlaylistVideo(playlistId: "$FULL", videoId: "$VIDEO") { playlist { id } } }`, alone: true, exists: actor.reads, may: rules,
		},
		{name: "listPlaylistGroups", method: "GET", target: "/v1/playlist-groups?visibility=org", graph: `{ playlistGroups(visibility: ORG) { nodes { id } } }`, alone: true},
		{
			name: "createPlaylistGroup", method: "POST", target: "/v1/playlist-groups", body: `{"name":"G"}`,
			graph: `mutation { createPlaylistGroup(input: {name: "G"}) { group { id } } }`, alone: true, may: creates,
		},
		{
			name: "updatePlaylistGroup", method: "PATCH", target: "/v1/playlist-groups/$GROUP", body: `{"name":"REST"}`,
			graph: `mutation { updatePlaylistGroup(id: "$GROUP", input: {name: "graph"}) { group { id } } }`, alone: true, exists: colleague, may: rules,
		},
		{
			name: "deletePlaylistGroup", method: "DELETE", target: "/v1/playlist-groups/$GROUP", graph: `mutation { deletePlaylistGroup(id: "$GROUP") { deletedId } }`,
			alone: true, exists: colleague, may: rules,
		},
		{name: "listTags", method: "GET", target: "/v1/tags", graph: `{ tags { nodes { id } } }`, alone: true},
		{name: "createTag", method: "POST", target: "/v1/tags", body: `{"name":"$NEW"}`, graph: `mutation { createTag(input: {name: "$NEW"}) { tag { id } } }`, alone: true, may: creates},
		{
			name: "updateTag", method: "PATCH", target: "/v1/tags/$TAG", body: `{"description":"REST"}`,
			graph: `mutation { updateTag(id: "$TAG", input: {description: "graph"}) { tag { id } } }`, alone: true, exists: colleague, may: rules,
		},
		{name: "deleteTag", method: "DELETE", target: "/v1/tags/$TAG", graph: `mutation { deleteTag(id: "$TAG") { deletedId } }`, alone: true, exists: colleague, may: rules},
		{
			name: "createWebhookEndpoint", method: "POST", target: "/v1/webhooks/endpoints", body: `{"url":"https://hooks.example/","filterTypes":["video.created"]}`,
			graph: `mutation { createWebhookEndpoint(input: {url: "https://hooks.example/", filterTypes: [VIDEO_CREATED]}) { secret } }`, alone: true, may: creates,
		},
		{name: "getWebhookSecret", method: "GET", target: "/v1/webhooks/endpoints/$ENDPOINT/secret", graph: `{ webhookEndpoint(id: "$ENDPOINT") { secret } }`, alone: true, exists: never},
		{
			name: "deleteWebhookEndpoint", method: "DELETE", target: "/v1/webhooks/endpoints/$ENDPOINT",
			graph: `mutation { deleteWebhookEndpoint(id: "$ENDPOINT") { deletedId } }`, alone: true, exists: never,
		},
		{
			name: "updateWebhookEndpoint", method: "PATCH", target: "/v1/webhooks/endpoints/$ENDPOINT", body: `{"disabled":true}`,
			graph: `mutation { updateWebhookEndpoint(id: "$ENDPOINT", input: {disabled: true}) { endpoint { id } } }`, alone: true, exists: never,
		},
		{
			name: "updateWebhookEndpoint of one's own", method: "PATCH", target: "/v1/webhooks/endpoints/$HOOK", body: `{"filterTypes":null}`,
			graph: `mutation { updateWebhookEndpoint(id: "$HOOK", input: {filterTypes: null}) { endpoint { id } } }`, alone: true, may: creates,
		},
		{
			name: "rotateWebhookSecret", method: "POST", target: "/v1/webhooks/endpoints/$ENDPOINT/secret/rotate",
			graph: `mutation { rotateWebhookSecret(id: "$ENDPOINT") { secret } }`, alone: true, exists: never,
		},
		{
			name: "rotateWebhookSecret of one's own", method: "POST", target: "/v1/webhooks/endpoints/$HOOK/secret/rotate",
			graph: `mutation { rotateWebhookSecret(id: "$HOOK") { secret } }`, alone: true, may: creates,
		},
		{
			name: "testWebhookEndpoint", method: "POST", target: "/v1/webhooks/endpoints/$ENDPOINT/test", body: `{"type":"video.created"}`,
			graph: `mutation { testWebhookEndpoint(id: "$ENDPOINT", input: {type: VIDEO_CREATED}) { message { id } } }`, alone: true, exists: never,
		},
		{
			name: "testWebhookEndpoint of one's own", method: "POST", target: "/v1/webhooks/endpoints/$HOOK/test", body: `{"type":"video.created"}`,
			graph: `mutation { testWebhookEndpoint(id: "$HOOK", input: {type: VIDEO_CREATED}) { message { id } } }`, alone: true, may: creates,
		},
		{name: "listWebhookEndpoints", method: "GET", target: "/v1/webhooks/endpoints", graph: `{ webhookEndpoints { nodes { id url } } }`, alone: true},
		{name: "listWebhookMessages", method: "GET", target: "/v1/webhooks/messages", graph: `{ webhookMessages { nodes { id } } }`, alone: true},
		{name: "getWebhookMessage", method: "GET", target: "/v1/webhooks/messages/$MESSAGE", graph: `{ webhookMessage(id: "$MESSAGE") { id } }`, alone: true, exists: never},
		{name: "getWebhookMessage of one's own", method: "GET", target: "/v1/webhooks/messages/$SENT", graph: `{ node(id: "$SENT") { id } }`, alone: true},
		{
			name: "listWebhookAttempts", method: "GET", target: "/v1/webhooks/messages/$MESSAGE/attempts",
			graph: `{ webhookMessage(id: "$MESSAGE") { attempts { nodes { id } } } }`, alone: true, exists: never,
		},
		{
			name: "listWebhookAttempts of one's own", method: "GET", target: "/v1/webhooks/messages/$SENT/attempts",
			graph: `{ webhookMessage(id: "$SENT") { attempts { nodes { id } } } }`, alone: true,
		},
		{
			name: "resendWebhookMessage", method: "POST", target: "/v1/webhooks/messages/$MESSAGE/resend",
			graph: `mutation { resendWebhookMessage(id: "$MESSAGE") { message { id } } }`, alone: true, exists: never,
		},
		{
			name: "resendWebhookMessage of one's own", method: "POST", target: "/v1/webhooks/messages/$SENT/resend",
			graph: `mutation { resendWebhookMessage(id: "$SENT") { message { id } } }`, alone: true, may: creates,
		},
	}
}

func (o ask) expected(a actor, v state) (int, fault.Code) {
	switch {
	case a.keyless:
		return http.StatusUnauthorized, fault.UnauthorizedCode
	case o.exists != nil && !o.exists(a, v):
		return http.StatusNotFound, fault.NotFoundCode
	case o.may != nil && !o.may(a, v):
		return http.StatusForbidden, fault.ForbiddenCode
	case o.unmade:
		return http.StatusNotImplemented, fault.NotImplementedCode
	default:
		return http.StatusOK, ""
	}
}

// Every operation obeys the rules, whoever asks and by whatever door.
func TestRights(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	for _, visibility := range []domain.Visibility{domain.VisibilityOrg, domain.VisibilityPersonal} {
		for _, v := range []state{{visibility, false, false}, {visibility, false, true}, {visibility, true, false}, {visibility, true, true}} {
			t.Run(fmt.Sprintf("%+v", v), func(t *testing.T) {
				t.Parallel()

				for _, a := range actors() {
					c := stage(t, s, a, v)

					for _, o := range slices.Concat(asks(), wordAsks(), effectAsks()) {
						if !o.alone || !v.downloads && !v.raw {
							c.play(o)
						}
					}
				}
			})
		}
	}
}

// scene is a video and who asks for it.
type scene struct {
	*testing.T
	*api.Server

	actor
	state

	key     string
	me      testkit.Member
	creator testkit.Member
	other   testkit.Member // a member who has to do with all that is the creator's and the actor's neither
	names   map[string]string
}

func stage(t *testing.T, s *api.Server, a actor, v state) *scene {
	t.Helper()

	c := &scene{T: t, Server: s, actor: a, state: v, names: map[string]string{}}
	c.creator = testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	c.me = c.creator

	switch {
	case a.stranger:
		c.me = testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	case !a.keyless:
		c.me = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID, Role: a.role})
	}

	if a.creator {
		c.creator = c.me
	}

	if !a.keyless {
		c.key = c.me.Key
	}

	another := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID})
	c.other = another
	source := testkit.NewSource(t, s.Store, another, testkit.SourceOpts{})
	made := c.video(source)
	endpoint := s.Call(t, another.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)

	c.names = map[string]string{
		"$VIDEO": made.ID, "$CLIP": made.Edges.Clips[0].ID, "$SOURCE": source.ID,
		"$OWN":    testkit.NewSource(t, s.Store, c.me, testkit.SourceOpts{}).ID,
		"$UNUSED": testkit.NewSource(t, s.Store, another, testkit.SourceOpts{}).ID,
		"$SHARED": testkit.NewSource(t, s.Store, another, testkit.SourceOpts{}).ID,
		"$SEEN":   string(v.visibility), "$UPPER": strings.ToUpper(string(v.visibility)),
		"$ENDPOINT": strings.Split(endpoint.Body, `"`)[3],
	}
	c.names["$HOOK"], c.names["$SENT"] = c.hook(c.me)
	_, c.names["$MESSAGE"] = c.hook(another)
	c.names["$RAW"] = c.export(another, domain.GranularityRaw)
	c.names["$FILM"] = c.export(another, domain.GranularityStory)

	_, err := s.Store.DB.Exec(`UPDATE sources SET user_id = NULL WHERE id = $1`, c.names["$SHARED"])
	require.NoError(t, err)

	return c
}

// video makes a video of the scene's creator, with whoever collaborates on it.
func (c *scene) video(source *ent.Source) *ent.Video {
	settings := domain.DefaultVideoSettings()
	settings.DownloadsEnabled, settings.RawDownloadsEnabled = c.downloads, c.raw

	v := testkit.NewVideo(c.T, c.Store, c.creator, testkit.VideoOpts{Visibility: c.visibility, Settings: &settings, Source: source})

	if c.collaborator != "" {
		c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
			db.Collaborator.Create().SetVideoID(v.ID).SetUserID(c.me.UserID).SetRole(c.collaborator).ExecX(ctx)
		})
	}

	return v
}

// hook makes an endpoint of that person, and a message that was sent to it.
func (c *scene) hook(of testkit.Member) (endpoint, message string) {
	of.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		made := db.WebhookEndpoint.Create().SetUserID(of.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx)
		endpoint = made.ID

		sent, err := c.Resolver.Jobs.Send(ctx, webhook.Sample(domain.EventTypeVideoCreated), made)
		require.NoError(c.T, err)

		message = sent.ID
	})

	return endpoint, message
}

// export makes an unfinished export, as asked for by that person.
func (c *scene) export(by testkit.Member, granularity domain.Granularity) string {
	var id string

	c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		id = db.Export.Create().SetVideoID(c.names["$VIDEO"]).SetUserID(by.UserID).SetGranularity(granularity).
			SetResolution(domain.ResolutionP1080).SetFps(domain.FPS30).SetSpeed(domain.Speed1).SetSubtitles(false).SetRevision(0).
			SetPlan(json.RawMessage(`{}`)).SetPlanHash(ids.New(ids.Export)).SaveX(ctx).ID
	})

	return id
}

// spareClip adds a clip to the scene's video.
func (c *scene) spareClip() string {
	var id string

	c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		id = db.Clip.Create().SetVideoID(c.names["$VIDEO"]).SetName("Spare").SetPosition(9).SetScreenSourceID(c.names["$SOURCE"]).
			SetRecordingMs(1000).SetDurationMs(1000).SetCuts(timeline.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetTranscriptStatus(domain.TranscriptStatusReady).SetBackground(domain.DefaultBackground()).SaveX(ctx).ID
	})

	return id
}

// play asks by both doors, each for things of its own where asking would use them up.
func (c *scene) play(o ask) {
	c.Helper()

	status, code := o.expected(c.actor, c.state)
	where := fmt.Sprintf("%s: %s, %+v", o.name, c.name, c.state)

	var header []string
	if o.sends != "" {
		header = []string{"Content-Type", o.sends}
	}

	a := c.Call(c.T, c.key, o.method, c.fill(o.target), c.fill(o.body), header...)
	require.Equal(c.T, status, a.Status, "REST %s\n%s", where, a.Body)

	g := c.Ask(c.T, c.key, c.fill(o.graph), nil)
	require.Equal(c.T, string(code), g.Code(), "graph %s\n%s", where, g.Body)

	shown := []string{a.Body, g.Body}

	switch {
	case status != http.StatusOK:
	case o.name == "listVideos":
		for _, body := range shown {
			require.Equal(c.T, c.reads(c.state), strings.Contains(body, c.names["$VIDEO"]), where)
		}
	case o.name == "getVideo" || o.name == "listExports":
		for _, body := range shown {
			require.Equal(c.T, c.exports(c.state, false), strings.Contains(body, c.names["$FILM"]), "film, %s\n%s", where, body)
			require.Equal(c.T, c.exports(c.state, true), strings.Contains(body, c.names["$RAW"]), "raw, %s\n%s", where, body)
		}
	}
}

var placeholder = regexp.MustCompile(`\$[A-Z]+`)

// fill replaces the names of things by their ids, and makes those anew that are used up by asking.
func (c *scene) fill(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(name string) string {
		switch name {
		case "$FILM":
			c.names[name] = c.export(c.other, domain.GranularityStory)
		case "$MINE":
			c.names[name] = c.export(c.me, domain.GranularityStory)
		case "$SPARE":
			c.names[name] = c.spareClip()
		case "$DOOMED":
			c.names[name] = c.video(nil).ID
		case "$TAG", "$WORN", "$GROUP", "$LIST", "$PRIVATE", "$LEAVING", "$FULL", "$INVITED", "$EMAIL", "$NEW":
			c.names[name] = c.listed(name)
		}

		return c.names[name]
	})
}
