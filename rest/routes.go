package rest

import (
	"net/http"

	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// Graph is the set of resolver interfaces that gqlgen generates. The REST operations call them.
type Graph = shape.Graph

// Routes returns all rows of the table of /v1, including those for the effects.
func Routes() []router.Route[Graph] { return append(rows(), effectRoutes()...) }

// rows returns the table of /v1 without the effects, whose families are rows of their own. A row is a method, a path
// and a typed operation; the function's name is the operationId.
func rows() []router.Route[Graph] {
	return []router.Route[Graph]{
		router.Get("/v1/videos", listVideos),
		router.Post("/v1/videos", createVideo),
		router.Get("/v1/videos/search", searchVideos),
		router.Get("/v1/videos/{id}", getVideo, router.Tagged),
		router.Patch("/v1/videos/{id}", updateVideo),
		router.Del("/v1/videos/{id}", deleteVideo),
		router.Post("/v1/videos/{id}/duplicate", duplicateVideo),
		router.Get("/v1/videos/{id}/thumbnail", getVideoThumbnail),
		router.Get("/v1/videos/{id}/storyboard", getVideoStoryboard),
		router.Get("/v1/videos/{id}/chapters", listChapters),
		router.Put("/v1/videos/{id}/chapters", replaceChapters),
		router.Put("/v1/videos/{id}/background-music", setBackgroundMusic),
		router.Del("/v1/videos/{id}/background-music", removeBackgroundMusic),
		router.Put("/v1/videos/{id}/subtitle-preset", applySubtitlePreset),
		router.Get("/v1/subtitle-presets", listSubtitlePresets),
		router.Get("/v1/videos/{id}/analytics", getVideoAnalytics),
		router.Get("/v1/analytics", getWorkspaceAnalytics),

		router.Post("/v1/videos/{id}/exports", startExport),
		router.Get("/v1/videos/{id}/exports", listExports),
		router.Get("/v1/videos/{id}/exports/{exportId}", getExport),
		router.Del("/v1/videos/{id}/exports/{exportId}", cancelExport),

		router.Get("/v1/videos/{id}/clips", listClips),
		router.Post("/v1/videos/{id}/clips", addClip),
		router.Get("/v1/videos/{id}/clips/{clipId}", getClip, router.Tagged),
		router.Patch("/v1/videos/{id}/clips/{clipId}", updateClip),
		router.Del("/v1/videos/{id}/clips/{clipId}", deleteClip),
		router.Post("/v1/videos/{id}/clips/{clipId}/duplicate", duplicateClip),
		router.Post("/v1/videos/{id}/clips/{clipId}/reorder", reorderClip),
		router.Post("/v1/videos/{id}/clips/{clipId}/cut", cutClip),
		router.Post("/v1/videos/{id}/clips/{clipId}/cut-by-transcript", cutClipByTranscript),
		router.Post("/v1/videos/{id}/clips/{clipId}/remove-fillers", removeFillers),
		router.Post("/v1/videos/{id}/clips/{clipId}/remove-silences", removeSilences),
		router.Get("/v1/videos/{id}/clips/{clipId}/silences", listSilences),
		router.Get("/v1/videos/{id}/clips/{clipId}/transcript", getTranscript),
		router.Get("/v1/videos/{id}/clips/{clipId}/transcript/cut", getTranscriptCut),
		router.Get("/v1/videos/{id}/clips/{clipId}/transcript/uncut", getTranscriptUncut),
		router.Put("/v1/videos/{id}/clips/{clipId}/transcript", putTranscript, router.Accepting(maxTranscript, typeVTT, typeSRT)),
		router.Patch("/v1/videos/{id}/clips/{clipId}/transcript/words", correctWords),
		router.Get("/v1/videos/{id}/clips/{clipId}/thumbnail", getClipThumbnail),
		router.Get("/v1/videos/{id}/clips/{clipId}/storyboard", getClipStoryboard),
		router.Post("/v1/videos/{id}/clips/{clipId}/auto-crop", autoCrop),
		router.Get("/v1/videos/{id}/clips/{clipId}/sources", listClipSources),
		router.Get("/v1/videos/{id}/clips/{clipId}/sources/{sourceId}/thumbnail", getClipSourceThumbnail),
		router.Get("/v1/videos/{id}/clips/{clipId}/sources/{sourceId}/waveform", getSourceWaveform),
		router.Get("/v1/videos/{id}/clips/{clipId}/mouse-events", listMouseEvents),

		router.Post("/v1/videos/{id}/clips/{clipId}/zooms/auto", autoZooms),
		router.Post("/v1/videos/{id}/clips/{clipId}/layouts/auto", autoLayouts),
		router.Get("/v1/videos/{id}/timeline", getTimeline),
		router.Post("/v1/videos/{id}/edits", applyVideoEdits),
		router.Get("/v1/text-presets", listTextPresets),

		router.Get("/v1/sources", listSources),
		router.Post("/v1/sources", createSource, router.Secret),
		router.Get("/v1/sources/{sourceId}", getSource),
		router.Patch("/v1/sources/{sourceId}", updateSource),
		router.Del("/v1/sources/{sourceId}", deleteSource),
		router.Post("/v1/sources/{sourceId}/complete", completeSource),
		router.Get("/v1/sources/{sourceId}/storyboard", getSourceStoryboard),

		router.Get("/v1/videos/{id}/collaborators", listCollaborators),
		router.Post("/v1/videos/{id}/collaborators", addCollaborator),
		router.Patch("/v1/videos/{id}/collaborators/{userId}", updateCollaborator),
		router.Del("/v1/videos/{id}/collaborators/{userId}", removeCollaborator),
		router.Get("/v1/videos/{id}/tags", listVideoTags),
		router.Post("/v1/videos/{id}/tags", tagVideo),
		router.Del("/v1/videos/{id}/tags/{tagId}", untagVideo),

		router.Get("/v1/playlists", listPlaylists),
		router.Post("/v1/playlists", createPlaylist),
		router.Get("/v1/playlists/{id}", getPlaylist, router.Tagged),
		router.Patch("/v1/playlists/{id}", updatePlaylist),
		router.Del("/v1/playlists/{id}", deletePlaylist),
		router.Post("/v1/playlists/{id}/videos", addPlaylistVideo),
		router.Del("/v1/playlists/{id}/videos/{videoId}", removePlaylistVideo),
		router.Get("/v1/playlist-groups", listPlaylistGroups),
		router.Post("/v1/playlist-groups", createPlaylistGroup),
		router.Get("/v1/playlist-groups/{id}", getPlaylistGroup),
		router.Patch("/v1/playlist-groups/{id}", updatePlaylistGroup),
		router.Del("/v1/playlist-groups/{id}", deletePlaylistGroup),
		router.Get("/v1/backgrounds", listBackgrounds),
		router.Get("/v1/library", listLibrary),
		router.Post("/v1/library", addLibraryItem),
		router.Del("/v1/library/{id}", deleteLibraryItem),
		router.Get("/v1/tags", listTags),
		router.Post("/v1/tags", createTag),
		router.Get("/v1/tags/{id}", getTag),
		router.Patch("/v1/tags/{id}", updateTag),
		router.Del("/v1/tags/{id}", deleteTag),

		router.Get("/v1/webhooks/endpoints", listWebhookEndpoints),
		router.Post("/v1/webhooks/endpoints", createWebhookEndpoint, router.Secret),
		router.Get("/v1/webhooks/endpoints/{id}", getWebhookEndpoint),
		router.Patch("/v1/webhooks/endpoints/{id}", updateWebhookEndpoint),
		router.Del("/v1/webhooks/endpoints/{id}", deleteWebhookEndpoint),
		router.Get("/v1/webhooks/endpoints/{id}/secret", getWebhookSecret),
		router.Post("/v1/webhooks/endpoints/{id}/secret/rotate", rotateWebhookSecret, router.Secret),
		router.Post("/v1/webhooks/endpoints/{id}/test", testWebhookEndpoint),
		router.Get("/v1/webhooks/messages", listWebhookMessages),
		router.Get("/v1/webhooks/messages/{id}", getWebhookMessage),
		router.Get("/v1/webhooks/messages/{id}/attempts", listWebhookAttempts),
		router.Post("/v1/webhooks/messages/{id}/resend", resendWebhookMessage),
	}
}

// New returns the handler of /v1. It must come after middleware.Identify, middleware.Guard and the gate of package
// limit. It returns 404 for unknown routes.
func New(graph Graph, keys *idempotency.Keys, errors router.Errors) http.Handler {
	return router.New(Routes(), graph, keys, errors)
}
