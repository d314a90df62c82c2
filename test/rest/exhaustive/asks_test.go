package exhaustive_test

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
			graph: `mutation { createVideo(input: {sourceId: "$SOURCE"}) { video { id } } }`, exists: actor.reads,
			may: func(a actor, v state) bool { return a.creates() && a.uses(v) },
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
		{name: "getClip", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP", graph: `{ clip(id: "$CLIP") { id } }`, alone: true, exists: actor.reads},
		{
			name: "updateClip", method: "PATCH", target: "/v1/videos/$VIDEO/clips/$CLIP", body: `{"name":"REST"}`,
			graph: `mutation { updateClip(id: "$CLIP", input: {name: "graph"}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
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
			graph: `mutation { duplicateClip(id: "$CLIP") { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "reorderClip", method: "POST", target: "/v1/videos/$VIDEO/clips/$CLIP/reorder", body: `{"order":0}`,
			graph: `mutation { reorderClip(id: "$CLIP", input: {order: 0}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "deleteClip", method: "DELETE", target: "/v1/videos/$VIDEO/clips/$SPARE",
			graph: `mutation { deleteClip(id: "$SPARE") { deletedId } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "listClipSources", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP/sources",
			graph: `{ clip(id: "$CLIP") { sources { id } } }`, alone: true, exists: actor.reads,
		},
		{
			name: "listMouseEvents", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP/mouse-events",
			graph: `{ clip(id: "$CLIP") { mouseEvents { timeMs } } }`, alone: true, exists: actor.reads,
		},
		{
			name: "updateClip with another's picture", method: "PATCH", target: "/v1/videos/$VIDEO/clips/$CLIP", body: `{"background":{"type":"video","sourceId":"$SOURCE"}}`,
			graph: `mutation { updateClip(id: "$CLIP", input: {background: {type: VIDEO, sourceId: "$SOURCE"}}) { clip { id } } }`,
			alone: true, exists: actor.reads, may: actor.edits,
		},
		{
			name: "cutClip", method: "POST", target: "/v1/videos/$VIDEO/clips/$CLIP/cut", body: `{"fromMs":0,"toMs":1}`,
			graph: `mutation { cutClip(id: "$CLIP", input: {cuts: [{fromMs: 0, toMs: 1}]}) { clip { id } } }`, alone: true, exists: actor.reads, may: actor.edits,
		},
		{name: "listExports", method: "GET", target: "/v1/videos/$VIDEO/exports", graph: `{ exports(videoId: "$VIDEO") { nodes { id granularity } } }`, exists: actor.reads, may: films},
		{name: "getExport", method: "GET", target: "/v1/videos/$VIDEO/exports/$FILM", graph: `{ export(id: "$FILM") { id } }`, exists: actor.reads, may: films},
		{name: "getExport raw", method: "GET", target: "/v1/videos/$VIDEO/exports/$RAW", graph: `{ export(id: "$RAW") { id } }`, exists: actor.reads, may: rawFiles},
		{name: "getExport of one's own", method: "GET", target: "/v1/videos/$VIDEO/exports/$MINE", graph: `{ node(id: "$MINE") { id } }`, exists: actor.reads, may: films},
		{name: "startExport", method: "POST", target: "/v1/videos/$VIDEO/exports", graph: `mutation { startExport(videoId: "$VIDEO") { export { id } } }`, exists: actor.reads, may: films},
		{
			name: "startExport raw", method: "POST", target: "/v1/videos/$VIDEO/exports", body: `{"granularity":"raw"}`,
			graph: `mutation { startExport(videoId: "$VIDEO", input: {granularity: RAW}) { export { id } } }`, exists: actor.reads, may: rawFiles,
		},
		{name: "cancelExport", method: "DELETE", target: "/v1/videos/$VIDEO/exports/$FILM", graph: `mutation { cancelExport(id: "$FILM") { export { id } } }`, exists: actor.reads, may: actor.edits},
		{name: "cancelExport of one's own", method: "DELETE", target: "/v1/videos/$VIDEO/exports/$MINE", graph: `mutation { cancelExport(id: "$MINE") { export { id } } }`, exists: actor.reads},
		{name: "createSource", method: "POST", target: "/v1/sources", graph: `mutation { createSource(input: {}) { uploadUrl } }`, alone: true, may: creates},
		{
			name: "completeSource of one's own", method: "POST", target: "/v1/sources/$OWN/complete",
			graph: `mutation { completeSource(id: "$OWN") { source { id } } }`, alone: true, may: creates,
		},
		{
			name: "completeSource of another's video", method: "POST", target: "/v1/sources/$SOURCE/complete",
			graph: `mutation { completeSource(id: "$SOURCE") { source { id } } }`, alone: true, exists: actor.reads, may: never,
		},
		{
			name: "completeSource of another", method: "POST", target: "/v1/sources/$UNUSED/complete",
			graph: `mutation { completeSource(id: "$UNUSED") { source { id } } }`, alone: true, exists: never,
		},
		{name: "listSources", method: "GET", target: "/v1/sources", graph: `{ sources { nodes { id } } }`, alone: true},
		{
			name: "updateSource of one's own", method: "PATCH", target: "/v1/sources/$OWN", body: `{"name":"REST"}`,
			graph: `mutation { updateSource(id: "$OWN", input: {name: "graph"}) { source { id } } }`, alone: true, may: creates,
		},
		{
			name: "updateSource of another's video", method: "PATCH", target: "/v1/sources/$SOURCE", body: `{"name":"REST"}`,
			graph: `mutation { updateSource(id: "$SOURCE", input: {name: "graph"}) { source { id } } }`, alone: true, exists: actor.reads, may: never,
		},
		{
			name: "updateSource of another", method: "PATCH", target: "/v1/sources/$UNUSED", body: `{"name":"REST"}`,
			graph: `mutation { updateSource(id: "$UNUSED", input: {name: "graph"}) { source { id } } }`, alone: true, exists: never,
		},
		{
			name: "deleteSource of one's own", method: "DELETE", target: "/v1/sources/$GOING",
			graph: `mutation { deleteSource(id: "$GOING") { deletedId } }`, alone: true, may: creates,
		},
		{
			name: "deleteSource of another's video", method: "DELETE", target: "/v1/sources/$SOURCE",
			graph: `mutation { deleteSource(id: "$SOURCE") { deletedId } }`, alone: true, exists: actor.reads, may: never,
		},
		{
			name: "deleteSource of another", method: "DELETE", target: "/v1/sources/$UNUSED",
			graph: `mutation { deleteSource(id: "$UNUSED") { deletedId } }`, alone: true, exists: never,
		},
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
			graph: `mutation { createPlaylistGroup(input: {name: "G"}) { playlistGroup { id } } }`, alone: true, may: creates,
		},
		{name: "getPlaylistGroup", method: "GET", target: "/v1/playlist-groups/$GROUP", graph: `{ playlistGroup(id: "$GROUP") { id } }`, alone: true, exists: colleague},
		{
			name: "updatePlaylistGroup", method: "PATCH", target: "/v1/playlist-groups/$GROUP", body: `{"name":"REST"}`,
			graph: `mutation { updatePlaylistGroup(id: "$GROUP", input: {name: "graph"}) { playlistGroup { id } } }`, alone: true, exists: colleague, may: rules,
		},
		{
			name: "deletePlaylistGroup", method: "DELETE", target: "/v1/playlist-groups/$GROUP", graph: `mutation { deletePlaylistGroup(id: "$GROUP") { deletedId } }`,
			alone: true, exists: colleague, may: rules,
		},
		{name: "listTags", method: "GET", target: "/v1/tags", graph: `{ tags { nodes { id } } }`, alone: true},
		{name: "createTag", method: "POST", target: "/v1/tags", body: `{"name":"$NEW"}`, graph: `mutation { createTag(input: {name: "$NEW"}) { tag { id } } }`, alone: true, may: creates},
		{name: "getTag", method: "GET", target: "/v1/tags/$TAG", graph: `{ tag(id: "$TAG") { id } }`, alone: true, exists: colleague},
		{
			name: "updateTag", method: "PATCH", target: "/v1/tags/$TAG", body: `{"description":"REST"}`,
			graph: `mutation { updateTag(id: "$TAG", input: {description: "graph"}) { tag { id } } }`, alone: true, exists: colleague, may: rules,
		},
		{name: "deleteTag", method: "DELETE", target: "/v1/tags/$TAG", graph: `mutation { deleteTag(id: "$TAG") { deletedId } }`, alone: true, exists: colleague, may: rules},
		{
			name: "createWebhookEndpoint", method: "POST", target: "/v1/webhooks/endpoints", body: `{"url":"https://hooks.example/","filterTypes":["video.created"]}`,
			graph: `mutation { createWebhookEndpoint(input: {url: "https://hooks.example/", filterTypes: [VIDEO_CREATED]}) { secret } }`, alone: true, may: creates,
		},
		{name: "getWebhookSecret", method: "GET", target: "/v1/webhooks/endpoints/$ENDPOINT/secret", graph: `{ webhookSecret(endpointId: "$ENDPOINT") }`, alone: true, exists: never},
		{name: "getWebhookEndpoint", method: "GET", target: "/v1/webhooks/endpoints/$ENDPOINT", graph: `{ webhookEndpoint(id: "$ENDPOINT") { id } }`, alone: true, exists: never},
		{name: "getWebhookEndpoint of one's own", method: "GET", target: "/v1/webhooks/endpoints/$HOOK", graph: `{ webhookEndpoint(id: "$HOOK") { id } }`, alone: true},
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
			graph: `mutation { rotateWebhookSecret(endpointId: "$ENDPOINT") { secret } }`, alone: true, exists: never,
		},
		{
			name: "rotateWebhookSecret of one's own", method: "POST", target: "/v1/webhooks/endpoints/$HOOK/secret/rotate",
			graph: `mutation { rotateWebhookSecret(endpointId: "$HOOK") { secret } }`, alone: true, may: creates,
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
