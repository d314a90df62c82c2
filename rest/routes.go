package rest

import (
	"net/http"

	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/internal/idempotency"
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
		get("/v1/videos/{id}", getVideo, tagged),
		patch("/v1/videos/{id}", updateVideo),
		del("/v1/videos/{id}", deleteVideo),

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
		get("/v1/videos/{id}/clips/{clipId}/sources", listClipSources),
		get("/v1/videos/{id}/clips/{clipId}/mouse-events", listMouseEvents),

		post("/v1/videos/{id}/clips/{clipId}/zooms/auto", autoZooms),
		post("/v1/videos/{id}/clips/{clipId}/layouts/auto", autoLayouts),
		get("/v1/videos/{id}/timeline", getTimeline),
		post("/v1/videos/{id}/edits", applyVideoEdits),
		get("/v1/text-presets", listTextPresets),

		post("/v1/sources", createSource, secret),
		get("/v1/sources/{sourceId}", getSource),

		get("/v1/webhooks/endpoints", listWebhookEndpoints),
		post("/v1/webhooks/endpoints", createWebhookEndpoint, secret),
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

// New makes the handler of /v1 over the resolvers. It stands behind chain.Identify, chain.Guard and
// the gate of package limit; unknown routes are its 404.
func New(graph Graph, keys *idempotency.Keys, errors Errors) http.Handler {
	return serve(routes(), graph, keys, errors)
}
