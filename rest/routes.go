package rest

import (
	"net/http"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
)

// Graph is what the rows call: the generated resolver interfaces, and nothing below them.
type Graph = exec.ResolverRoot

// routes are every row of /v1.
func routes() []route[Graph] { return append(rows(), effectRoutes()...) }

// rows is THE table of /v1, but for the effects, whose families are rows of their own. A row is a
// method, a path and a typed operation; its name is the operation's id.
func rows() []route[Graph] {
	return []route[Graph]{
		get("/v1/videos", listVideos),
		post("/v1/videos", createVideo),
		get("/v1/videos/search", searchVideos),
		get("/v1/videos/{id}", getVideo, tagged),
		patch("/v1/videos/{id}", updateVideo),
		del("/v1/videos/{id}", deleteVideo),
		post("/v1/videos/{id}/duplicate", duplicateVideo),
		get("/v1/videos/{id}/thumbnail", getVideoThumbnail),
		get("/v1/videos/{id}/storyboard", getVideoStoryboard),
		get("/v1/videos/{id}/chapters", listChapters),
		put("/v1/videos/{id}/chapters", replaceChapters),
		put("/v1/videos/{id}/background-music", setBackgroundMusic),
		del("/v1/videos/{id}/background-music", removeBackgroundMusic),
		put("/v1/videos/{id}/subtitle-preset", applySubtitlePreset),
		get("/v1/subtitle-presets", listSubtitlePresets),
		get("/v1/videos/{id}/analytics", getVideoAnalytics),
		get("/v1/analytics", getWorkspaceAnalytics),

		post("/v1/videos/{id}/exports", startExport),
		get("/v1/videos/{id}/exports", listExports),
		get("/v1/videos/{id}/exports/{exportId}", getExport),
		del("/v1/videos/{id}/exports/{exportId}", cancelExport),

		get("/v1/videos/{id}/clips", listClips),
		post("/v1/videos/{id}/clips", addClip),
		get("/v1/videos/{id}/clips/{clipId}", getClip, tagged),
		patch("/v1/videos/{id}/clips/{clipId}", updateClip),
		del("/v1/videos/{id}/clips/{clipId}", deleteClip),
		post("/v1/videos/{id}/clips/{clipId}/duplicate", duplicateClip),
		post("/v1/videos/{id}/clips/{clipId}/reorder", reorderClip),
		post("/v1/videos/{id}/clips/{clipId}/cut", cutClip),
		post("/v1/videos/{id}/clips/{clipId}/cut-by-transcript", cutClipByTranscript),
		post("/v1/videos/{id}/clips/{clipId}/remove-fillers", removeFillers),
		post("/v1/videos/{id}/clips/{clipId}/remove-silences", removeSilences),
		get("/v1/videos/{id}/clips/{clipId}/silences", listSilences),
		get("/v1/videos/{id}/clips/{clipId}/transcript", getTranscript),
		get("/v1/videos/{id}/clips/{clipId}/transcript/cut", getTranscriptCut),
		get("/v1/videos/{id}/clips/{clipId}/transcript/uncut", getTranscriptUncut),
		put("/v1/videos/{id}/clips/{clipId}/transcript", putTranscript, accepting(maxTranscript, typeVTT, typeSRT)),
		patch("/v1/videos/{id}/clips/{clipId}/transcript/words", correctWords),
		get("/v1/videos/{id}/clips/{clipId}/thumbnail", getClipThumbnail),
		get("/v1/videos/{id}/clips/{clipId}/storyboard", getClipStoryboard),
		post("/v1/videos/{id}/clips/{clipId}/auto-crop", autoCrop),
		get("/v1/videos/{id}/clips/{clipId}/sources", listClipSources),
		get("/v1/videos/{id}/clips/{clipId}/sources/{sourceId}/thumbnail", getClipSourceThumbnail),
		get("/v1/videos/{id}/clips/{clipId}/sources/{sourceId}/waveform", getSourceWaveform),
		get("/v1/videos/{id}/clips/{clipId}/mouse-events", listMouseEvents),

		post("/v1/videos/{id}/clips/{clipId}/zooms/auto", autoZooms),
		post("/v1/videos/{id}/clips/{clipId}/layouts/auto", autoLayouts),
		get("/v1/videos/{id}/timeline", getTimeline),
		post("/v1/videos/{id}/edits", applyVideoEdits),
		get("/v1/text-presets", listTextPresets),

		get("/v1/sources", listSources),
		post("/v1/sources", createSource, secret),
		get("/v1/sources/{sourceId}", getSource),
		patch("/v1/sources/{sourceId}", updateSource),
		del("/v1/sources/{sourceId}", deleteSource),
		post("/v1/sources/{sourceId}/complete", completeSource),
		get("/v1/sources/{sourceId}/storyboard", getSourceStoryboard),

		get("/v1/videos/{id}/collaborators", listCollaborators),
		post("/v1/videos/{id}/collaborators", addCollaborator),
		patch("/v1/videos/{id}/collaborators/{userId}", updateCollaborator),
		del("/v1/videos/{id}/collaborators/{userId}", removeCollaborator),
		get("/v1/videos/{id}/tags", listVideoTags),
		post("/v1/videos/{id}/tags", tagVideo),
		del("/v1/videos/{id}/tags/{tagId}", untagVideo),

		get("/v1/playlists", listPlaylists),
		post("/v1/playlists", createPlaylist),
		get("/v1/playlists/{id}", getPlaylist, tagged),
		patch("/v1/playlists/{id}", updatePlaylist),
		del("/v1/playlists/{id}", deletePlaylist),
		post("/v1/playlists/{id}/videos", addPlaylistVideo),
		del("/v1/playlists/{id}/videos/{videoId}", removePlaylistVideo),
		get("/v1/playlist-groups", listPlaylistGroups),
		post("/v1/playlist-groups", createPlaylistGroup),
		get("/v1/playlist-groups/{id}", getPlaylistGroup),
		patch("/v1/playlist-groups/{id}", updatePlaylistGroup),
		del("/v1/playlist-groups/{id}", deletePlaylistGroup),
		get("/v1/backgrounds", listBackgrounds),
		get("/v1/library", listLibrary),
		post("/v1/library", addLibraryItem),
		del("/v1/library/{id}", deleteLibraryItem),
		get("/v1/tags", listTags),
		post("/v1/tags", createTag),
		get("/v1/tags/{id}", getTag),
		patch("/v1/tags/{id}", updateTag),
		del("/v1/tags/{id}", deleteTag),

		get("/v1/webhooks/endpoints", listWebhookEndpoints),
		post("/v1/webhooks/endpoints", createWebhookEndpoint, secret),
		get("/v1/webhooks/endpoints/{id}", getWebhookEndpoint),
		patch("/v1/webhooks/endpoints/{id}", updateWebhookEndpoint),
		del("/v1/webhooks/endpoints/{id}", deleteWebhookEndpoint),
		get("/v1/webhooks/endpoints/{id}/secret", getWebhookSecret),
		post("/v1/webhooks/endpoints/{id}/secret/rotate", rotateWebhookSecret, secret),
		post("/v1/webhooks/endpoints/{id}/test", testWebhookEndpoint),
		get("/v1/webhooks/messages", listWebhookMessages),
		get("/v1/webhooks/messages/{id}", getWebhookMessage),
		get("/v1/webhooks/messages/{id}/attempts", listWebhookAttempts),
		post("/v1/webhooks/messages/{id}/resend", resendWebhookMessage),
	}
}

// New makes the handler of /v1 over the resolvers. It stands behind middleware.Identify, middleware.Guard and
// the gate of package limit; unknown routes are its 404.
func New(graph Graph, keys *idempotency.Keys, errors Errors) http.Handler {
	return serve(routes(), graph, keys, errors)
}
