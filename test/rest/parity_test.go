package rest_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// read is one read: a path in REST, and variables for the operation's document in operations/.
type read struct {
	operation string
	path      string
	variables map[string]any
}

// REST and the graph return the same, field by field.
func TestParity(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	w := settle(t, s)

	reads := []read{
		{"listVideos", "/v1/videos", nil},
		{"listVideos", "/v1/videos?limit=1", map[string]any{"first": 1}},
	}

	for _, v := range w.videos {
		reads = append(reads,
			read{"getVideo", "/v1/videos/" + v.ID, map[string]any{"id": v.ID}},
			read{"listClips", "/v1/videos/" + v.ID + "/clips", map[string]any{"id": v.ID}},
			read{"listChapters", "/v1/videos/" + v.ID + "/chapters", map[string]any{"id": v.ID}},
			read{"listExports", "/v1/videos/" + v.ID + "/exports", map[string]any{"id": v.ID}})

		for _, c := range v.Edges.Clips {
			path, named := "/v1/videos/"+v.ID+"/clips/"+c.ID, map[string]any{"videoId": v.ID, "id": c.ID}
			reads = append(reads,
				read{"getClip", path, named},
				read{"listClipSources", path + "/sources", named},
				read{"listMouseEvents", path + "/mouse-events?startTimeMs=100&types=clicks", named},
				read{"listSilences", path + "/silences", named},
				read{"getClipThumbnail", path + "/thumbnail", named},
				read{"getTranscript", path + "/transcript", named},
				read{"getTranscriptCut", path + "/transcript/cut", named},
				read{"getTranscriptUncut", path + "/transcript/uncut", named})
		}

		for _, e := range v.Edges.Exports {
			reads = append(reads, read{"getExport", "/v1/videos/" + v.ID + "/exports/" + e.ID, map[string]any{"videoId": v.ID, "id": e.ID}})
		}
	}

	for _, source := range w.sources {
		reads = append(reads, read{"getSource", "/v1/sources/" + source.ID, map[string]any{"id": source.ID}})
	}

	reads = append(reads,
		read{"listSources", "/v1/sources?limit=100", map[string]any{"first": 100}},
		read{
			"listSources", "/v1/sources?kind=video&status=ready,failed&limit=1",
			map[string]any{"kind": "VIDEO", "status": []string{"READY", "FAILED"}, "first": 1},
		})

	reads = append(reads,
		read{"getWebhookEndpoint", "/v1/webhooks/endpoints/" + w.endpoint, map[string]any{"id": w.endpoint}},
		read{"getWebhookSecret", "/v1/webhooks/endpoints/" + w.endpoint + "/secret", map[string]any{"id": w.endpoint}})

	reads = append(reads,
		read{"listWebhookEndpoints", "/v1/webhooks/endpoints", nil},
		read{"listWebhookEndpoints", "/v1/webhooks/endpoints?limit=1", map[string]any{"first": 1}},
		read{"listWebhookMessages", "/v1/webhooks/messages", nil},
		read{"listWebhookMessages", "/v1/webhooks/messages?limit=1", map[string]any{"first": 1}},
		read{"listWebhookMessages", "/v1/webhooks/messages?event_types=video.created", map[string]any{"eventTypes": "VIDEO_CREATED"}},
		read{"getWebhookMessage", "/v1/webhooks/messages/" + w.message, map[string]any{"id": w.message}},
		read{"listWebhookAttempts", "/v1/webhooks/messages/" + w.message + "/attempts", map[string]any{"id": w.message}})

	reads = append(reads,
		read{"listSubtitlePresets", "/v1/subtitle-presets", nil},
		read{"searchVideos", "/v1/videos/search?query=a", map[string]any{"query": "a"}},
		read{"searchVideos", "/v1/videos/search?query=word&limit=1", map[string]any{"query": "word", "first": 1}})

	compared := map[string]int{}

	for _, r := range reads {
		for name, who := range map[string]testkit.Member{"owner": w.owner, "guest": w.guest} {
			if compare(t, s, who.Key, r) {
				compared[name+" "+r.operation]++
			}
		}
	}

	require.Len(t, compared, 42, "every read in both APIs, except that of webhooks only the lists are compared: %v", compared)
}

// compare fails unless both APIs return the same. It reports whether the answer was not an error.
func compare(t *testing.T, s *api.Server, key string, r read) bool {
	t.Helper()

	document, _ := graphOf(r.operation)
	a := s.Call(t, key, http.MethodGet, r.path, "")
	g := s.Ask(t, key, document, r.variables)

	var said map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &said))

	if a.Status != http.StatusOK {
		require.Equal(t, said["error"], g.Code(), r.path)
		require.Equal(t, said["message"], g.Errors[0].Message, r.path)

		return false
	}

	require.Empty(t, g.Errors, "%s %s", r.path, g.Body)
	require.Equal(t, unsealed(said), unsealed(inREST(r.operation, g.Data)), r.path)

	return true
}

// unsealed removes cursors, which differ each time.
func unsealed(answer map[string]any) map[string]any {
	if page, paged := answer["pagination"].(map[string]any); paged && page["nextCursor"] != nil {
		page["nextCursor"] = "a cursor"
	}

	if answer["cursor"] != nil { // REST repeats it here
		answer["cursor"] = "a cursor"
	}

	return answer
}

// A walk begun in one API can continue in the other.
func TestCursorsOpenBothDoors(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for range 5 {
		testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	}

	document, _ := graphOf("listVideos")

	var (
		seen   []string
		cursor string
	)

	for range 5 {
		var (
			page map[string]any
			path = "/v1/videos?limit=1"
			vars = map[string]any{"first": 1}
		)

		if cursor != "" {
			path, vars["after"] = path+"&cursor="+cursor, cursor
		}

		require.NoError(t, json.Unmarshal([]byte(s.Call(t, m.Key, http.MethodGet, path, "").Body), &page))
		other := inREST("listVideos", s.Ask(t, m.Key, document, vars).Data)
		require.Equal(t, page["videos"], other["videos"])

		if len(seen)%2 == 0 {
			page = other
		}

		cursor, _ = page["pagination"].(map[string]any)["nextCursor"].(string)
		seen = append(seen, page["videos"].([]any)[0].(map[string]any)["id"].(string))
	}

	require.Empty(t, cursor)
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), 5)
}

// inREST shapes an answer of the graph as REST would: connections become lists, enums are spelled as in REST, and
// fields that do not apply are absent.
func inREST(operation string, data map[string]any) map[string]any {
	shaped := shape("", data).(map[string]any)

	switch operation {
	case "getVideo":
		video := shaped["video"].(map[string]any)
		editing := video["editing"].(map[string]any)
		editing["visibility"], editing["dimensions"] = video["visibility"], video["dimensions"]
		delete(video, "visibility")

		clips := video["clipIds"].([]any)
		for i, clip := range clips {
			clips[i] = clip.(map[string]any)["id"]
		}

		return shaped
	case "getSource":
		sourceInREST(shaped["source"])

		return shaped
	case "listVideos", "listPlaylists", "listWebhookEndpoints", "searchVideos", "listLibrary", "listSources":
		list := map[string]string{
			"listVideos": "videos", "listPlaylists": "playlists", "listWebhookEndpoints": "endpoints", "listSources": "sources", "searchVideos": "results", "listLibrary": "items",
		}[operation]
		page := data[list].(map[string]any)["pageInfo"].(map[string]any)
		pagination := map[string]any{"hasMore": page["hasNextPage"], "nextCursor": nil}

		if page["hasNextPage"] == true {
			pagination["nextCursor"] = page["endCursor"]
		}

		shaped["pagination"] = pagination
		endpoints, _ := shaped["endpoints"].([]any)

		return nulled(inListREST(operation, shaped), endpoints, "filterTypes", "disabledReason")
	case "getVideoAnalytics", "getWorkspaceAnalytics":
		return figuresInREST(data)
	case "listClips":
		return map[string]any{"clips": shaped["video"].(map[string]any)["clips"]}
	case "getWebhookMessage":
		return shaped["webhookMessage"].(map[string]any)
	case "listWebhookAttempts":
		answer := shaped["webhookMessage"].(map[string]any)

		return nulled(answer, answer["attempts"].([]any), "responseStatus", "error", "nextAttemptAt")
	case "listLayouts":
		clip := shaped["clip"].(map[string]any)

		return map[string]any{"layouts": append([]any{clip["baseLayout"]}, clip["layouts"].([]any)...)}
	case "listClipSources":
		sources := []any{}

		for _, one := range shaped["clip"].(map[string]any)["tracks"].([]any) {
			track := one.(map[string]any)
			s := track["source"].(map[string]any)
			sourceInREST(s)

			if s["offsetMs"] = track["offsetMs"]; track["medium"] != "mouse" {
				s["medium"] = track["medium"]
			}

			if track["url"] != nil {
				s["url"] = track["url"]
			}

			sources = append(sources, s)
		}

		return map[string]any{"sources": sources}
	case "listMouseEvents", "listSilences", "listZooms", "listBlurs", "listHighlights", "listOverlays", "listTextOverlays",
		"listSoundEffects":
		return shaped["clip"].(map[string]any)
	case "listChapters", "getTimeline":
		return shaped["video"].(map[string]any)
	case "getTranscript", "getTranscriptCut", "getTranscriptUncut":
		words := shaped["clip"].(map[string]any)
		heard := words["transcript"].(map[string]any)

		return map[string]any{"status": heard["status"], "language": heard["language"], "words": words["words"]}
	case "getWebhookEndpoint":
		return nulled(shaped, []any{shaped["endpoint"]}, "filterTypes", "disabledReason")
	default:
		return inListREST(operation, shaped)
	}
}

// nulled sets fields of items to null where REST returns null instead of leaving them out.
func nulled(answer map[string]any, items []any, fields ...string) map[string]any {
	for _, item := range items {
		for _, field := range fields {
			if of := item.(map[string]any); of[field] == nil {
				of[field] = nil
			}
		}
	}

	return answer
}

func shape(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		if nodes, paged := v["nodes"]; paged {
			return shape(name, nodes)
		}

		if own, isVolume := v["override"]; isVolume {
			return own
		}

		out := map[string]any{}

		for field, below := range v {
			if below != nil || field == "crop" {
				out[field] = shape(field, below)
			}
		}

		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = shape(name, item)
		}

		return out
	case string:
		return wire(name, v)
	default:
		return value
	}
}

var shouted = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// wire spells an enum value as REST does.
func wire(field, value string) string {
	if !shouted.MatchString(value) || slices.Contains([]string{"name", "description", "title", "text", "message"}, field) && value != "BACKDROP" {
		return value
	}

	if rate, isRate := strings.CutPrefix(value, "FPS_"); isRate {
		return rate
	}

	for _, spelled := range enums() {
		if shout(spelled) == value {
			return spelled
		}
	}

	return value
}

func enums() []string {
	return slices.Concat(
		values.LinkScope("").Values(), values.Visibility("").Values(), values.TranscriptStatus("").Values(), values.CaptionStyleName("").Values(),
		values.BorderStyle("").Values(), values.Corners("").Values(), values.LayoutSceneType("").Values(), values.BackgroundType("").Values(),
		values.VideoTransition("").Values(), values.ClipTransition("").Values(), values.ExportStatus("").Values(), values.Granularity("").Values(),
		values.Resolution("").Values(), values.Speed("").Values(),
		values.SourceKind("").Values(), values.SourceRole("").Values(), values.SourceAudio("").Values(), values.SourceStatus("").Values(),
		values.EventType("").Values(), values.AttemptStatus("").Values(), values.AttemptError("").Values(),
		values.MouseEventType("").Values(), values.SearchIn("").Values(), values.TagScope("").Values(), values.CollaboratorRole("").Values(),
		values.LibraryScope("").Values(), values.LibraryType("").Values(), values.TextBackgroundShape("").Values(), values.TextAlign("").Values(),
		values.LayoutKind("").Values(), values.LayoutPosition("").Values(), values.ScreenFit("").Values(), values.LayoutTransition("").Values(),
		values.ZoomType("").Values(), values.MaskType("").Values(), values.MediaType("").Values(),
	)
}

var humps = regexp.MustCompile(`([a-z])([A-Z])`)

// shout spells a REST value as the graph does.
func shout(spelled string) string {
	switch spelled {
	case "1080p":
		return "P1080"
	case "4k":
		return "UHD_4K"
	}

	if spelled[0] >= '0' && spelled[0] <= '9' {
		return "X" + strings.ReplaceAll(spelled, ".", "_")
	}

	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(humps.ReplaceAllString(spelled, "${1}_$2")))
}
